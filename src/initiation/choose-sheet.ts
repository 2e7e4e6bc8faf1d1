/** Chooses the one sheet of a workbook that is read: the only visible one with a table of payouts. */
import { type Problem, problem } from "../faults/index.ts";
import { SUMMARY_SHEET } from "../model/answer-columns.ts";
import type { ColumnMeanings } from "../model/columns.ts";
import type { Cell, SheetHead } from "../model/grid.ts";
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
  /** By the sheet's name, those of the accepted layout that its header has. */
  readonly accepted?: ReadonlyMap<string, ColumnMeanings>;
  /** Configured. */
  readonly sheet?: string;
}

/** Problems: SHEET_NOT_FOUND, SHEET_HIDDEN, SHEET_AMBIGUOUS, HEADER_NOT_FOUND. A CSV has one sheet, which is chosen. */
export function chooseSheet(heads: readonly SheetHead[], names: SheetNames): ChosenSheet | Problem {
  const holds = (head: SheetHead, what: "table" | "payouts") =>
    holdsTable(head, columnWords(names.columns, names.accepted?.get(head.name)), what);
  const readable = heads.filter(({ name }) => wordOf(name) !== wordOf(SUMMARY_SHEET));
  const wanted =
    names.sheet === undefined ? readable : readable.filter(({ name }) => isNamed(name, names.sheet ?? ""));
  if (wanted.length === 0)
    return problem("SHEET_NOT_FOUND", { sheet: names.sheet ?? "to read", sheets: listed(heads) });
  const hidden = wanted.find((head) => head.visibility !== "visible" && holds(head, "payouts"));
  if (hidden !== undefined) return problem("SHEET_HIDDEN", { sheet: hidden.name }, { sheet: hidden.name });
  const visible = wanted.filter(({ visibility }) => visibility === "visible");
  const withTable = visible.length === 1 ? visible : visible.filter((head) => holds(head, "table"));
  const withPayouts = withTable.filter((head) => holds(head, "payouts"));
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

/** Whether known names stand above payments; for `payouts` also an address below them, or accounts that may be paid. */
function holdsTable({ lines }: SheetHead, words: ColumnWords, what: "table" | "payouts"): boolean {
  const header = findHeader(lines, words);
  if (header?.isByName !== true) return false;
  const isAccounts = (cell: Cell) =>
    typeof cell === "string" && words.meaningOf(cell).column === "destinationAccountId";
  const below = lines.slice(header.index + 1);
  const hasAccounts = below.length > 0 && header.line.cells.some(isAccounts);
  return what === "table" || hasAccounts || below.some(({ cells }) => cells.some(isAddressCell));
}

function isNamed(name: string, wanted: string): boolean {
  return name.trim().toLowerCase() === wanted.trim().toLowerCase();
}

function listed(heads: readonly SheetHead[]): string {
  return heads.map(({ name }) => `"${name}"`).join(", ");
}
