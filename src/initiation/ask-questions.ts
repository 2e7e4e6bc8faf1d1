/**
 * What was not used, or is unusual, as questions that a person must answer before the file is paid. Columns that are not
 * read hold few values, rare ones, or texts of every kind.
 */
import { hash } from "node:crypto";
import { basename, extname } from "node:path";
import type { ColumnName } from "../model/columns.ts";
import { type Cell, type Grid, type Line, seenText, textOf } from "../model/grid.ts";
import {
  comparableDestination,
  comparedName,
  type Day,
  GENERAL_LEDGER_FIELDS,
  RunningTotals,
  senderTexts,
} from "../model/index.ts";
import { cellAt, widthOf } from "../model/lines.ts";
import {
  columnTitle,
  isAnsweredBy,
  type Note,
  type Question,
  type Section,
  type TotalLine,
  type UnreadColumn,
} from "../model/sheet-reading.ts";
import { shownText, shownWhole } from "../model/shown-text.ts";
import { wordOf } from "../model/words.ts";
import { Decimal, formatAmount } from "../money/index.ts";
import { type CheckedRow, currenciesOf } from "./check-row.ts";
import { isTime, titleWord, withoutTime } from "./compared-text.ts";
import { counts, type FoundColumns } from "./find-columns.ts";
import type { AcceptedLayout, InitiationPolicy } from "./policy.ts";
import { skeletonOf } from "./tell-lines.ts";
import { namedInTitle } from "./units.ts";

const LINES_MAX = 100;
const FEW_MAX = 10;
/** In so many rows a few values repeat by chance. */
const MANY_ROWS = 20;
/** So many of a text column are shown apart from their rows. */
const EXAMPLES = 3;
/** An amount, or a file's sum, that is more than so many times the largest so far waits. */
const UNUSUAL_AMOUNT_TIMES = Decimal.of("10");
const UNUSUAL_SUM_TIMES = Decimal.of("3");

/** A column with its values as written, by which rows are answered. */
export interface UnreadCells extends UnreadColumn {
  readonly texts: readonly string[];
  /** Why a value of a column that is read is asked about. */
  readonly why?: string;
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

/**
 * The columns of the ledger with values that the chart of accounts does not know, in payments for which it has no line: a
 * department may be called "on hold". The interface's own names leave no doubt about what stands below them.
 */
export function unknownToChart(
  { read }: FoundColumns,
  lines: readonly Line[],
  unknown: InitiationPolicy["unknownToChart"],
): UnreadCells[] {
  const columns = read.filter(({ name }) => isLedgerField(name));
  if (unknown === undefined || columns.every(({ name, heading }) => wordOf(heading) === wordOf(name)))
    return [];
  const known = new Map<string, ReadonlySet<ColumnName>>();
  const unknownIn = (line: Line): ReadonlySet<ColumnName> => {
    const fields = columns.flatMap(({ name, position }) => {
      const text = comparedValue(cellAt(line, position));
      return text === "" ? [] : [[name, text] as const];
    });
    const key = JSON.stringify(fields);
    const found = known.get(key) ?? new Set<ColumnName>(unknown(Object.fromEntries(fields)));
    known.set(key, found);
    return found;
  };
  const ofLines = lines.map(unknownIn);
  return columns.flatMap(({ name, position, heading }) => {
    if (wordOf(heading) === wordOf(name)) return [];
    const unmapped = lines.filter((_, index) => ofLines[index]?.has(name));
    const found = [...valuesIn(position, unmapped).values];
    const values = found.map(([text, { count, lines }]) => ({ value: shownWhole(text), count, lines }));
    const why = ", which the chart of accounts does not know";
    if (values.length === 0) return [];
    return [{ position, heading, kind: "few", values, texts: found.map(([text]) => text), why }];
  });
}

function isLedgerField(name: ColumnName): boolean {
  return (GENERAL_LEDGER_FIELDS as readonly ColumnName[]).includes(name);
}

/** The distinct values, of which no more are kept than a rare column can have. */
function valuesIn(position: number, lines: readonly Line[]) {
  const values = new Map<string, { count: number; readonly lines: number[] }>();
  const valuesMax = Math.max(FEW_MAX, Math.floor(lines.length / 5)) + 1;
  let filled = 0;
  for (const each of lines) {
    const text = comparedValue(cellAt(each, position));
    if (text === "") continue;
    filled += 1;
    const value = values.get(text) ?? { count: 0, lines: [] };
    if (value.count > 0 || values.size < valuesMax) values.set(text, value);
    else if (5 * filled >= lines.length) break;
    value.count += 1;
    if (value.lines.length < LINES_MAX) value.lines.push(each.line);
  }
  return { filled, values };
}

/** A value as it is compared. */
function comparedValue(cell: Cell): string {
  const text = seenText(cell).trim();
  return /[^ -~]/.test(text) ? text.normalize("NFC") : text;
}

function kindOf(filled: number, distinct: number, rows: number): UnreadColumn["kind"] {
  if (filled === 0) return "empty";
  if (5 * filled < rows) return "rare";
  const isRepeated = rows < MANY_ROWS ? distinct < filled : 2 * distinct <= filled;
  const isFew = distinct <= Math.max(FEW_MAX, rows / 10) && isRepeated;
  return isFew || (filled === 1 && rows > 1) ? "few" : "text";
}

export interface Asked {
  readonly columns: FoundColumns;
  readonly unread: readonly UnreadCells[];
  /** Columns of the ledger, with the values that the chart of accounts does not know. */
  readonly ledger: readonly UnreadCells[];
  readonly notes: readonly Note[];
  readonly sections: readonly Section[];
  readonly totals: readonly TotalLine[];
  readonly secondTotals: readonly TotalLine[];
  readonly rows: readonly CheckedRow[];
  readonly grid: Pick<Grid, "csv" | "lines">;
  /** As its sender named it. */
  readonly fileName?: string;
  /** An earlier payment day is long past. */
  readonly pastBefore: Day;
  /** The median of the last fee rates that people set, in sat/vB. */
  readonly usualFeeRate?: number;
  /** Hidden sheets with tables of payouts. */
  readonly hiddenPayouts: readonly string[];
}

const PAST_DAYS = 5;

/** The day before which a payment day is long past. */
export function pastBefore(today: Day): Day {
  const day = new Date(today);
  day.setUTCDate(day.getUTCDate() - PAST_DAYS);
  return day.toISOString().slice(0, 10) as Day;
}

/** The questions that the layout does not answer. */
export function askQuestions(asked: Asked, layout: AcceptedLayout | undefined): Question[] {
  const { unread, ledger, notes, sections, totals, secondTotals, rows } = asked;
  const isAnswered = (id: string) => layout?.accepted.has(id) === true || layout?.notPaid.has(id) === true;
  const found = byContent(asked);
  const ofColumns = joined(
    [...found, ...unread.flatMap((column) => ofTexts(column, rows))].filter(({ id }) => !isAnswered(id)),
  );
  const questions = [
    ...(found.length > 0 ? ofColumns : []),
    ...unread.flatMap((column) => ofValues(column, rows)),
    ...(found.length > 0 ? [] : ofColumns),
    ...ledger.flatMap((column) => ofValues(column, rows)),
    ...notes.map((note) => ofNote(note, asked)),
    ...sections.map(({ line, heading }) =>
      question(["section", withoutTime(heading)], `a section is headed "${heading}"`, [line]),
    ),
    ...totals.flatMap(ofTotal),
    ...secondTotals.map(({ line, text, amount }) => {
      const repeats = `${text === "" ? `line ${line}` : `"${text}"`} repeats the sum ${amount} of the same lines`;
      return question(["second total", wordOf(text)], repeats, [line]);
    }),
    ...ofFileName(asked),
    ...asked.hiddenPayouts.map((sheet) => {
      const text = `the hidden sheet "${shownText(sheet)}" holds a table of payouts, which is not read and not paid`;
      return question(["hidden sheet", titleWord(sheet)], text, []);
    }),
    ...ofUnits(asked),
    ...ofAddresses(asked),
    ...ofPastDays(asked),
    ...ofFeeRates(asked),
    ...ofAmounts(rows, layout),
    ...ofCsv(asked),
  ];
  return [...new Map(questions.map((each) => [each.id, each])).values()].filter(
    (each) => !isAnsweredBy(each, isAnswered),
  );
}

/** One question about all columns, so that one yes accepts a layout. */
function joined(parts: readonly Question[]): Question[] {
  const [only, another] = parts;
  if (only === undefined || another === undefined) return [...parts];
  const ids = parts.map(({ id }) => id);
  return [
    { id: idOf(["columns", ...ids]), text: parts.map(({ text }) => text).join("; "), lines: [], parts: ids },
  ];
}

/** What a column that was found by its cells is taken for: what is paid, where to, in what, and from which account. */
const TAKEN_FOR: Partial<Record<ColumnName, string>> = {
  amount: "the amount that is paid",
  destinationAddress: "the address that is paid",
  currency: "the currency",
  accountId: "the account paid from",
  reference: "the reference",
};

/** Columns that were found by their cells. One without a heading is asked about in every file. */
function byContent({ columns, rows }: Asked): Question[] {
  const found = columns.read.filter(({ name, foundBy }) => foundBy === "content" && name in TAKEN_FOR);
  return found
    .toSorted((a, b) => Number(a.name === "reference") - Number(b.name === "reference"))
    .map((column) => {
      const { name, heading, position, evidence = "" } = column;
      const texts = rows.map(({ line }) => textOf(cellAt(line, position)).trim());
      const values = examplesOf(texts.filter((text) => text !== "")).map(shownText);
      const taken = `\`${columnTitle(column)}\` was read as ${TAKEN_FOR[name] ?? name}: ${values.join(", ")} (${evidence})`;
      const unnamed = heading === "" ? referencesOf(rows) : [];
      const text = name === "reference" ? taken : `${taken}; its name does not say so`;
      return question([name === "reference" ? name : `as ${name}`, wordOf(heading), ...unnamed], text, []);
    });
}

/** The first distinct ones. */
function examplesOf(texts: readonly string[]): readonly string[] {
  const examples = new Set<string>();
  for (const text of texts) if (examples.size < EXAMPLES) examples.add(text);
  return [...examples];
}

/** By which a question is asked again in every file. */
function referencesOf(rows: readonly CheckedRow[]): readonly string[] {
  return rows.map(({ reference }) => reference ?? "");
}

/** What stands above the columns, and the name of the sheet, are compared without numbers; other notes without days. */
function ofNote({ line, place, text }: Note, { rows }: Asked): Question {
  const isTitle = place.startsWith("above the columns") || line === undefined;
  const compared = isTitle ? titleWord(text) : withoutTime(text);
  const named = otherNamed(text, rows);
  const parts = ["note", compared, ...(named === undefined ? [] : [named])];
  const lines = line === undefined ? [] : [line];
  return question(parts, `${place}: "${text}"${named === undefined ? "" : `; ${named}`}`, lines);
}

/** "it names EUR, and BTC is paid" for a title, or the name of a sheet or file, that names something else than is paid. */
function otherNamed(text: string, rows: readonly CheckedRow[]): string | undefined {
  const { currencies, hasOtherUnit } = namedInTitle(text);
  const paid = currenciesOf(rows);
  const others = [...currencies].filter((currency) => !paid.has(currency));
  if (paid.size === 0 || (others.length === 0 && !hasOtherUnit)) return undefined;
  const what = others.length > 0 ? others.join(" and ") : "another unit than whole coins";
  return `it names ${what}, and the amounts are paid in ${[...paid].join(" and ")}`;
}

function ofFileName({ fileName, rows }: Asked): Question[] {
  const name = fileName === undefined ? "" : basename(fileName, extname(fileName));
  const named = otherNamed(name, rows);
  if (named === undefined) return [];
  return [
    question(["file name", titleWord(name), named], `the file is called "${shownText(name)}": ${named}`, []),
  ];
}

/**
 * Whether the numbers may be meant in another unit, each time: none has decimals and nothing names the coin, or each of
 * those with a mark has three digits behind it, so that the mark may separate thousands.
 */
function ofUnits({ rows, columns, grid }: Asked): Question[] {
  const paid = rows.filter(({ hasDraft }) => hasDraft);
  const at = columns.positions.get("amount") ?? -1;
  const texts = paid.map(({ line }) => textOf(cellAt(line, at)).trim());
  const title = `\`${columnTitle({ heading: columns.header[at] ?? "", position: at })}\``;
  const examples = examplesOf(texts).join(", ");
  const ask = (about: string, text: string) => [question([about, ...referencesOf(paid)], text, [])];
  const isWhole = paid.every(({ amount }) => amount?.value.normalized().scale === 0);
  const coin = paid[0]?.currency ?? "";
  if (paid.length === 0) return [];
  if (isWhole && paid.some(({ assumesCurrency }) => assumesCurrency))
    return ask(
      "whole amounts",
      `the amounts in ${title} have no decimals (${examples}), and nothing says that they are ${coin}: each is paid as whole coins`,
    );
  if (isWhole && grid.csv !== undefined && isCutAt(paid, at))
    return ask(
      "cut amounts",
      `the amounts in ${title} have no decimals (${examples}), and the next column has nothing but digits: a decimal comma may have divided them`,
    );
  const hasThousands = texts.some((text) => THOUSANDS.test(text));
  if (!hasThousands || !texts.every((text) => THOUSANDS.test(text) || /^\d{1,3}$/.test(text))) return [];
  return ask(
    "thousands",
    `every amount in ${title} has exactly three digits behind its mark (${examples}): they are paid as decimals, and may be meant as thousands`,
  );
}

/** A mark that may separate thousands. */
const THOUSANDS = /^[1-9]\d{0,2}[.,]\d{3}$/;

/** Whether digits stand beside the amounts in every row, as the second half of "1,25" does. */
function isCutAt(rows: readonly CheckedRow[], at: number): boolean {
  return rows.every(({ line }) => /^\d{1,8}$/.test(textOf(cellAt(line, at + 1)).trim()));
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
      const text = comparedValue(cellAt(row.line, column.position));
      const isNotPaid = text !== "" && layout.notPaid.has(valueId(column, text, row.reference));
      if (isNotPaid) out.set(row, `column "${columnTitle(column)}" says "${text}"`);
    }
  return out;
}

/** A column of texts, or of numbers. */
function ofTexts(column: UnreadCells, rows: readonly CheckedRow[]): Question[] {
  const { kind, heading, values } = column;
  if (kind !== "text" || isCounter(column, rows)) return [];
  const examples = values.map(({ value }) => `"${value}"`).join(", ");
  const text = `column "${columnTitle(column)}" was not read: ${examples} and others`;
  const named = otherNamed(heading, rows);
  return [question(["column", wordOf(heading)], named === undefined ? text : `${text}; ${named}`, [])];
}

function isCounter({ heading, position }: UnreadCells, rows: readonly CheckedRow[]): boolean {
  return !/\p{L}/u.test(heading) && counts(rows.map(({ line }) => textOf(cellAt(line, position))));
}

/** Columns of few values, or of rare ones: each value is asked about. */
function ofValues(column: UnreadCells, rows: readonly CheckedRow[]): Question[] {
  const { kind, values, texts, position } = column;
  if (kind === "empty" || kind === "text" || isCounter(column, rows)) return [];
  const title = columnTitle(column);
  const asked = (id: string, value: string, where: string, lines: readonly number[]) => ({
    id,
    text: `column "${title}" says "${value}"${where}${column.why ?? ""}`,
    value: `${title}=${value}`,
    lines,
  });
  if (kind === "few")
    return values.map(({ value, count, lines }, index) => {
      const where = count === 1 ? " in 1 row" : ` in ${count} rows`;
      return asked(valueId(column, texts[index] ?? "", undefined), value, where, lines);
    });
  return rows.flatMap(({ line, reference }) => {
    const text = comparedValue(cellAt(line, position));
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
  const short = rows.filter(({ line }) => widthOf(line) < header.length);
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

/** A total that may be a payment whose destination was forgotten. */
function ofTotal({ line, own, amount, firstLine, lastLine }: TotalLine): Question[] {
  if (own === undefined) return [];
  const text = `line ${line} was read as the total ${amount} of lines ${firstLine} to ${lastLine} and is not paid, but it has a name of its own: "${shownText(own)}"`;
  return [question(["total", wordOf(own), amount], text, [line])];
}

/**
 * One address in several rows, more than a tenth of them, where no column names payees: it may have been filled down. A
 * column names payees only where most of its names keep one address; where one does, screening compares them. A file that
 * pays one address alone, and says nothing else of its rows, is not asked about.
 */
function ofAddresses({ rows, unread }: Asked): Question[] {
  const paid = rows.filter(({ hasDraft }) => hasDraft);
  const counts = new Map<string, number>();
  for (const row of paid) counts.set(destinationOfRow(row), (counts.get(destinationOfRow(row)) ?? 0) + 1);
  const isOften = (row: CheckedRow) => {
    const count = counts.get(destinationOfRow(row)) ?? 0;
    return count >= SEVERAL && 10 * count > paid.length;
  };
  const often = [...Map.groupBy(paid.filter(isOften), destinationOfRow).values()];
  const differ = (group: readonly CheckedRow[]) =>
    group.length < paid.length ||
    unread.some(
      ({ position }) => new Set(group.map(({ line }) => comparedValue(cellAt(line, position)))).size > 1,
    );
  if (often.length === 0 || namePayees(paid)) return [];
  return often.filter(differ).map((group) => {
    const address = shownDestination(group[0]);
    const text = `one address, ${shownText(address)}, is paid in ${group.length} of ${paid.length} rows, and no column names payees`;
    return question(
      ["one address", address],
      text,
      group.map(({ line }) => line.line),
    );
  });
}

const SEVERAL = 3;

/** As written. */
function shownDestination(row: CheckedRow | undefined): string {
  return row?.field("destinationAddress") ?? row?.field("destinationAccountId") ?? "";
}

function destinationOfRow(row: CheckedRow): string {
  return comparableDestination(shownDestination(row));
}

function namePayees(rows: readonly CheckedRow[]): boolean {
  /** By name the one destination; undefined if it has several. */
  const destinations = new Map<string, string | undefined>();
  for (const row of rows) {
    const name = comparedName(row.field("customerId") ?? "") ?? "";
    const destination = destinationOfRow(row);
    const isOther = destinations.has(name) && destinations.get(name) !== destination;
    if (name !== "") destinations.set(name, isOther ? undefined : destination);
  }
  const keeping = [...destinations.values()].filter((destination) => destination !== undefined).length;
  return 2 * keeping > destinations.size;
}

/** Once a file: payments whose day was long ago may have been made. A due date is often past, and says nothing. */
function ofPastDays({ rows, columns, pastBefore }: Asked): Question[] {
  const past = rows.filter((row) => {
    const day = row.field("payOn");
    return day !== undefined && day < pastBefore;
  });
  const [first] = past;
  const heading = columns.read.find(({ name }) => name === "payOn")?.heading ?? "";
  if (first === undefined || DUE.test(heading)) return [];
  const days = [...new Set(past.flatMap((row) => row.field("payOn") ?? []))].toSorted();
  const [count, it] = past.length === 1 ? ["1 row", "it"] : [`${past.length} rows`, "they"];
  const text = `\`${shownText(heading)}\` is more than ${PAST_DAYS} days past in ${count} (${days.slice(0, EXAMPLES).join(", ")}): ${it} may have been paid already`;
  return [
    question(
      ["past days", ...referencesOf(past)],
      text,
      past.map(({ line }) => line.line),
    ),
  ];
}

const DUE = /due|fällig|échéance|vencim|scadenza|verval|termin płatności|vade|срок/i;

/** A fee rate of a person's own that is far above those of late, each time. */
function ofFeeRates({ rows, usualFeeRate }: Asked): Question[] {
  if (usualFeeRate === undefined) return [];
  const rateOf = (row: CheckedRow) => row.field("customFeeRateSatPerVbyte") ?? 0;
  const high = rows.filter((row) => rateOf(row) > FEE_RATE_TIMES * usualFeeRate);
  if (high.length === 0) return [];
  const highest = high.reduce((most, row) => Math.max(most, rateOf(row)), 0);
  const count = high.length === 1 ? "1 row" : `${high.length} rows`;
  const text = `the fee rate of ${count} is up to ${highest} sat/vB, more than five times the usual ${usualFeeRate} of the last payments`;
  return [
    question(
      ["fee rate", ...referencesOf(high)],
      text,
      high.map(({ line }) => line.line),
    ),
  ];
}

const FEE_RATE_TIMES = 5;

function ofAmounts(rows: readonly CheckedRow[], layout: AcceptedLayout | undefined): Question[] {
  const sums = new RunningTotals();
  let sinceSum = new RunningTotals();
  const questions: Question[] = [];
  const isUnusual = (value: Decimal, largest: Decimal | undefined, times: Decimal) =>
    largest !== undefined && value.compare(largest.times(times)) > 0;
  let before = "";
  for (const { line, amount, reference } of rows) {
    if (amount === undefined || reference === undefined) continue;
    const ask = (about: string, text: string) =>
      questions.push(question([about, reference, `${amount.value}`], text, [line.line]));
    const shown = () => formatAmount(amount);
    // Of two payments a third may be the sum by chance, unless it is called otherwise than they are.
    const isOdd = !/\d/.test(reference) || (before !== "" && skeletonOf(reference) !== before);
    const isSumOf = (scope: RunningTotals) => {
      const above = scope.of(amount.currency);
      return above !== undefined && above.count > (isOdd ? 1 : 2) && above.amount.equals(amount.value);
    };
    before = skeletonOf(reference);
    if (isSumOf(sums) || isSumOf(sinceSum)) {
      ask("sum above", `"${shownText(reference)}" pays ${shown()}, the sum of the payments above it`);
      sinceSum = new RunningTotals();
    } else sinceSum.add(amount);
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

/** As spreadsheet programs name a first sheet, and what says only that payments stand in it. */
const DEFAULT_SHEET_NAME =
  /^(?:(?:sheet|tabelle|feuil(?:le)?|hoja|foglio|planilha|folha|blad|arkusz|sayfa|лист)[ _]?\d*|payouts?|payments?|zahlungen|paiements|pagos|pagamenti|pagamentos|betalingen|płatności|ödemeler|платежи|выплаты)$/i;
