/** Rows packed into flat arrays to pass between threads: cloning two million objects costs more than reading. */
import { present } from "../../model/present.ts";
import { type Cell, EMPTY_CELL, type PlainCell } from "../../model/row.ts";
import type { SharedTexts } from "./shared-texts.ts";

export interface SheetRow {
  /** From 1. */
  readonly line: number;
  readonly isHidden: boolean;
  /** Whether any of its values is struck out. */
  readonly isStruck: boolean;
  /** From column A to the last value, at most one cell beyond the limit of columns, which shows the excess. */
  readonly cells: readonly Cell[];
}

export interface PackedRows {
  /** Three numbers per row: its line; 1 if hidden plus 2 if struck out; its number of cells. */
  readonly rows: Uint32Array;
  /** Per cell, its place among the distinct cells; 0 for an empty cell. */
  readonly places: Uint32Array;
  /** The kinds of the distinct cells, from place 1 on. */
  readonly kinds: Uint8Array;
  readonly texts: readonly string[];
}

/**
 * Unpacks the rows, each only on request: rows that wait would survive garbage collections, and the heap grows by what
 * survives. Equal cells of one pack become one object.
 */
export function* unpackRows({ rows, places, kinds, texts }: PackedRows): Generator<SheetRow> {
  const distinct: Cell[] = new Array(texts.length + 1);
  distinct[0] = EMPTY_CELL;
  let place = 0;
  for (let index = 0; index < rows.length; index += NUMBERS_PER_ROW) {
    const cells: Cell[] = new Array(rows[index + 2] ?? 0);
    for (let column = 0; column < cells.length; column += 1, place += 1) {
      const at = places[place] ?? 0;
      const cell = distinct[at] ?? cellOf(kinds[at - 1] ?? 0, texts[at - 1] ?? "");
      distinct[at] = cell;
      cells[column] = cell;
    }
    const marks = rows[index + 1] ?? 0;
    yield {
      line: rows[index] ?? 0,
      isHidden: (marks & HIDDEN) !== 0,
      isStruck: (marks & STRUCK) !== 0,
      cells,
    };
  }
}

/** Packs rows cell by cell. Once full it is worth sending, but may be filled further. */
export class RowPacker {
  private readonly sharedTexts: SharedTexts;
  /** For each shared string its place, if it belongs to the current pack. */
  private readonly sharedPlaces: Uint32Array;
  private readonly sharedPacks: Uint32Array;
  private pack = 1;
  private readonly full: PackedRows[] = [];
  private rows: number[] = [];
  private places: number[] = [];
  private rowStart = 0;
  private distinct = new DistinctCells();

  constructor(sharedTexts: SharedTexts) {
    this.sharedTexts = sharedTexts;
    this.sharedPlaces = new Uint32Array(sharedTexts.length);
    this.sharedPacks = new Uint32Array(sharedTexts.length);
  }

  get isFull(): boolean {
    return this.full.length > 0;
  }

  /** Number of cells in the current row. */
  get cellsInRow(): number {
    return this.places.length - this.rowStart;
  }

  /** Adds a cell in this column, from 0, which must be right of the last one added. */
  add(column: number, cell: Cell): void {
    this.addPlace(column, this.distinct.placeOf(cell));
  }

  /** As `add`, for the shared string at this index. */
  addShared(column: number, index: number): void {
    if (this.sharedPacks[index] !== this.pack) {
      this.sharedPacks[index] = this.pack;
      this.sharedPlaces[index] = this.distinct.placeOf({
        kind: "text",
        text: this.sharedTexts.at(index) ?? "",
      });
    }
    this.addPlace(column, this.sharedPlaces[index] ?? 0);
  }

  /** Ends the current row; one without cells is dropped. */
  endRow(line: number, isHidden: boolean, isStruck: boolean): void {
    if (this.cellsInRow === 0) return;
    this.rows.push(line, (isHidden ? HIDDEN : 0) + (isStruck ? STRUCK : 0), this.cellsInRow);
    this.rowStart = this.places.length;
    if (this.places.length >= PACK_CELLS_MIN) this.full.push(this.packed());
  }

  /** Takes the rows packed so far. Within a row, only call it while full. */
  take(): PackedRows {
    return this.full.shift() ?? this.packed();
  }

  private addPlace(column: number, place: number): void {
    while (this.cellsInRow < column) this.places.push(0);
    this.places.push(place);
  }

  private packed(): PackedRows {
    const { rows, places, distinct } = this;
    this.rows = [];
    this.places = [];
    this.rowStart = 0;
    this.distinct = new DistinctCells();
    this.pack += 1;
    return { rows: Uint32Array.from(rows), places: Uint32Array.from(places), ...distinct.listed() };
  }
}

const NUMBERS_PER_ROW = 3;
const HIDDEN = 1;
const STRUCK = 2;

/** Large enough for few messages, small enough for little memory. */
const PACK_CELLS_MIN = 4_096;

/**
 * unseen: a cell of any kind with that mark, as JSON. quantity: a number, then its shown decimals and its unit, each
 * after a space and possibly empty.
 */
const KINDS = ["empty", "text", "number", "date", "boolean", "error", "quantity", "unseen"] as const;

/** Added to the kind of a formula's saved value. */
const FORMULA = KINDS.length;

class DistinctCells {
  private readonly kinds: number[] = [];
  private readonly texts: string[] = [];
  private readonly placesOfKind = Array.from({ length: 2 * FORMULA }, () => new Map<string, number>());

  placeOf(cell: Cell): number {
    if (cell.kind === "empty") return 0;
    const plain = cell.kind === "formula" ? cell.value : cell;
    const [name, text = cell.text] = packedCell(plain);
    const kind = (cell.kind === "formula" ? FORMULA : 0) + KINDS.indexOf(name);
    const known = this.placesOfKind[kind]?.get(text);
    if (known !== undefined) return known;
    const place = this.texts.push(text);
    this.kinds.push(kind);
    this.placesOfKind[kind]?.set(text, place);
    return place;
  }

  listed(): Pick<PackedRows, "kinds" | "texts"> {
    return { kinds: Uint8Array.from(this.kinds), texts: this.texts };
  }
}

/** The packed kind, and the packed text if it differs from the cell's. */
function packedCell(cell: PlainCell): readonly [name: (typeof KINDS)[number], text?: string] {
  if (cell.kind === "empty") return ["empty"];
  if (cell.unseen !== undefined) return ["unseen", JSON.stringify(cell)];
  if (cell.kind !== "number") return [cell.kind];
  const { text, unit, decimals } = cell;
  if (unit === undefined && decimals === undefined) return ["number"];
  return ["quantity", `${text} ${decimals ?? ""} ${unit ?? ""}`];
}

function cellOf(kind: number, text: string): Cell {
  if (kind < FORMULA) return plainCell(kind, text);
  const value = plainCell(kind - FORMULA, text);
  return { kind: "formula", text: value.kind === "empty" ? text : value.text, value };
}

function plainCell(kind: number, text: string): PlainCell {
  const name = KINDS[kind] ?? "empty";
  if (name === "quantity") {
    const [, digits = "", decimals, unit] = /^(\S+) (\S+)? (.+)?$/s.exec(text) ?? [];
    return {
      kind: "number",
      text: digits,
      ...present({ unit, decimals: decimals === undefined ? undefined : Number.parseInt(decimals, 10) }),
    };
  }
  if (name === "unseen") return JSON.parse(text);
  return name === "empty" ? EMPTY_CELL : ({ kind: name, text } as PlainCell);
}
