/**
 * The cells of a sheet that lie beneath a picture, a chart or a shape, so that nobody sees them (ECMA-376 part 1, 20.5). Lines and shapes without a
 * filling are seen through. An object that is anchored at one cell only may be of any size: nothing is known of what else it covers.
 */
import { columnLetters } from "../../model/row.ts";
import type { FileLimits } from "../file-limits.ts";
import type { Archive } from "./archive.ts";
import { readRelations } from "./relations.ts";
import { readXmlPart } from "./xml-part.ts";
import type { Attributes, XmlHandler } from "./xml-walker.ts";

/** As ranges: "B2:C9". */
export async function readCoveredCells(
  archive: Archive,
  sheetPart: string,
  limits: FileLimits,
): Promise<readonly string[]> {
  const handler = new DrawingHandler();
  for (const { kind, partName, isExternal } of await readRelations(archive, sheetPart, limits)) {
    const part = kind === "drawing" && !isExternal ? archive.find(partName) : undefined;
    if (part !== undefined) await readXmlPart(archive, part, handler, limits);
  }
  return handler.ranges;
}

/** The places of a corner, by the elements that say them: from 0, and how far into it. */
type Corner = Record<"col" | "colOff" | "row" | "rowOff", number>;

class DrawingHandler implements XmlHandler {
  readonly ranges: string[] = [];
  private readonly path: string[] = [];
  private corners = { from: newCorner(), to: newCorner() };
  private isCovering = false;
  private isSolid = false;
  private collected = "";

  open(name: string, { hidden }: Attributes): void {
    this.path.push(name);
    this.collected = "";
    if (name === "twoCellAnchor") {
      this.corners = { from: newCorner(), to: newCorner() };
      this.isCovering = false;
    } else if (OBJECTS.has(name)) this.isSolid = true;
    else if (name === "noFill" && this.path.slice(-3, -1).join() === "sp,spPr") this.isSolid = false;
    else if (name === "cNvPr" && (hidden === "1" || hidden === "true")) this.isSolid = false;
  }

  /** Only what stands in the corners is of use; a shape may hold a long text. */
  text(text: string): void {
    if (this.collected.length < NUMBER_LENGTH_MAX) this.collected += text;
  }

  close(name: string): void {
    this.path.pop();
    const corner = this.path.at(-1);
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

/** The first and last of the columns or rows of which more than a corner is covered. */
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

/** In EMU (12,700 to a point), of a column and a row as they are by themselves. */
const HALF_COLUMN = 304_800;
const HALF_ROW = 95_250;

/** More than a sheet has rows. */
const PLACES_MAX = 2_000_000;
const NUMBER_LENGTH_MAX = 20;
