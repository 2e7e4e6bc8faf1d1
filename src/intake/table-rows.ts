/** The checks that every table makes of its rows, whatever file they come from. */
import { fault, type Problem, problem, type Where } from "../faults/index.ts";
import { isAnswerColumn } from "../model/answer-columns.ts";
import { holdsPrivateKey } from "../model/private-key.ts";
import { type Cell, columnLetters, EMPTY_CELL, resultOf } from "../model/row.ts";
import type { FileLimits } from "./file-limits.ts";

/** As many as a table hands on at a time. */
export const WINDOW_ROWS = 100;

/** Also a row whose formulas all show nothing is blank: people fill them down below their last payout. */
export function isBlank(cells: readonly Cell[]): boolean {
  return cells.every((cell) => cell.kind === "empty" || showsNothing(cell));
}

/** Empties the columns of an earlier answer of ours: what stands there is about the payouts, and none of them. */
export function withoutAnswers(header: readonly string[]): (cells: readonly Cell[]) => readonly Cell[] {
  const isOurs = header.map(isAnswerColumn);
  if (!isOurs.includes(true)) return (cells) => cells;
  // A private key is nobody's answer: it stays, to be refused in the checks of the row.
  return (cells) =>
    cells.map((cell, index) => (isOurs[index] === true && !holdsSecret(cell) ? EMPTY_CELL : cell));
}

/** As many cells as the header has names. */
export function fitted(cells: readonly Cell[], width: number): readonly Cell[] {
  if (cells.length === width) return cells;
  return Array.from({ length: width }, (_, index) => cells[index] ?? EMPTY_CELL);
}

/** Values that would be ignored because their column has no name, and texts that are too long for any field. */
export function cellProblems(
  cells: readonly Cell[],
  header: readonly string[],
  where: Where,
  limits: FileLimits,
): readonly Problem[] {
  let problems = NO_PROBLEMS;
  // Runs for each cell of millions, of which hardly any is wrong: nothing is made before something is.
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
  if (holdsSecret(cell))
    return problem("VALUE_IS_SECRET", { field: `column ${columnLetters(index)}` }, placeOf(where, "", index));
  if (isTooLong) {
    const params = {
      field: name || `column ${columnLetters(index)}`,
      found: cell.text.length,
      limit: limits.cellCharactersMax,
    };
    return problem("VALUE_TOO_LONG", params, placeOf(where, name, index));
  }
  if (showsNothing(cell)) return undefined;
  return problem("CELL_WITHOUT_COLUMN", { text: excerpt(cell.text) }, placeOf(where, name, index));
}

/** A row whose format is broken is read by nobody else, but kept and handed back. */
export function secretOfBrokenRow(cells: readonly Cell[], where: Where): readonly Problem[] {
  // The words of a seed phrase may have become cells.
  const whole = cells.map(({ text }) => text).join(" ");
  return cells.some(holdsSecret) || holdsPrivateKey(whole)
    ? [problem("VALUE_IS_SECRET", { field: "the row" }, where)]
    : [];
}

export function tooManyRows(where: Where, limits: FileLimits): Error {
  const limit = limits.rowsMax;
  return fault("FILE_TOO_LARGE", { found: `more than ${limit}`, unit: "rows", limit }, where);
}

export function tooManyColumns(where: Where, limits: FileLimits): Error {
  const limit = limits.columnsMax;
  return fault("FILE_TOO_LARGE", { found: `more than ${limit}`, unit: "columns", limit }, where);
}

function holdsSecret(cell: Cell): boolean {
  return holdsPrivateKey(resultOf(cell).text);
}

function showsNothing(cell: Cell): boolean {
  return cell.kind === "formula" && cell.value.kind === "text" && cell.value.text.trim() === "";
}

/** A sheet's cell has an A1 reference; a CSV's column has only its name, or its letters if it has none. */
function placeOf(where: Where, name: string, index: number): Where {
  const letters = columnLetters(index);
  const column = { ...where, column: name === "" ? letters : name };
  return where.sheet === undefined || where.line === undefined
    ? column
    : { ...column, cell: `${letters}${where.line}` };
}

const EXCERPT_LENGTH = 40;

function excerpt(text: string): string {
  return text.length > EXCERPT_LENGTH ? `${text.slice(0, EXCERPT_LENGTH)}...` : text;
}
