/** Finds the place of the answer's columns in the sent sheet, to the right of all content, and their widths. */
import { ANSWER_COLUMNS, columnLetters } from "../../../model/index.ts";
import { cellsOf, hasContent, type SheetRow, sheetPieces } from "./sheet-rows.ts";
import { attributeOf, elementsOf, indexOfElement, withAttribute } from "./xml-text.ts";

export interface AddedColumns {
  /** From 0. */
  readonly first: number;
  readonly count: number;
  /** Whether rows have formatted but empty cells there, which ours replace. */
  readonly isFormatted: boolean;
}

/** Reads the whole sheet, because a row may reach further right than the header. `dropped`: columns to be emptied. */
export async function placeColumns(
  chunks: AsyncIterable<string>,
  headerLine: number,
  width: number,
  dropped: ReadonlySet<number>,
  count: number,
): Promise<AddedColumns> {
  let first = width;
  let last = 0;
  let prefix = "";
  for await (const pieces of sheetPieces(chunks)) {
    for (const piece of pieces) {
      if (piece.kind === "head") prefix = piece.prefix;
      if (piece.kind !== "row" || piece.line < headerLine) continue;
      const rightmost = lastColumn(piece, prefix);
      if (rightmost !== undefined && rightmost < first) continue;
      for (const cell of cellsOf(piece.xml, prefix).cells) {
        last = Math.max(last, cell.column);
        if (cell.column >= first && !dropped.has(cell.column) && hasContent(cell)) first = cell.column + 1;
      }
    }
  }
  return { first, count, isFormatted: last >= first };
}

/** From the last cell's own reference, without looking at the others; undefined if it has none. */
function lastColumn({ xml }: SheetRow, prefix: string): number | undefined {
  const start = xml.lastIndexOf(`<${prefix}c `);
  if (start < 0 || attributeOf(xml.slice(start), "r") === undefined) return undefined;
  return cellsOf(`<${prefix}row>${xml.slice(start)}`, prefix).cells[0]?.column;
}

/** The part before the rows, with the widths of our columns and a dimension that includes them. */
export function headWithColumns(
  xml: string,
  prefix: string,
  { first, count }: AddedColumns,
  names: readonly string[],
): string {
  const ours = names.map((name, index) => {
    const at = first + index + 1;
    return `<${prefix}col min="${at}" max="${at}" width="${widthOf(name)}" customWidth="1"/>`;
  });
  const collection = elementsOf(xml, `${prefix}cols`)[0];
  const sent = elementsOf(collection ?? "", `${prefix}col`).flatMap((column) => around(column, first, count));
  const columns = [...sent, ...ours].sort((left, right) => minimumOf(left) - minimumOf(right));
  const made = `<${prefix}cols>${columns.join("")}</${prefix}cols>`;
  const rows = indexOfElement(xml, `${prefix}sheetData`);
  const widened =
    collection === undefined
      ? xml.slice(0, rows) + made + xml.slice(rows)
      : xml.replace(collection, () => made);
  return withDimension(widened, prefix, first + count - 1);
}

/** Splits a column element around our columns. */
function around(column: string, first: number, count: number): readonly string[] {
  const min = minimumOf(column);
  const max = Number(attributeOf(column, "max"));
  const left = min <= first ? [withAttribute(column, "max", String(Math.min(max, first)))] : [];
  const right =
    max > first + count ? [withAttribute(column, "min", String(Math.max(min, first + count + 1)))] : [];
  return [...left, ...right];
}

function minimumOf(column: string): number {
  return Number(attributeOf(column, "min"));
}

function withDimension(xml: string, prefix: string, lastColumn: number): string {
  const dimension = elementsOf(xml, `${prefix}dimension`)[0];
  const [, start, letters = "", line] =
    /^([A-Z]+\d+):([A-Z]+)(\d+)$/.exec(attributeOf(dimension ?? "<x>", "ref") ?? "") ?? [];
  if (dimension === undefined || start === undefined) return xml;
  const wanted = columnLetters(lastColumn);
  const isWider = letters.length > wanted.length || (letters.length === wanted.length && letters > wanted);
  return xml.replace(dimension, () =>
    withAttribute(dimension, "ref", `${start}:${isWider ? letters : wanted}${line}`),
  );
}

/** In characters, by the column's kind: widths come before the rows, so the longest text is not known yet. */
function widthOf(name: string): number {
  const known = [...WIDTHS].find(([start]) => name.startsWith(start))?.[1];
  return Math.max(known ?? WIDTH_OF_A_DATE, Math.min(name.length + 2, WIDTH_OF_A_SENTENCE));
}

const WIDTH_OF_A_DATE = 14;
/** Wider texts are wrapped. */
export const WIDTH_OF_A_SENTENCE = 60;
const WIDTHS: ReadonlyMap<string, number> = new Map([
  [ANSWER_COLUMNS.problems, WIDTH_OF_A_SENTENCE],
  [ANSWER_COLUMNS.error, WIDTH_OF_A_SENTENCE],
  [ANSWER_COLUMNS.note, WIDTH_OF_A_SENTENCE],
  [ANSWER_COLUMNS.standing, 24],
  [ANSWER_COLUMNS.payoutId, 38],
  [ANSWER_COLUMNS.txHash, 66],
  [ANSWER_COLUMNS.confirmedDate, 26],
]);
