/**
 * Rows of a sheet on their way from one thread to another: a few flat arrays instead of an object for each cell, because the
 * structured clone of two million objects costs more than reading them.
 */
import { type Cell, EMPTY_CELL } from "../../model/row.ts";
import type { SheetRow } from "./sheet-rows.ts";

export interface PackedRows {
  /** Three numbers a row: its line, 1 if it is hidden, and how many cells it has. */
  readonly rows: Uint32Array;
  /** For each cell its place among the different ones; 0 for an empty cell. */
  readonly places: Uint32Array;
  /** Of the different cells, from place 1 on. */
  readonly kinds: readonly number[];
  readonly texts: readonly string[];
}

export function packRows(rows: readonly SheetRow[]): PackedRows {
  const heads = new Uint32Array(rows.length * NUMBERS_PER_ROW);
  const places = new Uint32Array(rows.reduce((sum, { cells }) => sum + cells.length, 0));
  const distinct = new DistinctCells();
  let place = 0;
  for (const [index, { line, isHidden, cells }] of rows.entries()) {
    heads.set([line, isHidden ? 1 : 0, cells.length], index * NUMBERS_PER_ROW);
    for (const cell of cells) places[place++] = distinct.placeOf(cell);
  }
  return { rows: heads, places, kinds: distinct.kinds, texts: distinct.texts };
}

/** The very rows that were packed. Equal cells of one pack are one object. */
export function unpackRows({ rows, places, kinds, texts }: PackedRows): readonly SheetRow[] {
  const distinct: Cell[] = [EMPTY_CELL, ...texts.map((text, index) => cellOf(kinds[index] ?? 0, text))];
  const unpacked: SheetRow[] = [];
  let place = 0;
  for (let index = 0; index < rows.length; index += NUMBERS_PER_ROW) {
    const end = place + (rows[index + 2] ?? 0);
    const cells: Cell[] = [];
    for (; place < end; place += 1) cells.push(distinct[places[place] ?? 0] ?? EMPTY_CELL);
    unpacked.push({ line: rows[index] ?? 0, isHidden: rows[index + 1] === 1, cells });
  }
  return unpacked;
}

const NUMBERS_PER_ROW = 3;

type PlainCell = Exclude<Cell, { kind: "formula" }>;

const KINDS: readonly PlainCell["kind"][] = ["empty", "text", "number", "date", "boolean", "error"];

/** Added to the kind of a formula's saved value. */
const FORMULA = KINDS.length;

class DistinctCells {
  readonly kinds: number[] = [];
  readonly texts: string[] = [];
  private readonly placesOfKind = Array.from({ length: 2 * FORMULA }, () => new Map<string, number>());

  placeOf(cell: Cell): number {
    if (cell.kind === "empty") return 0;
    const kind =
      cell.kind === "formula" ? FORMULA + KINDS.indexOf(cell.value.kind) : KINDS.indexOf(cell.kind);
    const known = this.placesOfKind[kind]?.get(cell.text);
    if (known !== undefined) return known;
    const place = this.texts.push(cell.text);
    this.kinds.push(kind);
    this.placesOfKind[kind]?.set(cell.text, place);
    return place;
  }
}

function cellOf(kind: number, text: string): Cell {
  if (kind < FORMULA) return plainCell(kind, text);
  return { kind: "formula", text, value: plainCell(kind - FORMULA, text) };
}

function plainCell(kind: number, text: string): PlainCell {
  const name = KINDS[kind] ?? "empty";
  return name === "empty" ? EMPTY_CELL : ({ kind: name, text } as PlainCell);
}
