/**
 * A SQLite database file: opened with the settings that the store counts on, brought to this version, and its errors in words. What is
 * written to it and when that is on the disk is sqlite-store.ts's business.
 */
import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import type { Log } from "../../context/log.ts";
import { fault } from "../../faults/index.ts";
import { migrations } from "../migrations.ts";
import { makePrivately } from "./private-file.ts";
import { isBusy, migrate, migrateOlder, versionOf } from "./sqlite-migration.ts";

const BUSY_TIMEOUT_MS = 10_000;

const CACHE_KIB = 8_192;

/** 16 MiB of changes: a page that many commits change is written back once. */
const CHECKPOINT_PAGES = 4096;

/** Opens or creates it and brings it to this version. Throws DATABASE_UNUSABLE, _VERSION_UNKNOWN, _LAYOUT_UNKNOWN or _IN_USE. */
export function openDatabase(path: string, log?: Log): Database.Database {
  let database: Database.Database | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true });
    // SQLite opens a file that may only be read, and says so at the first change.
    if (existsSync(path)) accessSync(path, constants.W_OK);
    else makePrivately(path);
    const older = olderVersionOf(path);
    if (older !== undefined) {
      const message = `from version ${older} to ${migrations.length}; with many payments it takes minutes, in which nothing else can be done with it`;
      log?.info("the database is brought to this version", { file: path, message });
      migrateOlder(path, BUSY_TIMEOUT_MS);
    }
    database = new Database(path, { timeout: BUSY_TIMEOUT_MS });
    refuseNewerVersion(database, path);
    database.pragma("journal_mode = WAL");
    database.pragma("synchronous = NORMAL");
    database.pragma("foreign_keys = ON");
    database.pragma(`cache_size = -${CACHE_KIB}`);
    database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    migrate(database);
    return database;
  } catch (error) {
    database?.close();
    throw explained(error, path);
  }
}

/**
 * For reading only; undefined where nothing was ever stored. An older one is opened only for a reader of what every version keeps alike.
 * Throws as `openDatabase`, or DATABASE_OUTDATED.
 */
export function openExisting(path: string, isOlderRead = false): Database.Database | undefined {
  if (!existsSync(path)) return undefined;
  let database: Database.Database | undefined;
  try {
    // Not `readonly`: such a connection leaves its WAL files behind. This one writes no more, but tidies up when it closes.
    database = new Database(path, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
    database.pragma("query_only = ON");
    refuseNewerVersion(database, path);
    const [found, known] = [versionOf(database), migrations.length];
    if (found === known || (found > 0 && isOlderRead)) return database;
    if (found > 0) throw fault("DATABASE_OUTDATED", { path, found, known });
    database.close();
    return undefined;
  } catch (error) {
    database?.close();
    throw explained(error, path);
  }
}

/**
 * Writes everything that is committed at one instant to a new file, while others read and write. Throws DATABASE_UNUSABLE,
 * DATABASE_BUSY or DATABASE_VERSION_UNKNOWN.
 */
export function copyDatabase(path: string, target: string): void {
  let database: Database.Database | undefined;
  try {
    database = new Database(path, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
    refuseNewerVersion(database, path);
    database.prepare("vacuum into ?").run(target);
  } catch (error) {
    throw explained(error, path);
  } finally {
    database?.close();
  }
}

/** For reading only, in memory. */
export function openEmpty(): Database.Database {
  const database = new Database(":memory:");
  migrate(database);
  database.pragma("query_only = ON");
  return database;
}

/** Before anything is written: a newer Paydrop may keep its file in another way. */
function refuseNewerVersion(database: Database.Database, path: string): void {
  const found = versionOf(database);
  const known = migrations.length;
  if (found > known) throw fault("DATABASE_VERSION_UNKNOWN", { path, found, known });
}

/** Undefined where it is of this version, or empty. Asked by a connection of its own, which is gone before the database is to be alone. */
function olderVersionOf(path: string): number | undefined {
  const database = new Database(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    const found = versionOf(database);
    return found > 0 && found < migrations.length ? found : undefined;
  } finally {
    database.close();
  }
}

/** The disk's or the file system's failure, not SQLite's. */
export function isIoError(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith("SQLITE_IOERR");
}

/** SQLite's own errors mean nothing to a user; all others are passed on as they are. */
export function explained(error: unknown, path: string): unknown {
  if (error instanceof Database.SqliteError) {
    if (isBusy(error)) return fault("DATABASE_BUSY", { path }, {}, { cause: error });
    return fault("DATABASE_UNUSABLE", { path, reason: error.message }, {}, { cause: error });
  }
  const isSystemError = error instanceof Error && "syscall" in error;
  const isMissingFolder = error instanceof TypeError && error.message.includes("directory does not exist");
  if (isSystemError || isMissingFolder) {
    return fault("DATABASE_UNUSABLE", { path, reason: error.message }, {}, { cause: error });
  }
  return error;
}
