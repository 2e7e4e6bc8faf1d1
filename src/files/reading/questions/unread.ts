/** The columns that are not read: their values, and which of these leave a row out. */
import type { ColumnName } from "../../../model/columns.ts";
import { type Cell, type Line, seenText, textOf } from "../../../model/grid.ts";
import { GENERAL_LEDGER_FIELDS } from "../../../model/index.ts";
import { cellAt } from "../../../model/lines.ts";
import { present } from "../../../model/present.ts";
import { columnTitle, type UnreadColumn } from "../../../model/sheet-reading.ts";
import { shownWhole } from "../../../model/shown-text.ts";
import { wordOf } from "../../../model/words.ts";
import { Decimal } from "../../../money/index.ts";
import type { CheckedRow } from "../check-row.ts";
import { isDatedTime } from "../compared-text.ts";
import { counts, type FoundColumns, isOfRates } from "../find-columns.ts";
import type { AcceptedLayout, InitiationPolicy } from "../policy.ts";
import { EXAMPLES, idOf, type UnreadCells } from "./question.ts";

const LINES_MAX = 100;
const FEW_MAX = 10;
/** With this many rows, a few values repeat by chance. */
const MANY_ROWS = 20;

/** Another sign over 0 and 1, such as ✓, may mark a row. */
const COUNTING = /^[#№.\s]*$/u;

/** `lines`: the lines of payments. */
export function readUnread(
  { unread, header, positions, namesakes }: FoundColumns,
  lines: readonly Line[],
): UnreadCells[] {
  return unread.map((position) => {
    const { filled, values: found } = valuesIn(position, lines);
    const heading = header[position] ?? "";
    const isCounter = COUNTING.test(heading) && counts(lines.map((line) => textOf(cellAt(line, position))));
    const isWhen = filled === lines.length && [...found.keys()].every(isDatedTime);
    const same = sameAs(position, positions, lines);
    const isAnyText = isWhen || same?.others.length === 0 || (filled === lines.length && isOfRates(heading));
    const kind = isCounter ? "counter" : kindOf(filled, found.size, lines.length, isAnyText);
    const listed = [...found].slice(0, kind === "few" || kind === "rare" ? undefined : EXAMPLES);
    const values = listed.map(([text, { count, lines }]) => ({ value: shownWhole(text), count, lines }));
    const isNeeded = 2 * filled > lines.length || (filled === 0 && namesakes.has(position));
    const isMissed = filled < lines.length && isNeeded;
    const empty = isMissed ? emptyIn(position, lines) : [];
    const texts = listed.map(([text]) => text);
    const hasMore = listed.length < found.size;
    return { position, heading, kind, values, texts, hasMore, empty, ...present({ same }) };
  });
}

/** The amount or the destination, if the column repeats it in most rows: an approved amount, a wallet on file. */
function sameAs(
  position: number,
  positions: FoundColumns["positions"],
  lines: readonly Line[],
): UnreadCells["same"] {
  const othersMax = Math.min(LINES_MAX, Math.ceil(lines.length / 2) - 1);
  for (const name of ["amount", "destinationAddress"] as const) {
    const read = positions.get(name);
    if (read === undefined) continue;
    const others: number[] = [];
    for (const each of lines) {
      if (others.length > othersMax) break;
      const [text, paid] = [comparedValue(cellAt(each, position)), comparedValue(cellAt(each, read))];
      if (text !== paid && figureOf(text) !== figureOf(paid)) others.push(each.line);
    }
    if (others.length <= othersMax) return { name, others };
  }
  return undefined;
}

/** Equal for "0.50" and "0.5". */
function figureOf(text: string): string {
  return FIGURE.test(text) ? `${Decimal.of(text.replace(",", ".")).normalized()}` : text;
}

const FIGURE = /^\d{1,18}(?:[.,]\d{1,18})?$/;

function emptyIn(position: number, lines: readonly Line[]): readonly number[] {
  return lines.flatMap((each) => (comparedValue(cellAt(each, position)) === "" ? [each.line] : []));
}

/**
 * The ledger columns with values that the chart of accounts does not know, in payments for which it has no line:
 * such a value may be a mark like "on hold". Headings that are the interface's own names need no question.
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

/** The distinct values. Keeps no more than a rare column can have. */
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

/** A value in the form in which it is compared. */
export function comparedValue(cell: Cell): string {
  const text = seenText(cell).trim();
  return /[^ -~]/.test(text) ? text.normalize("NFC") : text;
}

/** `isAnyText`: each row has a day, a month or a figure, which next month are others. */
function kindOf(filled: number, distinct: number, rows: number, isAnyText: boolean): UnreadColumn["kind"] {
  if (filled === 0) return "empty";
  if (5 * filled < rows) return "rare";
  if (isAnyText) return "text";
  const isRepeated = rows < MANY_ROWS ? distinct < filled : 2 * distinct <= filled;
  const isFew = distinct <= Math.max(FEW_MAX, rows / 10) && isRepeated;
  return isFew || (filled === 1 && rows > 1) ? "few" : "text";
}

/** Why rows are left out: a person answered "do not pay" to one of their values. */
export function leftOutRows(
  rows: readonly CheckedRow[],
  unread: readonly UnreadCells[],
  layout: AcceptedLayout | undefined,
): ReadonlyMap<CheckedRow, string> {
  const out = new Map<CheckedRow, string>();
  if (layout === undefined || layout.notPaid.size === 0) return out;
  for (const row of rows)
    for (const column of unread) {
      const text = comparedValue(cellAt(row.sent, column.position));
      const isNotPaid = text !== "" && layout.notPaid.has(valueId(column, text, row.reference));
      if (isNotPaid) out.set(row, `column "${columnTitle(column)}" says "${text}"`);
    }
  return out;
}

/** For a rarely filled column the id contains the reference, so that each cell is asked about. */
export function valueId({ kind, heading }: UnreadCells, text: string, reference: string | undefined): string {
  return idOf(["value", wordOf(heading), text, ...(kind === "rare" ? [reference ?? ""] : [])]);
}
