/** The state of a folder as a value to compare: every row of its database, and the bytes of every other file. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import Database from "better-sqlite3";

export interface FolderState {
  /** Rows as JSON text, by table; no tables before the database exists. */
  readonly rows: Readonly<Record<string, readonly string[]>>;
  /** SHA-256 by path. */
  readonly files: Readonly<Record<string, string>>;
}

/** What was stored and written. An empty database counts as none. */
export function folderState(folder: string): FolderState {
  return { rows: databaseRows(join(folder, "paydrop.sqlite")), files: fileHashes(folder) };
}

function databaseRows(path: string): Record<string, string[]> {
  if (!existsSync(path)) return {};
  const database = new Database(path, { readonly: true });
  try {
    const tables = database.prepare("select name from sqlite_schema where type = 'table'").pluck().all();
    return Object.fromEntries(
      tables
        .map((table): [string, string[]] => [
          String(table),
          database
            .prepare(`select * from "${table}"`)
            .all()
            .map((row) => JSON.stringify(row)),
        ])
        .filter(([, rows]) => rows.length > 0),
    );
  } finally {
    database.close();
  }
}

function fileHashes(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes(".sqlite"))
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    paths.map((path) => [
      relative(folder, path),
      createHash("sha256").update(readFileSync(path)).digest("hex"),
    ]),
  );
}
