/**
 * Lines and cells on their way between this process and the thread that reads a workbook: a JSON text for each line.
 * Copying a value for each cell takes both sides several times as long.
 */
import type { Cell, ComparedCells, Line } from "../../model/grid.ts";

/** A line as JSON. */
export type PackedLine = string;

export function packLine(line: Line): PackedLine {
  return JSON.stringify(line);
}

export function unpackLine(text: PackedLine): Line {
  return JSON.parse(text) as Line;
}

export interface PackedCells extends Pick<ComparedCells, "positions"> {
  /** The number of each line. */
  readonly lines: readonly number[];
  /** By index of the line, its cells as JSON. */
  readonly texts: readonly string[];
}

export function packCells({ positions, lines }: ComparedCells): PackedCells {
  const numbers: number[] = [];
  const texts: string[] = [];
  for (const [line, cells] of lines) {
    numbers.push(line);
    texts.push(JSON.stringify(cells));
  }
  return { positions, lines: numbers, texts };
}

/** The packed cells, of which each line can be taken once. */
export class CellsToTake {
  /** By line, its cells as JSON. */
  private readonly waiting: Map<number, string>;

  constructor({ lines, texts }: PackedCells) {
    this.waiting = new Map(lines.map((line, index) => [line, texts[index] ?? "[]"]));
  }

  /** The cells of a line by position; undefined for one that is not compared, or was taken before. */
  take(line: number): readonly Cell[] | undefined {
    const text = this.waiting.get(line);
    this.waiting.delete(line);
    return text === undefined ? undefined : cellsIn(text);
  }

  /** The lines that nobody has taken. */
  *left(): Generator<readonly [line: number, cells: readonly Cell[]]> {
    for (const [line, text] of this.waiting) yield [line, cellsIn(text)];
  }
}

function cellsIn(text: string): readonly Cell[] {
  return JSON.parse(text) as readonly Cell[];
}
