/**
 * Migrates a SQLite database to this version, whole or not at all. An older one is migrated only while no other
 * process has it open, and only if its layout matches its version.
 */
import Database from "better-sqlite3";
import { fault } from "../../faults/index.ts";
import { presentVersion, refuseTooOld, stepsFrom } from "../upgrades.ts";

/** Migrates a new database; does nothing if it is of this version. */
export function migrate(database: Database.Database): void {
  if (versionOf(database) < presentVersion()) database.transaction(() => apply(database)).immediate();
}

/**
 * Migrates an older database. An older Paydrop still running (`serve`) does not check the version again, and would
 * go on writing without what this version relies on. Throws DATABASE_IN_USE or DATABASE_LAYOUT_UNKNOWN, and then
 * changes nothing.
 */
export function migrateOlder(path: string, timeoutMs: number): void {
  const database = new Database(path, { fileMustExist: true, timeout: timeoutMs });
  try {
    // Set before the first access, which then fails if another process has the file open at all.
    database.pragma("locking_mode = EXCLUSIVE");
    database.transaction(() => bringUp(database, path)).exclusive();
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw fault("DATABASE_IN_USE", { path, known: presentVersion() }, {}, { cause: error });
  } finally {
    database.close();
  }
}

export function versionOf(database: Database.Database): number {
  return Number(database.pragma("user_version", { simple: true }));
}

export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
}

function bringUp(database: Database.Database, path: string): void {
  const found = versionOf(database);
  refuseTooOld(path, found);
  try {
    apply(database);
  } catch (error) {
    // A statement that does not fit the layout has this code; a full disk or a lock have their own.
    if (!(error instanceof Database.SqliteError) || error.code !== "SQLITE_ERROR") throw error;
    throw fault("DATABASE_LAYOUT_UNKNOWN", { path, found, reason: error.message }, {}, { cause: error });
  }
  const missing = missingColumns(database);
  if (missing.length > 0)
    throw fault("DATABASE_LAYOUT_UNKNOWN", { path, found, reason: `it has no ${missing.join(", ")}` });
}

function apply(database: Database.Database): void {
  for (const { layout, sqlite = "", contents = "" } of stepsFrom(versionOf(database))) {
    database.exec(layout + sqlite);
    database.exec(contents);
  }
  database.pragma(`user_version = ${presentVersion()}`);
}

/** Columns that a new database has and this one lacks. */
function missingColumns(database: Database.Database): string[] {
  const fresh = new Database(":memory:");
  try {
    apply(fresh);
    const present = new Set(columnsOf(database));
    return columnsOf(fresh).filter((column) => !present.has(column));
  } finally {
    fresh.close();
  }
}

function columnsOf(database: Database.Database): string[] {
  return database
    .prepare<[], string>(
      `select t.name || '.' || c.name from sqlite_schema as t, pragma_table_info(t.name) as c
        where t.type = 'table' order by 1`,
    )
    .pluck()
    .all();
}
