/** What was not used, or is unusual, as questions that a person must answer before the file is paid. */
import { createHash } from "node:crypto";
import { type Grid, type Line, textOf } from "../model/grid.ts";
import { RunningTotals } from "../model/index.ts";
import type { Note, Question, Section, TotalLine } from "../model/sheet-reading.ts";
import { shownText } from "../model/shown-text.ts";
import { wordOf } from "../model/words.ts";
import { Decimal, formatAmount } from "../money/index.ts";
import type { CheckedRow } from "./check-row.ts";
import { columnTitle, counts, type FoundColumns } from "./find-columns.ts";
import type { AcceptedLayout, InitiationPolicy } from "./policy.ts";
import { type UnreadCells, unreadText } from "./unread-columns.ts";

const LINES_MAX = 100;
/** An amount or sum that is this many times the largest so far waits. */
const UNUSUAL_TIMES = Decimal.of("10");

export interface Asked {
  readonly columns: FoundColumns;
  readonly unread: readonly UnreadCells[];
  readonly notes: readonly Note[];
  readonly sections: readonly Section[];
  readonly secondTotals: readonly TotalLine[];
  readonly rows: readonly CheckedRow[];
}

/** The questions that the layout does not answer. */
export function askQuestions(asked: Asked, layout: InitiationPolicy["layout"]): Question[] {
  const questions = [
    ...ofReference(asked.columns),
    ...asked.unread.flatMap((column) => ofColumn(column, asked)),
    ...asked.notes.map(ofNote),
    ...asked.sections.map(({ line, heading }) =>
      question(["section", wordOf(heading)], `a section is headed "${heading}"`, [line]),
    ),
    ...asked.secondTotals.map(({ line, text, amount }) =>
      question(["second total", wordOf(text)], `"${text}" repeats the sum ${amount} of the same lines`, [
        line,
      ]),
    ),
    ...ofAmounts(asked.rows, layout),
  ];
  const isAnswered = ({ id }: Question) =>
    layout?.accepted.has(id) === true || layout?.notPaid.has(id) === true;
  return [...new Map(questions.map((each) => [each.id, each])).values()].filter((each) => !isAnswered(each));
}

/** Why a row is left out: a value in it was answered "do not pay". */
export function leftOut(
  { cells }: Line,
  reference: string | undefined,
  unread: readonly UnreadCells[],
  layout: AcceptedLayout | undefined,
): string | undefined {
  if (layout === undefined || layout.notPaid.size === 0) return undefined;
  for (const column of unread) {
    const text = unreadText(textOf(cells[column.position] ?? ""));
    if (text === "" || (column.kind !== "few" && column.kind !== "rare")) continue;
    const id = valueId(column, text, reference);
    if (layout.notPaid.has(id)) return `column "${columnTitle(column)}" says "${text}"`;
  }
  return undefined;
}

function ofReference({ read }: FoundColumns): Question[] {
  const column = read.find(({ name, foundBy }) => name === "reference" && foundBy === "content");
  if (column === undefined) return [];
  const text = `\`${columnTitle(column)}\` was read as the reference: ${column.evidence ?? ""}`;
  return [question(["reference", wordOf(column.heading)], text, [])];
}

function ofColumn(column: UnreadCells, { rows }: Asked): Question[] {
  const title = columnTitle(column);
  const { kind, heading, values, texts, position } = column;
  if (kind === "empty") return [];
  if (!/\p{L}/u.test(heading) && counts(rows.map(({ line }) => textOf(line.cells[position] ?? ""))))
    return [];
  if (kind === "text") {
    const examples = values.map(({ value }) => `"${value}"`).join(", ");
    return [
      question(["column", wordOf(heading)], `column "${title}" was not read: ${examples} and others`, []),
    ];
  }
  if (kind === "few")
    return values.map(({ value, count, lines }, index) => ({
      ...question(
        ["value", wordOf(heading), texts[index] ?? ""],
        `column "${title}" says "${value}" in ${count === 1 ? "1 row" : `${count} rows`}`,
        lines,
      ),
      value: `${title}=${value}`,
    }));
  return rows.flatMap(({ line, reference }) => {
    const text = unreadText(textOf(line.cells[position] ?? ""));
    const shown = values[texts.indexOf(text)]?.value ?? text;
    if (text === "") return [];
    const id = valueId(column, text, reference);
    const value = `${title}=${shown}`;
    return [{ id, text: `column "${title}" says "${shown}"`, value, lines: [line.line] }];
  });
}

/** A cell of a rarely filled column is asked for each time. */
function valueId({ kind, heading }: UnreadCells, text: string, reference: string | undefined): string {
  const parts = ["value", wordOf(heading), text];
  return question(kind === "few" ? parts : [...parts, reference ?? ""], "", []).id;
}

function ofNote({ line, place, text }: Note): Question {
  return question(["note", wordOf(text)], `${place}: "${text}"`, line === undefined ? [] : [line]);
}

function ofAmounts(rows: readonly CheckedRow[], layout: AcceptedLayout | undefined): Question[] {
  const sums = new RunningTotals();
  const questions: Question[] = [];
  for (const { line, draft } of rows) {
    if (draft === undefined) continue;
    const { amount, reference } = draft.fields;
    const above = /\d/.test(reference) ? undefined : sums.of(amount.currency);
    if (above !== undefined && above.count > 1 && above.amount.equals(amount.value)) {
      const text = `"${shownText(reference)}" pays ${formatAmount(amount)}, the sum of the payments above it`;
      questions.push(question(["sum above", reference, amount.value.toString()], text, [line.line]));
    }
    sums.add(amount);
    const largest = layout?.largest[amount.currency]?.row;
    if (largest === undefined || amount.value.compare(largest.times(UNUSUAL_TIMES)) <= 0) continue;
    const text = `${formatAmount(amount)} is more than ten times the largest amount so far, ${largest}`;
    questions.push(question(["amount", reference, amount.value.toString()], text, [line.line]));
  }
  for (const { currency, amount: value } of sums.totals()) {
    const largest = layout?.largest[currency]?.sum;
    if (largest === undefined || value.compare(largest.times(UNUSUAL_TIMES)) <= 0) continue;
    const text = `the sum of ${formatAmount({ currency, value })} is more than ten times the largest so far, ${largest}`;
    questions.push(question(["sum", currency, value.toString()], text, []));
  }
  return questions;
}

/** `parts`: what the question is about; equal ones make the same question in every file of the layout. */
function question(parts: readonly string[], text: string, lines: readonly number[]): Question {
  const digest = createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 12);
  return { id: `${(parts[0] ?? "").replace(" ", "-")}-${digest}`, text, lines: lines.slice(0, LINES_MAX) };
}

/** Texts outside the cells, and the name of a sheet that no program gave it, are notes. */
export function notesBeside({ outside, sheet }: Grid): Note[] {
  const named =
    sheet === undefined || DEFAULT_SHEET_NAME.test(sheet)
      ? []
      : [{ place: "the name of the sheet", text: sheet }];
  return [...named, ...outside];
}

/** As spreadsheet programs name a first sheet, and our template the one for payouts. */
const DEFAULT_SHEET_NAME =
  /^(?:(?:sheet|tabelle|feuil(?:le)?|hoja|foglio|planilha|folha|blad|arkusz)[ _]?\d*|payouts)$/i;
