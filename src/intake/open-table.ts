/** Opens a payout file, whatever its format, as a table of rows. Gives no meaning to cells. */
import { stat } from "node:fs/promises";
import { fault } from "../faults/index.ts";
import type { Row, Table } from "../model/row.ts";
import { openCsvTable } from "./csv/open-csv-table.ts";
import { asUnreadable, detectFormat } from "./detect-format.ts";
import type { TableLayout } from "./table-layout.ts";
import { openXlsxTable } from "./xlsx/open-xlsx-table.ts";

/**
 * The table of the file at `path`: its header is the first line, among the first 30, that the layout takes for one. Its rows
 * are read on demand, in bounded memory; blank ones are left out but count as lines. What is wrong with one row stands in its
 * `problems`. A file that cannot be read at all throws a Fault whose code says why; `rows()` throws what shows only later,
 * so nothing may be done with the rows before all of them were read.
 */
export async function openTable(path: string, layout: TableLayout): Promise<Table> {
  const format = await detectFormat(path, layout.limits);
  const version = await versionOf(path);
  const table = format === "csv" ? await openCsvTable(path, layout) : await openXlsxTable(path, layout);
  return { ...table, rows: () => rowsOfVersion(table, path, version) };
}

/** The rows are read from the file anew, so header and rows could come from different files of the same name. */
async function* rowsOfVersion(table: Table, path: string, version: string): AsyncGenerator<Row> {
  if ((await versionOf(path)) !== version) throw fault("FILE_CHANGED", {}, { file: path });
  yield* table.rows();
  if ((await versionOf(path)) !== version) throw fault("FILE_CHANGED", {}, { file: path });
}

async function versionOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs } = await stat(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  } catch (error) {
    throw asUnreadable(error, path);
  }
}
