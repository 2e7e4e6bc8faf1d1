/** Opens a sent file of any format, whose reader is loaded only then. It does not interpret cells. */
import type { Grid, SentFile } from "../model/grid.ts";
import type { CsvOptions } from "./csv/read-csv.ts";
import { detectFormat } from "./detect-format.ts";
import { HEAD_LINES } from "./file-limits.ts";

/**
 * The file at `path`, checked by the guards of its format. For a file that cannot be read at all, throws a Fault
 * whose code says why. `readSheet` does so for faults that appear only when a sheet is read to its end.
 */
export async function openSentFile(path: string, options: CsvOptions): Promise<SentFile> {
  const format = await detectFormat(path, options.limits);
  if (format === "csv") {
    const { readCsv } = await import("./csv/read-csv.ts");
    return asOneSheet(await readCsv(path, options));
  }
  const { openXlsx } = await import("./xlsx/open-xlsx.ts");
  return openXlsx(path, options.limits);
}

function asOneSheet(grid: Grid): SentFile {
  return {
    format: "csv",
    sheets: [{ name: "", visibility: "visible", lines: grid.lines.slice(0, HEAD_LINES) }],
    readSheet: () => Promise.resolve(grid),
    readAgain: () => Promise.resolve({ kind: "read", disagreements: [] }),
    close: () => Promise.resolve(),
  };
}
