/** The sender's lines as an answer returns them: without columns of an earlier answer, and without private keys. */
import { type Problem, SECRET_CODES } from "../../faults/index.ts";
import { type Cell, type Line, textOf } from "../../model/grid.ts";
import { columnIndex, isAnswerColumn, senderTexts } from "../../model/index.ts";
import { withCells } from "../../model/lines.ts";
import { holdsPrivateKey } from "../../model/private-key.ts";
import type { Answer } from "./answer.ts";

/** Replaces a private key that was pasted by mistake. */
const WITHHELD = "(removed by Paydrop)";

export interface SentLine extends Line {
  /** The texts of our columns; for the header their names. */
  readonly added: readonly string[];
  /** By position: the remark about a cell, in words. */
  readonly remarks: ReadonlyMap<number, string>;
}

/** The number of columns of the sender's lines; ours begin after them. */
export function sentWidth({ grid, reading }: Answer): number {
  const kept = keptPositions(reading.header);
  const isOver = ({ cells }: Line) => cells.length > reading.header.length;
  const widest = grid.lines.filter(isOver).reduce((width, { cells }) => Math.max(width, cells.length), 0);
  return Math.max(kept.length, widest - (reading.header.length - kept.length));
}

/**
 * Each line of the file in order, with the answer's additions. Texts outside the cells, such as comments, are put
 * below the lines, so that a corrected answer contains them too.
 */
export function* sentLines(answer: Answer): Generator<SentLine> {
  const { grid, reading, added, marked, columns } = answer;
  const kept = keptPositions(reading.header);
  const isWhole = kept.length === reading.header.length;
  const isHeader = ({ line }: Line) => line === reading.headerLine;
  for (const sent of grid.lines) {
    const problems = marked?.get(sent.line) ?? NO_PROBLEMS;
    const withheld = problems
      .filter(({ code }) => SECRET_CODES.has(code))
      .map((each) => positionOf(each, reading.header));
    // A key may extend over several lines that are not payments.
    const isAnySecret = withheld.includes(undefined) || !(added.has(sent.line) || isHeader(sent));
    const { cells: written } = sent;
    const cells = answer.holdsSecret
      ? written.map((cell, at) => (isAnySecret || withheld.includes(at) ? WITHHELD : safe(cell)))
      : written;
    const remarks = problems.length === 0 ? NO_REMARKS : remarksOn(problems, reading.header);
    yield {
      ...withCells(
        sent,
        isWhole ? cells : [...kept.map((at) => cells[at] ?? ""), ...cells.slice(reading.header.length)],
      ),
      remarks: isWhole ? remarks : new Map([...remarks].map(([at, text]) => [kept.indexOf(at), text])),
      added: isHeader(sent) ? columns : (added.get(sent.line) ?? NOTHING_ADDED),
    };
  }
  let line = grid.lines.at(-1)?.line ?? 0;
  for (const { place, text } of senderTexts(grid.outside, reading.header)) {
    line += 1;
    yield { line, cells: [safe(`${place}: ${text}`)], remarks: NO_REMARKS, added: NOTHING_ADDED };
  }
}

/** The columns' positions without those that an earlier answer added. */
function keptPositions(header: readonly string[]): number[] {
  return header.flatMap((name, at) => (isAnswerColumn(name) ? [] : [at]));
}

const NO_PROBLEMS: readonly Problem[] = [];
const NOTHING_ADDED: readonly string[] = [];
const NO_REMARKS: ReadonlyMap<number, string> = new Map();

/** Checks every cell, even if no problem names it: titles, notes, the sender's extra columns. */
function safe(cell: Cell): Cell {
  return holdsPrivateKey(textOf(cell)) ? WITHHELD : cell;
}

function remarksOn(problems: readonly Problem[], header: readonly string[]): ReadonlyMap<number, string> {
  const found = Map.groupBy(problems, (each) => positionOf(each, header) ?? -1);
  found.delete(-1);
  const inWords = ({ message, fix }: Problem) => `${message} - ${fix}`;
  return new Map([...found].map(([at, those]) => [at, those.map(inWords).join("\n")]));
}

/** By the cell's letters, otherwise by the column's heading. */
export function positionOf({ column, cell }: Problem, header: readonly string[]): number | undefined {
  const byCell = cell === undefined ? undefined : columnIndex(cell);
  if (byCell !== undefined || column === undefined) return byCell;
  const byHeading = header.indexOf(column);
  return byHeading < 0 ? undefined : byHeading;
}
