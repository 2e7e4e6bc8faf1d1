/** All rows of a table at once, as no part of Paydrop itself reads them. */
import type { Row, Table } from "../src/model/index.ts";

export async function rowsOf(table: Pick<Table, "windows">): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const window of table.windows()) rows.push(...window);
  return rows;
}
