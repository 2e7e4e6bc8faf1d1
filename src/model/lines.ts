/** The lines of a long sheet, stored by columns in a third of the memory that lists of cells would take. */
import { Column } from "./column.ts";
import type { Cell, Line } from "./grid.ts";

export class LineTable {
  private readonly columns: Column<Cell>[] = [];
  /** How many cells each line has; a column ends with the last line that has a cell in it. */
  private readonly widths = new Column<number>();
  private readonly hidden = new Set<number>();
  private cellCount = 0;
  private blankCount = 0;

  /** Returns the line as it is stored. */
  add(whole: Line): Line {
    const { line, cells, isHidden } = whole;
    const index = this.widths.length;
    const blanks = this.blanksAbove(index, cells.length);
    this.cellCount += cells.length;
    // A line much longer than the others is not stored here: its columns would hold almost only blanks.
    if (this.blankCount + blanks > BLANKS_PER_CELL_MAX * this.cellCount) return whole;
    this.blankCount += blanks;
    this.widths.add(cells.length);
    if (isHidden === true) this.hidden.add(index);
    for (let at = 0; at < cells.length; at += 1) {
      const column = this.columnAt(at);
      while (column.length < index) column.add("");
      column.add(cells[at] ?? "");
    }
    return new KeptLine(this, index, line);
  }

  cellAt(index: number, position: number): Cell {
    const column = this.columns[position];
    return column !== undefined && index < column.length ? column.at(index) : "";
  }

  widthOf(index: number): number {
    return this.widths.at(index);
  }

  isHidden(index: number): boolean {
    return this.hidden.has(index);
  }

  /** How many cells of earlier lines the columns of a line of this width lack. */
  private blanksAbove(index: number, width: number): number {
    let blanks = 0;
    for (let at = 0; at < width; at += 1) blanks += index - (this.columns[at]?.length ?? 0);
    return blanks;
  }

  private columnAt(position: number): Column<Cell> {
    const known = this.columns[position];
    if (known !== undefined) return known;
    const column = new Column<Cell>();
    this.columns.push(column);
    return column;
  }
}

const BLANKS_PER_CELL_MAX = 4;

class KeptLine implements Line {
  readonly line: number;
  private readonly table: LineTable;
  private readonly index: number;

  constructor(table: LineTable, index: number, line: number) {
    this.table = table;
    this.index = index;
    this.line = line;
  }

  get cells(): readonly Cell[] {
    const cells: Cell[] = [];
    for (let at = 0; at < this.width; at += 1) cells.push(this.at(at));
    return cells;
  }

  get isHidden(): true | undefined {
    return this.table.isHidden(this.index) ? true : undefined;
  }

  get width(): number {
    return this.table.widthOf(this.index);
  }

  at(position: number): Cell {
    return this.table.cellAt(this.index, position);
  }
}

/** The cell at a position, "" without one; avoids a list of the line's cells. */
export function cellAt(line: Line, position: number): Cell {
  return line instanceof KeptLine ? line.at(position) : (line.cells[position] ?? "");
}

/** Whether any cell fits; avoids a list of the line's cells. */
export function someCell(line: Line, fits: (cell: Cell) => boolean): boolean {
  const width = widthOf(line);
  for (let position = 0; position < width; position += 1) if (fits(cellAt(line, position))) return true;
  return false;
}

/** How many cells a line has; trailing empty ones may be missing. */
export function widthOf(line: Line): number {
  return line instanceof KeptLine ? line.width : line.cells.length;
}

/** The line with other cells. */
export function withCells({ line, isHidden }: Line, cells: readonly Cell[]): Line {
  return isHidden === true ? { line, cells, isHidden } : { line, cells };
}
