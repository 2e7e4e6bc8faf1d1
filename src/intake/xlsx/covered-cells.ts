/**
 * Finds the cells beneath a picture, chart or shape, which nobody sees (ECMA-376 part 1, 20.5). Lines and shapes
 * without a fill are transparent. For an object anchored at one cell only, nothing is known about what else it covers.
 */
import { columnLetters } from "../../model/cell-reference.ts";
import type { Archive } from "./archive.ts";
import { readRelations } from "./relations.ts";
import { isTrue, readXmlPart } from "./xml-part.ts";
import type { Attributes, XmlHandler } from "./xml-walker.ts";

/** As ranges: "B2:C9". */
export async function readCoveredCells(archive: Archive, sheetPart: string): Promise<readonly string[]> {
  const handler = new DrawingHandler();
  for (const { kind, partName, isExternal } of await readRelations(archive, sheetPart)) {
    const part = kind === "drawing" && !isExternal ? archive.find(partName) : undefined;
    if (part !== undefined) await readXmlPart(archive, part, handler);
  }
  return handler.ranges;
}

/** The position of a corner, by element name: column and row from 0, and the offset into each. */
type Corner = Record<"col" | "colOff" | "row" | "rowOff", number>;

class DrawingHandler implements XmlHandler {
  readonly ranges: string[] = [];
  private corners = { from: newCorner(), to: newCorner() };
  private isCovering = false;
  private isSolid = false;
  private collected = "";

  open(name: string, { hidden }: Attributes, _isForeign: boolean, path: readonly string[]): void {
    this.collected = "";
    if (name === "twoCellAnchor") {
      this.corners = { from: newCorner(), to: newCorner() };
      this.isCovering = false;
    } else if (OBJECTS.has(name)) this.isSolid = true;
    else if (name === "noFill" && path.slice(-3, -1).join() === "sp,spPr") this.isSolid = false;
    else if (name === "cNvPr" && isTrue(hidden)) this.isSolid = false;
  }

  /** Collects text only within corners; a shape may contain a long text. */
  text(text: string): void {
    if (this.collected.length < NUMBER_LENGTH_MAX) this.collected += text;
  }

  close(name: string, path: readonly string[]): void {
    const corner = path.at(-2);
    if ((corner === "from" || corner === "to") && name in this.corners[corner])
      this.corners[corner][name as keyof Corner] = Number(this.collected);
    else if (OBJECTS.has(name)) this.isCovering ||= this.isSolid;
    else if (name === "twoCellAnchor" && this.isCovering) this.addRange();
  }

  private addRange(): void {
    const { from, to } = this.corners;
    const columns = whole(from.col, from.colOff, to.col, to.colOff, HALF_COLUMN);
    const rows = whole(from.row, from.rowOff, to.row, to.rowOff, HALF_ROW);
    if (columns === undefined || rows === undefined) return;
    const [first, last] = [0, 1].map((at) => `${columnLetters(columns[at] ?? 0)}${(rows[at] ?? 0) + 1}`);
    this.ranges.push(first === last ? `${first}` : `${first}:${last}`);
  }
}

const OBJECTS: ReadonlySet<string> = new Set(["sp", "pic", "graphicFrame"]);

function newCorner(): Corner {
  return { col: 0, colOff: 0, row: 0, rowOff: 0 };
}

/** The first and last columns or rows that are covered by more than a corner. */
function whole(
  from: number,
  fromOffset: number,
  to: number,
  toOffset: number,
  half: number,
): readonly [first: number, last: number] | undefined {
  const first = fromOffset > half ? from + 1 : from;
  const last = toOffset > half ? to : to - 1;
  const isPlace = Number.isInteger(first) && Number.isInteger(last) && first >= 0 && last < PLACES_MAX;
  return isPlace && first <= last ? [first, last] : undefined;
}

/** In EMU (12,700 to a point), half of a default column and row. */
const HALF_COLUMN = 304_800;
const HALF_ROW = 95_250;

/** More than the rows of any sheet. */
const PLACES_MAX = 2_000_000;
const NUMBER_LENGTH_MAX = 20;
