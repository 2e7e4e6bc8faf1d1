/** Opens a payout file, whatever its format, as a table of rows. Gives no meaning to cells. */
import type { Table } from "../model/row.ts";
import { openCsvTable } from "./csv/open-csv-table.ts";
import { detectFormat } from "./detect-format.ts";
import { ofVersion, versionOf } from "./file-version.ts";
import type { TableLayout } from "./table-layout.ts";
import { openXlsxTable } from "./xlsx/open-xlsx-table.ts";

/**
 * The table of the file at `path`: its header is the first line, among the first 30, that the layout takes for one. Its rows
 * are read on demand, in bounded memory; blank ones are left out but count as lines. What is wrong with one row stands in its
 * `problems`. A file that cannot be read at all throws a Fault whose code says why; `windows()` throws what shows only later,
 * so nothing may be done with the rows before all of them were read.
 */
export async function openTable(path: string, layout: TableLayout): Promise<Table> {
  const format = await detectFormat(path, layout.limits);
  const version = await versionOf(path);
  const table = format === "csv" ? await openCsvTable(path, layout) : await openXlsxTable(path, layout);
  return { ...table, windows: () => ofVersion(path, version, table.windows()) };
}
