/** Writes an answer as CSV, in the sender's encoding and delimiter. Every line keeps its number. */
import { open } from "node:fs/promises";
import { stringify } from "csv-stringify/sync";
import type { CsvForm } from "../../model/grid.ts";
import { textOf } from "../../model/grid.ts";
import { guardFormula } from "../../model/index.ts";
import { BYTE_ORDER_MARK } from "../../model/text-encoding.ts";
import { encoderFor } from "../../writing/encoder.ts";
import type { Answer } from "./answer.ts";
import { sentLines, sentWidth } from "./sent-lines.ts";

export async function writeAnswerCsv(path: string, answer: Answer): Promise<void> {
  const {
    encoding = "utf-8",
    hasByteOrderMark = true,
    delimiter = ",",
  }: Partial<CsvForm> = answer.grid.csv ?? {};
  const encode = encoderFor(encoding);
  const width = sentWidth(answer);
  const options = { delimiter, record_delimiter: "windows", quoted_match: LINE_BREAK };
  const file = await open(path, "w");
  try {
    if (hasByteOrderMark) await file.writeFile(encode(BYTE_ORDER_MARK));
    let records: string[][] = [];
    let next = 1;
    for (const { line, cells, added } of sentLines(answer)) {
      for (; next < line; next += 1) records.push([""]);
      const texts = cells.map((cell) => guardFormula(textOf(cell)));
      // Title lines keep their width. A line that gets our columns is first filled up to the sender's width.
      const padded = added.length === 0 ? texts : [...texts, ...Array<string>(width - texts.length).fill("")];
      const ours = added.map((text) => guardFormula(text.replace(/[\r\n]+/g, " | ")));
      records.push([...padded, ...ours]);
      next += 1 + texts.reduce((breaks, text) => breaks + text.split(LINE_BREAK).length - 1, 0);
      if (records.length < RECORDS_AT_ONCE) continue;
      await file.writeFile(encode(stringify(records, options)));
      records = [];
    }
    await file.writeFile(encode(stringify(records, options)));
  } finally {
    await file.close();
  }
}

/** Readers treat each of these as the end of a line, whatever ends the file's other lines. */
const LINE_BREAK = /\r\n|\n|\r/;
const RECORDS_AT_ONCE = 1000;
