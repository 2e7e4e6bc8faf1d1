/**
 * The yardsticks of `bench:files`: csv-parse alone, and exceljs's streaming reader alone in such a thread as ours
 * reads in.
 */
import { createReadStream } from "node:fs";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { parse } from "csv-parse";
import { DEFAULT_FILE_LIMITS } from "../src/readers/index.ts";
import { YOUNG_MEBIBYTES_MAX } from "../src/readers/xlsx/workbook-thread.ts";

/** Counts the rows below the header in array mode, with the options that files need whose line endings nobody knows. */
export async function parseAlone(path: string): Promise<number> {
  let rows = -1;
  const options = { bom: true, record_delimiter: ["\r\n", "\n", "\r"], max_record_size: 500_000 };
  for await (const _ of createReadStream(path, { highWaterMark: 256 * 1024 }).pipe(parse(options))) rows += 1;
  return rows;
}

/** Counts the rows below the header. */
export function readAlone(path: string): Promise<number> {
  const rows = Promise.withResolvers<number>();
  const resourceLimits = {
    maxOldGenerationSizeMb: DEFAULT_FILE_LIMITS.workerHeapMebibytesMax,
    maxYoungGenerationSizeMb: YOUNG_MEBIBYTES_MAX,
  };
  const thread = new Worker(import.meta.filename, { workerData: path, resourceLimits });
  thread.once("message", rows.resolve);
  thread.once("error", rows.reject);
  return rows.promise;
}

async function readInThread(path: string): Promise<number> {
  const { default: ExcelJS } = await import("exceljs");
  const options = { sharedStrings: "cache", styles: "cache", worksheets: "emit" } as const;
  let rows = -1;
  for await (const sheet of new ExcelJS.stream.xlsx.WorkbookReader(path, options))
    for await (const row of sheet) if (Array.isArray(row.values)) rows += 1;
  return rows;
}

if (!isMainThread) parentPort?.postMessage(await readInThread(workerData));
