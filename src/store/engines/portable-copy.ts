/**
 * Copies a database on a server into a new SQLite file, at one instant, while others write. Both layouts have the
 * same tables and columns. The file is marked as a backup, like those of a SQLite database.
 */
import type { Database } from "better-sqlite3";
import { all, type SqlRow, type Transaction } from "../sql.ts";
import type { Store } from "../store.ts";
import { openDatabase } from "./sqlite-database.ts";

const ROWS_TOGETHER = 1_000;

/** `path`: an empty or missing file. Throws the store's faults, and DATABASE_UNUSABLE for the file. */
export async function copyFromServer(store: Pick<Store, "read">, path: string): Promise<void> {
  const database = openDatabase(path);
  try {
    // Tables are copied in alphabetical order, so a row may come before the row that it refers to.
    database.pragma("foreign_keys = OFF");
    const tables = tableNames(database);
    database.exec("begin");
    await store.read(function* (): Transaction<void> {
      for (const table of tables) {
        const columns = columnNames(database, table);
        const listed = listedColumns(columns);
        database.exec(`delete from "${table}"`);
        const insert = database.prepare(
          `insert into "${table}" (${listed}) values (${columns.map(() => "?").join(", ")})`,
        );
        yield* readOfServer(table, listed, (rows) => {
          for (const row of rows) insert.run(columns.map((column) => row[column] ?? null));
        });
      }
    });
    // Marks a file that came from a server: it sends nothing (anchor.ts).
    database.exec(
      "insert into server (id, is_replicated) select 'unknown', 0 where not exists (select 1 from server)",
    );
    database.exec("commit");
    database.pragma("wal_checkpoint(TRUNCATE)");
    // The mark of a backup, as `vacuum into` leaves it.
    database.pragma("journal_mode = DELETE");
  } finally {
    database.close();
  }
}

/** All tables of the layout, by name. */
export function tableNames(file: Database): string[] {
  const text =
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name";
  return file.prepare(text).pluck().all() as string[];
}

export function columnNames(file: Database, table: string): string[] {
  return file
    .prepare(`select name from pragma_table_info('${table}') order by cid`)
    .pluck()
    .all() as string[];
}

export function listedColumns(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(", ");
}

/**
 * Reads a table of a server window by window, in the server's physical row order: within one snapshot that misses
 * no row, whatever the table's key is.
 */
export function* readOfServer(
  table: string,
  columns: string,
  take: (rows: readonly SqlRow[]) => void,
): Transaction<void> {
  const text = `select ${columns}, cast(ctid as text) as row_place from "${table}"
    where ctid > cast(? as tid) order by ctid limit ${ROWS_TOGETHER}`;
  for (let place = "(0,0)"; place !== ""; ) {
    const rows = yield* all<SqlRow>({ text, values: [place] });
    take(rows);
    place = rows.length < ROWS_TOGETHER ? "" : String(rows.at(-1)?.["row_place"]);
  }
}
