/**
 * The second reader: exceljs reads the sheet again, and the cells that payments were read from must be the same. It
 * gets the parts that our guard unpacks, in the order that its streaming reader needs. Given a whole archive, it
 * fails on many orders that programs write, and inflates without a limit.
 */
import { Readable } from "node:stream";
import type ExcelJS from "exceljs";
import { type Cell, type Disagreement, type PlainCell, resultOf, textOf } from "../../model/grid.ts";
import type { Archive } from "./archive.ts";
import { CellsToTake, type PackedCells } from "./packed-cells.ts";
import { decodeEscapes } from "./shared-texts.ts";
import type { Workbook, Worksheet } from "./workbook.ts";

/** The methods that exceljs 4.4.0 calls for the parts of an archive; its types leave them out. */
interface PartReader {
  _parseWorkbook(part: Readable): Promise<void>;
  _parseStyles(part: Readable): Promise<void>;
  _parseSharedStrings(part: Readable): AsyncIterable<unknown>;
  _parseWorksheet(part: Readable, number: number): Iterable<{ readonly value: AsyncIterable<ExcelJS.Row> }>;
}

/** The first cells about which the two readers disagree. Throws exceljs's error if it cannot read a part. */
export async function readByExceljs(
  archive: Archive,
  { parts }: Workbook,
  { partName }: Worksheet,
  packed: PackedCells,
): Promise<Disagreement[]> {
  const { default: exceljs } = await import("exceljs");
  const options = { sharedStrings: "cache", styles: "cache", worksheets: "emit" } as const;
  const reader = new exceljs.stream.xlsx.WorkbookReader(archive.path, options) as unknown as PartReader;
  const part = (name: string) => Readable.from(inPieces(archive.read(name)));
  await reader._parseWorkbook(part(parts.workbook));
  if (parts.styles !== undefined) await reader._parseStyles(part(parts.styles));
  if (parts.sharedTexts !== undefined)
    for await (const _ of reader._parseSharedStrings(part(parts.sharedTexts)));
  const { positions } = packed;
  const waiting = new CellsToTake(packed);
  const found: Disagreement[] = [];
  let rowCount = 0;
  for (const { value: sheet } of reader._parseWorksheet(part(partName), 1))
    for await (const row of sheet) {
      rowCount += 1;
      const cells = waiting.take(row.number);
      if (cells === undefined) continue;
      found.push(...differences(row.number, row, cells, positions));
      if (found.length >= DISAGREEMENTS_MAX) return found;
    }
  // exceljs does not know elements with a namespace prefix, as .NET programs write them.
  if (rowCount === 0) throw new Error("it found no rows");
  for (const [line, cells] of waiting.left()) found.push(...differences(line, undefined, cells, positions));
  return found.slice(0, DISAGREEMENTS_MAX);
}

/** exceljs keeps all events of a chunk before it looks at them; those of a short chunk are collected early. */
async function* inPieces(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks)
    for (let start = 0; start < chunk.length; start += PIECE_BYTES)
      yield chunk.subarray(start, start + PIECE_BYTES);
}

const PIECE_BYTES = 4096;

const DISAGREEMENTS_MAX = 20;

/** exceljs' ValueType.Formula. */
const FORMULA = 6;

/** `theirs`: the cells as exceljs read them; undefined for a line that exceljs did not find. */
function differences(
  line: number,
  theirs: Pick<ExcelJS.Row, "getCell"> | undefined,
  cells: readonly Cell[],
  positions: readonly number[],
): Disagreement[] {
  return positions.flatMap((position, index) => {
    const ours = resultOf(cells[index] ?? "");
    const { type, value, result } = theirs?.getCell(position + 1) ?? {};
    // exceljs leaves a result of 0 or false out of a formula's value.
    const read = plainValue(type === FORMULA ? result : value);
    const isWithoutResult = ours === "" && type === FORMULA;
    if (isWithoutResult || isSame(ours, read)) return [];
    return [{ line, position, ours: textOf(ours), theirs: shown(read) }];
  });
}

type Value = string | number | boolean | Date | { readonly error: string } | undefined;

/** The value that a program shows: for rich text all runs, for a link its text. */
function plainValue(value: ExcelJS.CellValue | undefined): Value {
  if (value === null || value === undefined || Number.isNaN(value)) return undefined;
  if (typeof value !== "object" || value instanceof Date) return value;
  if ("richText" in value) return value.richText.map(({ text }) => text).join("");
  if ("text" in value) return plainValue(value.text as ExcelJS.CellValue);
  if ("error" in value) return { error: value.error };
  // In a shared formula, a member with an empty formula has no type.
  if ("result" in value) return plainValue(value.result as ExcelJS.CellValue);
  throw new Error(`exceljs read a cell as ${JSON.stringify(value)}`);
}

function isSame(ours: PlainCell, theirs: Value): boolean {
  const isEmpty = theirs === undefined || (typeof theirs === "string" && theirs.trim() === "");
  if (textOf(ours) === "") return isEmpty;
  if (typeof ours === "string" || ours.kind === "text") return isSameText(textOf(ours), theirs);
  switch (ours.kind) {
    case "number":
      // The question is which double the file holds; no amount is calculated from it.
      return typeof theirs === "number" && Number.parseFloat(ours.text) === theirs;
    case "boolean":
      // For a formula, exceljs gives the number.
      return String(theirs) === ours.text || theirs === (ours.text === "true" ? 1 : 0);
    case "date":
    case "error":
      // Payments are read from neither.
      return true;
  }
}

/** exceljs keeps the white space between the elements of a shared text, and leaves some escapes undecoded. */
function isSameText(ours: string, theirs: Value): boolean {
  return typeof theirs === "string" && decodeEscapes(theirs).trim() === ours.trim();
}

function shown(value: Value): string {
  if (value === undefined) return "";
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" ? value.error : String(value);
}
