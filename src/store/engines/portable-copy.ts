/**
 * Copies a database on a server into a new SQLite file, at one instant, while others write: the layouts have the same
 * tables and columns. The file is a backup like those of a SQLite database, and bears their mark.
 */
import { all, type SqlValue, type Transaction } from "../sql.ts";
import type { Store } from "../store.ts";
import { openDatabase } from "./sqlite-database.ts";

const ROWS_TOGETHER = 1_000;

/** `path`: an empty file, or none. Throws what the store throws, and DATABASE_UNUSABLE for the file. */
export async function copyFromServer(store: Pick<Store, "read">, path: string): Promise<void> {
  const database = openDatabase(path);
  try {
    // Rows come in the order of their places, so one may come before the row that it refers to.
    database.pragma("foreign_keys = OFF");
    const tables = database
      .prepare(
        "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name",
      )
      .pluck()
      .all() as string[];
    database.exec("begin");
    await store.read(function* (): Transaction<void> {
      for (const table of tables) {
        const columns = database
          .prepare(`select name from pragma_table_info('${table}')`)
          .pluck()
          .all() as string[];
        const listed = columns.map((column) => `"${column}"`).join(", ");
        database.exec(`delete from "${table}"`);
        const insert = database.prepare(
          `insert into "${table}" (${listed}) values (${columns.map(() => "?").join(", ")})`,
        );
        for (let place = "(0,0)"; place !== ""; ) {
          const rows = yield* rowsAfter(table, listed, place);
          for (const row of rows) insert.run(columns.map((column) => row[column] ?? null));
          place = rows.length < ROWS_TOGETHER ? "" : String(rows.at(-1)?.["row_place"]);
        }
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

/** A server's own order of rows: within one snapshot it misses none, whatever the table's key is. */
export function rowsAfter(
  table: string,
  columns: string,
  place: string,
): Transaction<readonly Readonly<Record<string, SqlValue>>[]> {
  const text = `select ${columns}, cast(ctid as text) as row_place from "${table}"
    where ctid > cast(? as tid) order by ctid limit ${ROWS_TOGETHER}`;
  return all({ text, values: [place] });
}
