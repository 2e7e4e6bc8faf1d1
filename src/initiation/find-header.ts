/** Finds the line of column names: by the names that are known, otherwise as the line above the first payment. */
import type { ColumnName } from "../model/columns.ts";
import { type Cell, type Line, textOf } from "../model/grid.ts";
import { isUuid } from "../model/index.ts";
import { recognizeAddress } from "./address.ts";
import type { ColumnWords } from "./column-words.ts";

const HEADER_LINE_MAX = 30;

export interface FoundHeader {
  readonly line: Line;
  /** Its position among the lines. */
  readonly index: number;
  /** Whether its names show that payouts stand below it: by themselves, or two of them above an address. */
  readonly isByName: boolean;
}

/** Undefined if no line is a header: a first line that holds an address is a payment. */
export function findHeader(lines: readonly Line[], words: ColumnWords): FoundHeader | undefined {
  const first = lines.slice(0, HEADER_LINE_MAX);
  const byName = first.findIndex((line) => isHeaderByName(line, words));
  const named = first[byName];
  if (named !== undefined) return { line: named, index: byName, isByName: true };
  const payment = lines.slice(0, 2 * HEADER_LINE_MAX).findIndex(({ cells }) => cells.some(isAddressCell));
  const [best] = first
    .slice(0, Math.max(payment, 0))
    .map((line, index) => ({ line, index, known: knownColumns(line, words).size, filled: filledCount(line) }))
    .filter(({ line, filled }) => filled >= 2 && line.cells.every(mayBeHeading))
    .toSorted((a, b) => b.known - a.known || b.filled - a.filled || b.index - a.index);
  return best && { line: best.line, index: best.index, isByName: best.known >= 2 };
}

const KNOWN_COLUMNS_OF_A_HEADER = 3;

/** Whether a line has the names of reference and amount, or three known ones. */
export function isHeaderByName(line: Line, words: ColumnWords): boolean {
  const known = knownColumns(line, words);
  return known.size >= KNOWN_COLUMNS_OF_A_HEADER || (known.has("reference") && known.has("amount"));
}

function knownColumns({ cells }: Line, words: ColumnWords): ReadonlySet<ColumnName> {
  const known = new Set<ColumnName>();
  for (const cell of cells) {
    const { column } = cell === "" ? { column: undefined } : words.meaningOf(textOf(cell));
    if (column !== undefined && column !== "ignore") known.add(column);
  }
  return known;
}

export function filledCount({ cells }: Line): number {
  let count = 0;
  for (const cell of cells) if (cell !== "") count += 1;
  return count;
}

/** A name of a column is a text, and neither a number nor a destination. */
function mayBeHeading(cell: Cell): boolean {
  if (typeof cell !== "string") return cell.kind === "text" || cell.kind === "formula";
  return !/^[\d.,'/ :-]*\d[\d.,'/ :-]*$/.test(cell) && !looksLikeAddress(cell) && !isUuid(cell.trim());
}

/** Whether a text is an address, or one with a mistake in it. */
export function looksLikeAddress(text: string): boolean {
  return text.length >= 26 && text.length <= 100 && (PREFIXED.test(text) || BASE58.test(text));
}

const PREFIXED = /^\s*(?:(?:bc|tb|bcrt|ltc|tltc)1[0-9a-z]{20,}|0x[0-9a-f]{20,44})\s*$/i;
/** Hexadecimal ids have letters of one case. */
const BASE58 = /^\s*(?=.*[a-z])(?=.*[A-Z])[123mnLM][0-9A-Za-z]{24,34}\s*$/;

/** Whether a cell is an address of any network. */
export function isAddressCell(cell: Cell): boolean {
  const text = textOf(cell);
  return looksLikeAddress(text) && !("malformed" in recognizeAddress(text.trim()));
}
