/**
 * Makes a corrected file from the archived one: the sender's lines with some cells changed, in the form of a
 * rejected answer that comes back corrected. Reads it again at once, to be sure that only the changed cells
 * changed.
 */
import { readFile, writeFile } from "node:fs/promises";
import { fault } from "../../faults/index.ts";
import { type Cell, type Grid, type Line, resultOf, textOf } from "../../model/grid.ts";
import {
  ANSWER_COLUMNS,
  columnLetters,
  type Instant,
  isAnswerColumn,
  problemsColumn,
} from "../../model/index.ts";
import { withCells } from "../../model/lines.ts";
import type { SheetReading } from "../../model/sheet-reading.ts";
import { Decimal } from "../../money/index.ts";
import { writeAnswerCsv, writeAnswerXlsx } from "../answers/index.ts";
import { type CheckedFile, openInLayout } from "../intake/check-file.ts";

/** A cell that a person changed. */
export interface CellChange {
  /** As spreadsheet programs name it: "C7". */
  readonly cell: string;
  /** The heading of its column. */
  readonly column: string;
  readonly from: string;
  readonly to: string;
}

export interface Correction {
  /** The sender's own file name. */
  readonly file: string;
  readonly found: CheckedFile & { readonly reading: SheetReading };
  readonly changes: readonly CellChange[];
  readonly person: string;
  /** When the file that it corrects was taken in, so that the same correction always has the same bytes. */
  readonly takenAt: Instant;
}

/** Throws FILE_NOT_REPAIRABLE if an untouched cell would be read differently. */
export async function makeCorrected(path: string, correction: Correction): Promise<void> {
  const { file, found, changes, person, takenAt } = correction;
  const grid = corrected(found, changes);
  const groups = [{ heading: "What was changed", facts: changes.map(changeFact) }];
  const summary = { sentence: `${file}, corrected by ${person}`, groups, findings: [], background: [] };
  const { reading } = found;
  // Rows with fewer cells than others must keep having fewer.
  const whole = grid.lines.filter(({ cells }) => cells.length >= reading.header.length);
  // A returned answer is written without the columns that it got, but its payments keep their references.
  const reference = reading.header.indexOf(ANSWER_COLUMNS.reference);
  const added = new Map(whole.map((each) => [each.line, ["", ...referenceOf(each, reading, reference)]]));
  // Intake recognises by this column which file it corrects.
  const columns = [problemsColumn(file), ...(reference < 0 ? [] : [ANSWER_COLUMNS.reference])];
  const answer = { path, grid, reading, columns, added, summary, madeAt: takenAt };
  if (grid.format === "csv") await writeAnswerCsv(path, answer);
  else {
    await writeAnswerXlsx(path, answer);
    await writeFile(path, withoutTimes(await readFile(path)));
  }
  await checkSame(path, grid, found, file);
}

/** The reference at `position`, if there is such a column; empty for a line that is left out. */
function referenceOf({ cells }: Line, { header }: SheetReading, position: number): string[] {
  if (position < 0) return [];
  const isLeft = cells.some((cell, at) => !isAnswerColumn(header[at] ?? "") && textOf(cell) !== "");
  return [isLeft ? textOf(cells[position] ?? "") : ""];
}

function changeFact({ cell, column, from, to }: CellChange): readonly [string, string] {
  return [`${cell} (${column})`, `from "${from}" to "${to}"`];
}

/**
 * The grid with the changes, and with notes about contents that a corrected file cannot have, because the approver
 * must still be asked about them.
 */
function corrected({ grid, reading }: Correction["found"], changes: readonly CellChange[]): Grid {
  const to = new Map(changes.map((each) => [each.cell, each.to]));
  const lines = grid.lines.map((each): Line => {
    const { cells: sent } = each;
    const width = Math.max(sent.length, reading.header.length);
    const cells = Array.from({ length: width }, (_, at) => to.get(nameOf(each, at)) ?? sent[at] ?? "");
    const isChanged = cells.some((cell, at) => cell !== (sent[at] ?? ""));
    return isChanged ? withCells(each, cells) : each;
  });
  const lost = (text: string) => ({ place: "not in this corrected file", text });
  const outside = [
    ...grid.outside,
    ...reading.otherSheets.map((sheet) => lost(`the sheet "${sheet}", which was not read`)),
    ...(grid.pictureCount === 0 ? [] : [lost(`${grid.pictureCount} pictures, which were not read`)]),
    ...(grid.csv?.endsOpen === true ? [lost("an end without a line break: it may have been cut off")] : []),
  ];
  return { ...grid, lines, outside };
}

export function nameOf({ line }: Pick<Line, "line">, position: number): string {
  return `${columnLetters(position)}${line}`;
}

/** Checks that the file at `path` is read as the grid that was written, without the columns of an earlier answer. */
async function checkSame(
  path: string,
  grid: Grid,
  { layout, reading, rows }: Correction["found"],
  file: string,
): Promise<void> {
  const sent = await openInLayout(path, layout);
  const again = await sent.readSheet(sent.sheets.at(-1)?.name ?? "").finally(() => sent.close());
  const cellsOf = new Map(again.lines.map(({ line, cells }) => [line, cells]));
  const paid = new Set(rows.map(({ line }) => line));
  const read = new Set(reading.columns.map(({ position }) => position));
  const ours = reading.header.flatMap((name, at) => (isAnswerColumn(name) ? [at] : []));
  for (const each of grid.lines)
    for (const [at, cell] of each.cells.entries()) {
      if (ours.includes(at)) continue;
      const other = cellsOf.get(each.line)?.[at - ours.filter((before) => before < at).length] ?? "";
      const isRead = paid.has(each.line) && read.has(at);
      if (!isSame(cell, other) || (isRead && isFlawed(cell) !== isFlawed(other)))
        throw fault("FILE_NOT_REPAIRABLE", { reason: "altered", cell: nameOf(each, at) }, { file });
    }
}

function isSame(left: Cell, right: Cell): boolean {
  const [before, after] = [resultOf(left), resultOf(right)];
  if (textOf(before) === textOf(after)) return unitOf(before) === unitOf(after);
  if (typeof before === "string" || typeof after === "string") return false;
  if (before.kind !== "number" || after.kind !== "number" || unitOf(before) !== unitOf(after)) return false;
  const [value, other] = [Decimal.parse(before.text), Decimal.parse(after.text)];
  return value !== undefined && other !== undefined && value.equals(other);
}

function unitOf(cell: Cell): string | undefined {
  return typeof cell === "object" && cell.kind === "number" ? cell.unit : undefined;
}

function isFlawed(cell: Cell): boolean {
  const plain = resultOf(cell);
  return typeof plain === "object" && "flaw" in plain && plain.flaw !== undefined;
}

/** A ZIP archive without the times at which its parts were written (APPNOTE.TXT 4.3.12 and 4.3.16). */
function withoutTimes(zip: Buffer): Buffer {
  const end = zip.lastIndexOf("PK\x05\x06", undefined, "latin1");
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    zip.writeUInt32LE(FIRST_OF_1980, at + 12);
    zip.writeUInt32LE(FIRST_OF_1980, zip.readUInt32LE(at + 42) + 10);
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return zip;
}

/** The earliest time that an archive can express. */
const FIRST_OF_1980 = 0x0021_0000;
