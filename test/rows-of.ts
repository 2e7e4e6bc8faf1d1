/** All rows of a table at once; Paydrop itself never reads them so. */
import type { Row, Table } from "../src/model/index.ts";

export async function rowsOf(table: Pick<Table, "windows">): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const window of table.windows()) rows.push(...window);
  return rows;
}
