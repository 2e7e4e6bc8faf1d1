/** Chooses the one sheet of a workbook that is read: the only visible one with a table of payouts. */
import { type Problem, problem } from "../faults/index.ts";
import { SUMMARY_SHEET } from "../model/answer-columns.ts";
import type { ColumnMeanings } from "../model/columns.ts";
import type { SheetHead } from "../model/grid.ts";
import { wordOf } from "../model/words.ts";
import { type ColumnWords, columnWords } from "./column-words.ts";
import { findHeader, isAddressCell } from "./find-header.ts";

export interface ChosenSheet {
  readonly sheet: string;
  /** The other visible sheets; they are listed for the approver. */
  readonly otherSheets: readonly string[];
}

interface SheetNames {
  readonly columns: ColumnMeanings;
  /** Of an accepted layout. */
  readonly accepted?: ColumnMeanings;
  /** Configured. */
  readonly sheet?: string;
}

/** Problems: SHEET_NOT_FOUND, SHEET_HIDDEN, SHEET_AMBIGUOUS, HEADER_NOT_FOUND. A CSV has one sheet, which is chosen. */
export function chooseSheet(heads: readonly SheetHead[], names: SheetNames): ChosenSheet | Problem {
  const words = columnWords(names.columns, names.accepted);
  const readable = heads.filter(({ name }) => wordOf(name) !== wordOf(SUMMARY_SHEET));
  const wanted =
    names.sheet === undefined ? readable : readable.filter(({ name }) => isNamed(name, names.sheet ?? ""));
  if (wanted.length === 0)
    return problem("SHEET_NOT_FOUND", { sheet: names.sheet ?? "to read", sheets: listed(heads) });
  const hidden = wanted.find((head) => head.visibility !== "visible" && holdsPayouts(head, words));
  if (hidden !== undefined) return problem("SHEET_HIDDEN", { sheet: hidden.name }, { sheet: hidden.name });
  const visible = wanted.filter(({ visibility }) => visibility === "visible");
  const withTable = visible.length === 1 ? visible : visible.filter((head) => holdsTable(head, words));
  const withPayouts = withTable.filter((head) => holdsPayouts(head, words));
  const [only, another] = withPayouts.length > 0 ? withPayouts : withTable;
  if (only === undefined) return problem("HEADER_NOT_FOUND", { sheets: ` of ${listed(visible)}` });
  if (another !== undefined)
    return problem("SHEET_AMBIGUOUS", { sheets: listed(withTable), sheet: only.name });
  const others = readable.filter((head) => head !== only && head.visibility === "visible");
  return { sheet: only.name, otherSheets: others.map(({ name }) => name) };
}

/** How many cells of a line name columns that are known, for guessing the delimiter of a CSV. */
export function countKnownNames(cells: readonly string[], columns: ColumnMeanings): number {
  const { meaningOf } = columnWords(columns);
  return cells.filter((cell) => meaningOf(cell).column !== undefined).length;
}

function holdsTable({ lines }: SheetHead, words: ColumnWords): boolean {
  return findHeader(lines, words)?.isByName === true;
}

/** Whether an address stands below the names, or a custody account that may be paid. */
function holdsPayouts({ lines }: SheetHead, words: ColumnWords): boolean {
  const header = findHeader(lines, words);
  if (header?.isByName !== true) return false;
  const below = lines.slice(header.index + 1);
  const hasAccounts = header.line.cells.some(
    (cell) => typeof cell === "string" && words.meaningOf(cell).column === "destinationAccountId",
  );
  return below.some(({ cells }) => hasAccounts || cells.some(isAddressCell));
}

function isNamed(name: string, wanted: string): boolean {
  return name.trim().toLowerCase() === wanted.trim().toLowerCase();
}

function listed(heads: readonly SheetHead[]): string {
  return heads.map(({ name }) => `"${name}"`).join(", ");
}
