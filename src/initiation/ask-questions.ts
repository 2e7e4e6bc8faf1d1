/**
 * What was not used, or is unusual, as questions that a person must answer before the file is paid. Columns that are not
 * read hold few values, rare ones, or texts of every kind.
 */
import { hash } from "node:crypto";
import { type Cell, type Grid, type Line, textOf } from "../model/grid.ts";
import { RunningTotals, senderTexts } from "../model/index.ts";
import {
  columnTitle,
  type Note,
  type Question,
  type Section,
  type TotalLine,
  type UnreadColumn,
} from "../model/sheet-reading.ts";
import { shownText, shownWhole } from "../model/shown-text.ts";
import { wordOf } from "../model/words.ts";
import { Decimal, formatAmount } from "../money/index.ts";
import type { CheckedRow } from "./check-row.ts";
import { counts, type FoundColumns } from "./find-columns.ts";
import type { AcceptedLayout } from "./policy.ts";

const LINES_MAX = 100;
const FEW_MAX = 10;
/** So many of a text column are shown apart from their rows. */
const EXAMPLES = 3;
/** An amount, or a file's sum, that is more than so many times the largest so far waits. */
const UNUSUAL_AMOUNT_TIMES = Decimal.of("10");
const UNUSUAL_SUM_TIMES = Decimal.of("3");

/** A column with its values as written, by which rows are answered. */
export interface UnreadCells extends UnreadColumn {
  readonly texts: readonly string[];
}

/** `lines`: those of payments. */
export function readUnread({ unread, header }: FoundColumns, lines: readonly Line[]): UnreadCells[] {
  return unread.map((position) => {
    const { filled, values: found } = valuesIn(position, lines);
    const kind = kindOf(filled, found.size, lines.length);
    const listed = [...found].slice(0, kind === "text" ? EXAMPLES : undefined);
    const values = listed.map(([text, { count, lines }]) => ({ value: shownWhole(text), count, lines }));
    return { position, heading: header[position] ?? "", kind, values, texts: listed.map(([text]) => text) };
  });
}

/** The distinct values, of which no more are kept than a rare column can have. */
function valuesIn(position: number, lines: readonly Line[]) {
  const values = new Map<string, { count: number; readonly lines: number[] }>();
  const valuesMax = Math.max(FEW_MAX, Math.floor(lines.length / 5)) + 1;
  let filled = 0;
  for (const { line, cells } of lines) {
    const text = comparedValue(cells[position]);
    if (text === "") continue;
    filled += 1;
    const value = values.get(text) ?? { count: 0, lines: [] };
    if (value.count > 0 || values.size < valuesMax) values.set(text, value);
    else if (5 * filled >= lines.length) break;
    value.count += 1;
    if (value.lines.length < LINES_MAX) value.lines.push(line);
  }
  return { filled, values };
}

/** A value as it is compared. */
function comparedValue(cell: Cell = ""): string {
  const text = textOf(cell).trim();
  return /[^ -~]/.test(text) ? text.normalize("NFC") : text;
}

function kindOf(filled: number, distinct: number, rows: number): UnreadColumn["kind"] {
  if (filled === 0) return "empty";
  if (5 * filled < rows) return "rare";
  const isFew = distinct <= Math.max(FEW_MAX, rows / 10) && distinct < filled;
  return isFew || (filled === 1 && rows > 1) ? "few" : "text";
}

export interface Asked {
  readonly columns: FoundColumns;
  readonly unread: readonly UnreadCells[];
  readonly notes: readonly Note[];
  readonly sections: readonly Section[];
  readonly secondTotals: readonly TotalLine[];
  readonly rows: readonly CheckedRow[];
  readonly grid: Pick<Grid, "csv" | "lines">;
}

/** The questions that the layout does not answer. */
export function askQuestions(asked: Asked, layout: AcceptedLayout | undefined): Question[] {
  const { columns, unread, notes, sections, secondTotals, rows } = asked;
  const byContent = columns.read.filter(({ name, foundBy }) => name === "reference" && foundBy === "content");
  const questions = [
    ...byContent.map((column) => {
      const text = `\`${columnTitle(column)}\` was read as the reference: ${column.evidence ?? ""}`;
      return question(["reference", wordOf(column.heading)], text, []);
    }),
    ...unread.flatMap((column) => ofColumn(column, rows)),
    ...notes.map(({ line, place, text }) =>
      question(["note", wordOf(text)], `${place}: "${text}"`, line === undefined ? [] : [line]),
    ),
    ...sections.map(({ line, heading }) =>
      question(["section", wordOf(heading)], `a section is headed "${heading}"`, [line]),
    ),
    ...secondTotals.map(({ line, text, amount }) => {
      const repeats = `${text === "" ? `line ${line}` : `"${text}"`} repeats the sum ${amount} of the same lines`;
      return question(["second total", wordOf(text)], repeats, [line]);
    }),
    ...ofAmounts(rows, layout),
    ...ofCsv(asked),
  ];
  const isAnswered = ({ id }: Question) =>
    layout?.accepted.has(id) === true || layout?.notPaid.has(id) === true;
  return [...new Map(questions.map((each) => [each.id, each])).values()].filter((each) => !isAnswered(each));
}

/** Why rows are left out: a value in them was answered "do not pay". */
export function leftOutRows(
  rows: readonly CheckedRow[],
  unread: readonly UnreadCells[],
  layout: AcceptedLayout | undefined,
): ReadonlyMap<CheckedRow, string> {
  const out = new Map<CheckedRow, string>();
  if (layout === undefined || layout.notPaid.size === 0) return out;
  for (const row of rows)
    for (const column of unread) {
      const text = comparedValue(row.line.cells[column.position]);
      const isNotPaid = text !== "" && layout.notPaid.has(valueId(column, text, row.reference));
      if (isNotPaid) out.set(row, `column "${columnTitle(column)}" says "${text}"`);
    }
  return out;
}

function ofColumn(column: UnreadCells, rows: readonly CheckedRow[]): Question[] {
  const { kind, heading, values, texts, position } = column;
  const title = columnTitle(column);
  const isCounter = () => counts(rows.map(({ line }) => textOf(line.cells[position] ?? "")));
  if (kind === "empty" || (!/\p{L}/u.test(heading) && isCounter())) return [];
  if (kind === "text") {
    const examples = values.map(({ value }) => `"${value}"`).join(", ");
    const text = `column "${title}" was not read: ${examples} and others`;
    return [question(["column", wordOf(heading)], text, [])];
  }
  const asked = (id: string, value: string, where: string, lines: readonly number[]) => ({
    id,
    text: `column "${title}" says "${value}"${where}`,
    value: `${title}=${value}`,
    lines,
  });
  if (kind === "few")
    return values.map(({ value, count, lines }, index) => {
      const where = count === 1 ? " in 1 row" : ` in ${count} rows`;
      return asked(valueId(column, texts[index] ?? "", undefined), value, where, lines);
    });
  return rows.flatMap(({ line, reference }) => {
    const text = comparedValue(line.cells[position]);
    return text === "" ? [] : [asked(valueId(column, text, reference), shownWhole(text), "", [line.line])];
  });
}

/**
 * Of a CSV, each time: rows that lack cells which others have, and an end within an amount or a reference, whose cell does
 * not show that it was cut off.
 */
function ofCsv({ grid: { csv, lines: all }, columns: { header, positions }, rows }: Asked): Question[] {
  if (csv === undefined) return [];
  const questions: Question[] = [];
  const short = rows.filter(({ line }) => line.cells.length < header.length);
  if (short.length > 0 && short.length < rows.length) {
    const count = short.length === 1 ? "1 row has" : `${short.length} rows have`;
    const text = `${count} fewer cells than the others, so cells may have slipped into other columns`;
    const parts = ["short rows", ...short.map(({ reference }) => reference ?? "")];
    const lines = short.map(({ line }) => line.line);
    questions.push(question(parts, text, lines));
  }
  const { line, cells } = all.at(-1) ?? { line: 0, cells: [] };
  const isRead = (["amount", "reference"] as const).some((name) => positions.get(name) === cells.length - 1);
  if (csv.endsOpen === true && isRead && rows.at(-1)?.line.line === line) {
    const text = `the file ends without a line break, behind "${shownText(textOf(cells.at(-1) ?? ""))}": it may have been cut off`;
    questions.push(question(["open end"], text, [line]));
  }
  return questions;
}

/** A cell of a rarely filled column is asked for each time. */
function valueId({ kind, heading }: UnreadCells, text: string, reference: string | undefined): string {
  return idOf(["value", wordOf(heading), text, ...(kind === "few" ? [] : [reference ?? ""])]);
}

function ofAmounts(rows: readonly CheckedRow[], layout: AcceptedLayout | undefined): Question[] {
  const sums = new RunningTotals();
  const questions: Question[] = [];
  const isUnusual = (value: Decimal, largest: Decimal | undefined, times: Decimal) =>
    largest !== undefined && value.compare(largest.times(times)) > 0;
  for (const { line, draft } of rows) {
    if (draft === undefined) continue;
    const { amount, reference } = draft.fields;
    const ask = (about: string, text: string) =>
      questions.push(question([about, reference, `${amount.value}`], text, [line.line]));
    const shown = () => formatAmount(amount);
    const above = /\d/.test(reference) ? undefined : sums.of(amount.currency);
    if (above !== undefined && above.count > 1 && above.amount.equals(amount.value))
      ask("sum above", `"${shownText(reference)}" pays ${shown()}, the sum of the payments above it`);
    sums.add(amount);
    const largest = layout?.largest[amount.currency]?.row;
    if (isUnusual(amount.value, largest, UNUSUAL_AMOUNT_TIMES))
      ask("amount", `${shown()} is more than ten times the largest amount so far, ${largest}`);
  }
  for (const { currency, amount: value } of sums.totals()) {
    const largest = layout?.largest[currency]?.sum;
    const text = `the sum of ${formatAmount({ currency, value })} is more than three times the largest so far, ${largest}`;
    if (isUnusual(value, largest, UNUSUAL_SUM_TIMES))
      questions.push(question(["sum", currency, `${value}`], text, []));
  }
  return questions;
}

function question(parts: readonly string[], text: string, lines: readonly number[]): Question {
  return { id: idOf(parts), text, lines: lines.slice(0, LINES_MAX) };
}

/** `parts`: what the question is about; equal ones make the same question in every file of the layout. */
function idOf(parts: readonly string[]): string {
  const digest = hash("sha256", JSON.stringify(parts)).slice(0, 12);
  return `${(parts[0] ?? "").replace(" ", "-")}-${digest}`;
}

/** Texts outside the cells are notes, and the name of a sheet, unless a program gave it or it only says when. */
export function notesBeside({ outside, sheet }: Grid, header: readonly string[]): Note[] {
  const notes = senderTexts(outside, header).map(({ place, text }) => ({ place, text: shownWhole(text) }));
  if (sheet === undefined || DEFAULT_SHEET_NAME.test(sheet) || isTime(sheet)) return notes;
  return [{ place: "the name of the sheet", text: shownWhole(sheet) }, ...notes];
}

/** "November 2026", "2026-11", "KW 48", "Lohn Nov": only the first three say nothing but when. */
function isTime(name: string): boolean {
  const words = name.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.every((word) => TIME_WORDS.has(word));
}

const LOCALES = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "cs", "sv", "da", "fi", "hu", "ro", "tr"];

/** Names of months, long and short, and what weeks and quarters are called by. */
const TIME_WORDS: ReadonlySet<string> = new Set([
  ...["q", "h", "w", "wk", "week", "cw", "kw", "month", "quarter", "year"],
  ...LOCALES.flatMap((locale) =>
    (["long", "short"] as const).flatMap((month) => {
      const format = new Intl.DateTimeFormat(locale, { month, timeZone: "UTC" });
      return Array.from({ length: 12 }, (_, at) =>
        format
          .format(Date.UTC(2026, at, 15))
          .toLowerCase()
          .replace(/\.$/, ""),
      );
    }),
  ),
]);

/** As spreadsheet programs name a first sheet, and our template the one for payouts. */
const DEFAULT_SHEET_NAME =
  /^(?:(?:sheet|tabelle|feuil(?:le)?|hoja|foglio|planilha|folha|blad|arkusz)[ _]?\d*|payouts)$/i;
