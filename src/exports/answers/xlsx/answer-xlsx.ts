/**
 * Writes an answer as a workbook: the sent parts as they are, except for cells added and marked in the table's sheet,
 * comments on the marked cells, and a sheet for the summary. Formats, widths, other sheets and formulas remain the
 * sender's.
 */
import { open } from "node:fs/promises";
import type { XlsxSource } from "../../../model/row.ts";
import type { AnswerContent } from "../answer-line.ts";
import { writeAnswerPackage } from "./answer-package.ts";
import { SentPackage } from "./sent-package.ts";
import { ZipWriter } from "./zip-writer.ts";

export async function writeAnswerXlsx(path: string, content: AnswerContent<XlsxSource>): Promise<void> {
  const sent = await SentPackage.open(content.source.path);
  try {
    const file = await open(path, "w");
    try {
      const zip = new ZipWriter(file);
      await writeAnswerPackage(sent, zip, content);
      await zip.finish();
    } finally {
      await file.close();
    }
  } finally {
    sent.close();
  }
}
