/**
 * Opens a SQLite database file with the settings that the store relies on, migrates it to this version, and
 * explains its errors. sqlite-store.ts decides what is written and when it is flushed.
 */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import type { Log } from "../../context/log.ts";
import { type Fault, fault } from "../../faults/index.ts";
import { findMoved, movedFault } from "../moved.ts";
import type { SqlRow, Transaction } from "../sql.ts";
import { presentVersion } from "../upgrades.ts";
import { makePrivately, whyUnwritable } from "./private-file.ts";
import { isBusy, migrate, migrateOlder, versionOf } from "./sqlite-migration.ts";

const BUSY_TIMEOUT_MS = 10_000;

const CACHE_KIB = 8_192;

/** 16 MiB of changes, so that a page changed by many commits is written back once. */
const CHECKPOINT_PAGES = 4096;

/** Returns log space of a long transaction or a backup to the disk before the last process ends. */
const LOG_KEPT_BYTES = 64 * 1024 * 1024;

/** Creates or migrates it. Throws DATABASE_UNUSABLE, _LOG_LEFT, _VERSION_UNKNOWN, _LAYOUT_UNKNOWN or _IN_USE. */
export function openDatabase(path: string, log?: Log): Database.Database {
  let database: Database.Database | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true });
    // SQLite would open a read-only file and fail only at the first change.
    if (existsSync(path)) accessSync(path, constants.W_OK);
    else makePrivately(path);
    refuseLeftLog(path);
    const older = olderVersionOf(path);
    if (older !== undefined) {
      const message =
        `from version ${older} to ${presentVersion()}; with many payments it takes minutes, in ` +
        `which nothing else can be done with it`;
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
    database.pragma(`journal_size_limit = ${LOG_KEPT_BYTES}`);
    migrate(database);
    addServerFunctions(database);
    refuseMoved(database, path);
    return database;
  } catch (error) {
    database?.close();
    throw explained(error, path);
  }
}

/**
 * Opens the database for reading only; undefined if nothing was ever stored. `isOlderRead`: accept an older
 * version, for a reader of what all versions have in common. Throws like `openDatabase`, or DATABASE_OUTDATED.
 */
export function openExisting(path: string, isOlderRead = false): Database.Database | undefined {
  if (!existsSync(path)) return undefined;
  let database: Database.Database | undefined;
  try {
    refuseLeftLog(path);
    // Not `readonly`: such a connection leaves WAL files. This one does not write either, and removes them.
    database = new Database(path, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
    database.pragma("query_only = ON");
    refuseNewerVersion(database, path);
    const [found, known] = [versionOf(database), presentVersion()];
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
 * Copies one instant while others write. Throws OUTPUT_UNWRITABLE, DATABASE_UNUSABLE, _LOG_LEFT, _BUSY or
 * _VERSION_UNKNOWN.
 */
export function copyDatabase(path: string, target: string): void {
  let database: Database.Database | undefined;
  try {
    refuseLeftLog(path);
    database = new Database(path, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
    refuseNewerVersion(database, path);
    database.prepare("vacuum into ?").run(target);
  } catch (error) {
    // Only the copy is written to.
    const isTargets = error instanceof Database.SqliteError && /^SQLITE_(FULL|IOERR_WRITE)$/.test(error.code);
    if (!isTargets) throw explained(error, path);
    throw fault("OUTPUT_UNWRITABLE", { path: dirname(target), reason: error.message }, {}, { cause: error });
  } finally {
    database?.close();
  }
}

/**
 * The version of a copy (0 for an empty file) and the damage in its pages, which is checked only with `isThorough`.
 * For reading only. Throws DATABASE_UNUSABLE if the file is no database.
 */
export function examineCopy(
  path: string,
  isThorough: boolean,
): { readonly version: number; readonly damage: string | undefined } {
  let database: Database.Database | undefined;
  try {
    database = new Database(path, { readonly: true, fileMustExist: true });
    const version = versionOf(database);
    const [found] = isThorough
      ? (database.pragma("integrity_check(1)") as { integrity_check: string }[])
      : [];
    const said = found?.integrity_check;
    return { version, damage: said === "ok" ? undefined : said };
  } catch (error) {
    throw explained(error, path);
  } finally {
    database?.close();
  }
}

/** Throws DATABASE_MOVED: a file that nobody pays from any more must not take in anything. */
function refuseMoved(database: Database.Database, path: string): void {
  const moved = runOn(database, findMoved());
  if (moved !== undefined) throw movedFault(path, moved);
}

/**
 * Runs a transaction's statements on an open database. `prepare`: of a store, which keeps its statements; by default
 * each is prepared once more, while a database is being opened or moved.
 */
export function runOn<Result>(
  database: Database.Database,
  transaction: Transaction<Result>,
  prepare = (text: string): Database.Statement => database.prepare(text),
): Result {
  let step = transaction.next([]);
  while (!step.done) {
    const { text, values } = step.value;
    const statement = prepare(text);
    const rows = statement.reader
      ? statement.all(...values)
      : [{ changed: statement.run(...values).changes }];
    step = transaction.next(rows as SqlRow[]);
  }
  return step.value;
}

/** Stubs for the PostgreSQL functions in our statements: no other machine can listen to a file. */
function addServerFunctions(database: Database.Database): void {
  database.function("pg_notify", { varargs: true }, () => null);
}

/** For reading only, in memory. */
export function openEmpty(): Database.Database {
  const database = new Database(":memory:");
  migrate(database);
  database.pragma("query_only = ON");
  return database;
}

/** Checked before anything is written, because a newer Paydrop may use its file differently. */
function refuseNewerVersion(database: Database.Database, path: string): void {
  const found = versionOf(database);
  const known = presentVersion();
  if (found > known) throw fault("DATABASE_VERSION_UNKNOWN", { path, found, known });
}

/**
 * The version of an older database; undefined if empty or current. The connection is closed first, because the
 * migration needs the file to itself.
 */
function olderVersionOf(path: string): number | undefined {
  const database = new Database(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    const found = versionOf(database);
    return found > 0 && found < presentVersion() ? found : undefined;
  } finally {
    database.close();
  }
}

/** A failure of the disk or file system, not of SQLite. */
export function isIoError(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith("SQLITE_IOERR");
}

/** Turns SQLite's errors into faults that a user understands; returns all others unchanged. */
export function explained(error: unknown, path: string): unknown {
  if (error instanceof Database.SqliteError) {
    if (isBusy(error)) {
      const reason = "another process has locked it";
      return fault("DATABASE_BUSY", { path, reason }, {}, { cause: error });
    }
    return unusable(error, path);
  }
  const isSystemError = error instanceof Error && "syscall" in error;
  const isMissingFolder = error instanceof TypeError && error.message.includes("directory does not exist");
  return isSystemError || isMissingFolder ? unusable(error, path) : error;
}

function unusable(error: Error, path: string): Fault {
  const isDenied = !(error instanceof Database.SqliteError) || /^SQLITE_(CANTOPEN|READONLY)/.test(error.code);
  const reason = (isDenied ? whyUnwritable(path) : undefined) ?? error.message;
  return fault("DATABASE_UNUSABLE", { path, reason }, {}, { cause: error });
}

/**
 * Each file is checked once, before this process first opens it, because closing any descriptor of a file releases
 * all POSIX locks that the process has on it.
 */
const looked = new Set<string>();

/**
 * Throws DATABASE_LOG_LEFT for a backup that was copied over a database whose log was left. SQLite would apply that
 * log, which belongs to another file, and produce neither of the two. Only backups made by `paydrop backup` are
 * recognised.
 */
function refuseLeftLog(path: string): void {
  const there = realpathSync(path);
  if (looked.has(there)) return;
  looked.add(there);
  const log = `${there}-wal`;
  const hasLog = (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (hasLog && journalVersionOf(there) === ROLLBACK_JOURNAL)
    throw fault("DATABASE_LOG_LEFT", { path: there });
}

/** Position in the file's header: https://www.sqlite.org/fileformat.html#file_format_version_numbers */
const VERSION_OFFSET_BYTES = 18;

/** Marks a backup. A database with a log has 2 here, written before its log. */
const ROLLBACK_JOURNAL = 1;

function journalVersionOf(path: string): number | undefined {
  const descriptor = openSync(path, "r");
  try {
    const header = Buffer.alloc(1);
    return readSync(descriptor, header, 0, 1, VERSION_OFFSET_BYTES) === 1 ? header[0] : undefined;
  } finally {
    closeSync(descriptor);
  }
}
