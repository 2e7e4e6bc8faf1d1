/** The columns that are not read: their values, and which of these leave a row out. */
import type { ColumnName } from "../../../model/columns.ts";
import { type Cell, type Line, seenText, textOf } from "../../../model/grid.ts";
import { GENERAL_LEDGER_FIELDS } from "../../../model/index.ts";
import { cellAt } from "../../../model/lines.ts";
import { columnTitle, type UnreadColumn } from "../../../model/sheet-reading.ts";
import { shownWhole } from "../../../model/shown-text.ts";
import { wordOf } from "../../../model/words.ts";
import type { CheckedRow } from "../check-row.ts";
import { isDatedTime } from "../compared-text.ts";
import { counts, type FoundColumns } from "../find-columns.ts";
import type { AcceptedLayout, InitiationPolicy } from "../policy.ts";
import { EXAMPLES, idOf, type UnreadCells } from "./question.ts";

const LINES_MAX = 100;
const FEW_MAX = 10;
/** With this many rows, a few values repeat by chance. */
const MANY_ROWS = 20;

/** Another sign over 0 and 1, such as ✓, may mark a row. */
const COUNTING = /^[#№.\s]*$/u;

/** `lines`: the lines of payments. */
export function readUnread({ unread, header }: FoundColumns, lines: readonly Line[]): UnreadCells[] {
  return unread.map((position) => {
    const { filled, values: found } = valuesIn(position, lines);
    const heading = header[position] ?? "";
    const isCounter = COUNTING.test(heading) && counts(lines.map((line) => textOf(cellAt(line, position))));
    const isWhen = filled === lines.length && [...found.keys()].every(isDatedTime);
    const kind = isCounter ? "counter" : kindOf(filled, found.size, lines.length, isWhen);
    const listed = [...found].slice(0, kind === "few" || kind === "rare" ? undefined : EXAMPLES);
    const values = listed.map(([text, { count, lines }]) => ({ value: shownWhole(text), count, lines }));
    return { position, heading, kind, values, texts: listed.map(([text]) => text) };
  });
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

/** `isWhen`: each row has a day or a month, which next month are others. */
function kindOf(filled: number, distinct: number, rows: number, isWhen: boolean): UnreadColumn["kind"] {
  if (filled === 0) return "empty";
  if (5 * filled < rows) return "rare";
  if (isWhen) return "text";
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
      const text = comparedValue(cellAt(row.line, column.position));
      const isNotPaid = text !== "" && layout.notPaid.has(valueId(column, text, row.reference));
      if (isNotPaid) out.set(row, `column "${columnTitle(column)}" says "${text}"`);
    }
  return out;
}

/** For a rarely filled column the id contains the reference, so that each cell is asked about. */
export function valueId({ kind, heading }: UnreadCells, text: string, reference: string | undefined): string {
  return idOf(["value", wordOf(heading), text, ...(kind === "rare" ? [reference ?? ""] : [])]);
}
