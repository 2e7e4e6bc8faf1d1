/** Writes an answer as CSV: UTF-8 with a byte order mark, commas, CRLF (RFC 4180), so that spreadsheet programs open it by double click. */
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { stringify } from "csv-stringify";
import type { Cell } from "../../model/index.ts";
import type { AnswerLine } from "./answer.ts";

export async function writeAnswerCsv(path: string, lines: AsyncIterable<AnswerLine>): Promise<void> {
  await pipeline(
    Readable.from(fieldsOf(lines)),
    stringify({ bom: true, record_delimiter: "windows" }),
    createWriteStream(path),
  );
}

async function* fieldsOf(lines: AsyncIterable<AnswerLine>): AsyncIterable<string[]> {
  for await (const { cells, added } of lines) yield [...cells.map(csvField), ...added.map(neutralised)];
}

function csvField(cell: Cell): string {
  switch (cell.kind) {
    case "text":
    case "error":
      return neutralised(cell.text);
    case "formula":
      return csvField(cell.value);
    case "empty":
    case "number":
    case "date":
    case "boolean":
      return cell.text;
  }
}

/** What spreadsheet programs take for a formula, or for a mark before one (OWASP, CSV injection). */
const STARTS_FORMULA = /^'*[=+\-@\t\r]/;

/** A CSV does not tell numbers from text, and a negative number is no formula. */
const NEGATIVE_NUMBER = /^-\d[\d.,]*$/;

/**
 * The text with a `'` before what would start a formula. A text that has such a `'` already gets one more, so that intake,
 * which strips one `'` from exactly these texts, reads back what was written.
 */
function neutralised(text: string): string {
  return STARTS_FORMULA.test(text) && !NEGATIVE_NUMBER.test(text) ? `'${text}` : text;
}
