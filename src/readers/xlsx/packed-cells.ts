/**
 * Lines and cells on their way between this process and the thread that reads a workbook: as JSON. Copying a value
 * for each cell takes both sides several times as long.
 */
import { chunks } from "../../model/chunks.ts";
import type { Cell, ComparedCells, Line } from "../../model/grid.ts";

/** A line as JSON. */
export type PackedLine = string;

export function packLine(line: Line): PackedLine {
  return JSON.stringify(line);
}

export function unpackLine(text: PackedLine): Line {
  return JSON.parse(text) as Line;
}

type LineCells = readonly [line: number, cells: readonly Cell[]];

export interface PackedCells extends Pick<ComparedCells, "positions"> {
  readonly windows: readonly Window[];
}

/** Lines that follow each other. */
interface Window {
  readonly firstLine: number;
  /** The lines with their cells, as JSON in UTF-8. Bytes can be moved to the thread; a text would be copied. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const LINES_IN_WINDOW = 500;

/** The lines come in their order, as in every sheet. */
export function packCells({ positions, lines }: ComparedCells): PackedCells {
  const encoder = new TextEncoder();
  const windows: Window[] = [];
  for (const some of chunks(lines, LINES_IN_WINDOW))
    windows.push({ firstLine: some[0]?.[0] ?? 0, bytes: encoder.encode(JSON.stringify(some)) });
  return { positions, windows };
}

/** The packed cells, of which each line can be taken once. A window is unpacked when its first line is needed. */
export class CellsToTake {
  /** The last window first. */
  private readonly packed: Window[];
  private readonly unpacked = new Map<number, readonly Cell[]>();

  constructor({ windows }: PackedCells) {
    this.packed = windows.toReversed();
  }

  /** The cells of a line by position; undefined for one that is not compared, or was taken before. */
  take(line: number): readonly Cell[] | undefined {
    while ((this.packed.at(-1)?.firstLine ?? Infinity) <= line) this.unpackNext();
    const cells = this.unpacked.get(line);
    this.unpacked.delete(line);
    return cells;
  }

  /** The lines that nobody has taken. */
  *left(): Generator<LineCells> {
    do {
      yield* this.unpacked;
      this.unpacked.clear();
    } while (this.unpackNext());
  }

  private unpackNext(): boolean {
    const next = this.packed.pop();
    if (next === undefined) return false;
    const lines = JSON.parse(new TextDecoder().decode(next.bytes)) as readonly LineCells[];
    for (const [line, cells] of lines) this.unpacked.set(line, cells);
    return true;
  }
}
