/** Writes an answer as CSV: UTF-8 with a byte order mark, commas, CRLF (RFC 4180), so that spreadsheet programs open it by double click. */
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { stringify } from "csv-stringify";
import { type Cell, guardFormula } from "../../model/index.ts";
import type { AnswerLine } from "./answer-line.ts";

export async function writeAnswerCsv(path: string, lines: AsyncIterable<AnswerLine>): Promise<void> {
  await pipeline(
    Readable.from(fieldsOf(lines)),
    stringify({ bom: true, record_delimiter: "windows" }),
    createWriteStream(path),
  );
}

async function* fieldsOf(lines: AsyncIterable<AnswerLine>): AsyncIterable<string[]> {
  for await (const { cells, added } of lines) yield [...cells.map(csvField), ...added.map(guardFormula)];
}

function csvField(cell: Cell): string {
  switch (cell.kind) {
    case "text":
    case "error":
      return guardFormula(cell.text);
    case "formula":
      return csvField(cell.value);
    case "empty":
    case "number":
    case "date":
    case "boolean":
      return cell.text;
  }
}
