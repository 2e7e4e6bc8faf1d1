/** Checks of rows that all kinds of tables share. */
import { type Problem, problem, type Where } from "../faults/index.ts";
import { isAnswerColumn } from "../model/answer-columns.ts";
import { columnLetters } from "../model/cell-reference.ts";
import { cellHoldsKey, holdsPrivateKey } from "../model/private-key.ts";
import { type Cell, EMPTY_CELL } from "../model/row.ts";
import { shownText } from "../model/shown-text.ts";
import type { FileLimits } from "./file-limits.ts";

/** Rows per window of a table. */
export const WINDOW_ROWS = 100;

/** Whether a row is blank, or has only formulas that show nothing, which people fill down. */
export function isBlank(cells: readonly Cell[]): boolean {
  return cells.every((cell) => cell.kind === "empty" || showsNothing(cell));
}

/** Empties the columns that an earlier answer of ours added: they describe the payouts and are not part of them. */
export function withoutAnswers(header: readonly string[]): (cells: readonly Cell[]) => readonly Cell[] {
  const isOurs = header.map(isAnswerColumn);
  if (!isOurs.includes(true)) return (cells) => cells;
  // A private key is kept, to be refused when the row is checked.
  return (cells) =>
    cells.map((cell, index) => (isOurs[index] === true && !cellHoldsKey(cell) ? EMPTY_CELL : cell));
}

/** Pads or cuts the cells to the width of the header. */
export function fitted(cells: readonly Cell[], width: number): readonly Cell[] {
  if (cells.length === width) return cells;
  return Array.from({ length: width }, (_, index) => cells[index] ?? EMPTY_CELL);
}

/** Problems for values that would be ignored because their column has no name, and for texts too long for any field. */
export function cellProblems(
  cells: readonly Cell[],
  header: readonly string[],
  where: Where,
  limits: FileLimits,
): readonly Problem[] {
  let problems = NO_PROBLEMS;
  // Runs for millions of cells of which hardly any is wrong: allocates nothing until one is.
  for (let index = 0; index < cells.length; index += 1) {
    const found = cellProblem(cells[index] ?? EMPTY_CELL, index, header[index] ?? "", where, limits);
    if (found !== undefined) problems = [...problems, found];
  }
  return problems;
}

const NO_PROBLEMS: readonly Problem[] = [];

function cellProblem(
  cell: Cell,
  index: number,
  name: string,
  where: Where,
  limits: FileLimits,
): Problem | undefined {
  if (cell.kind === "empty") return undefined;
  const isTooLong = cell.text.length > limits.cellCharactersMax;
  if (name !== "" && !isTooLong) return undefined;
  if (cellHoldsKey(cell))
    return problem("VALUE_IS_SECRET", { field: `column ${columnLetters(index)}` }, placeOf(where, "", index));
  if (isTooLong) {
    const params = {
      field: name || `column ${columnLetters(index)}`,
      found: cell.text.length,
      limit: limits.cellCharactersMax,
    };
    return problem("VALUE_TOO_LONG", params, placeOf(where, name, index));
  }
  if (showsNothing(cell) || (index === 0 && isRowNumber(cell))) return undefined;
  return problem("CELL_WITHOUT_COLUMN", { text: shownText(cell.text) }, placeOf(where, name, index));
}

/** Searches a malformed row for a private key: nothing else reads it, but it is archived and returned. */
export function secretOfBrokenRow(cells: readonly Cell[], where: Where): readonly Problem[] {
  // A seed phrase may have been split into cells.
  const whole = cells.map(({ text }) => text).join(" ");
  return cells.some(cellHoldsKey) || holdsPrivateKey(whole)
    ? [problem("VALUE_IS_SECRET", { field: "the row" }, where)]
    : [];
}

function showsNothing(cell: Cell): boolean {
  return cell.kind === "formula" && cell.value.kind === "text" && cell.value.text.trim() === "";
}

/** pandas and R write the rows' numbers in a first column without a name; after a filter some are missing. */
function isRowNumber({ kind, text }: Cell): boolean {
  return (kind === "text" || kind === "number") && /^\d{1,7}$/.test(text);
}

/** The place of a cell: an A1 reference in a sheet; in a CSV the column's name, or its letters if it has none. */
function placeOf(where: Where, name: string, index: number): Where {
  const letters = columnLetters(index);
  const column = { ...where, column: name === "" ? letters : name };
  return where.sheet === undefined || where.line === undefined
    ? column
    : { ...column, cell: `${letters}${where.line}` };
}
