/**
 * The store on a SQLite file with a write-ahead log.
 * When `write` resolves, its commit is on disk. This file flushes the log instead of SQLite (synchronous=NORMAL),
 * which would block the process. Another process may read a commit before it is flushed, but its own writes follow
 * in the same log and reach the disk only after that commit.
 * Transactions requested together share one commit and so one flush (context/group-commit.ts); each still happens
 * whole or not at all. Not for network shares, whose locks cannot be trusted.
 */
import type Database from "better-sqlite3";
import { pacedCommits, type ScheduleCommit } from "../../context/group-commit.ts";
import type { Log } from "../../context/log.ts";
import { type Anchor, AnchorKeeper, type AnchorPoint, anchorPoint, checkAnchor } from "../anchor.ts";
import type { Transaction } from "../sql.ts";
import type { Lane, Store } from "../store.ts";
import { type Flush, logFlush } from "./flush.ts";
import { takeLaneLock } from "./lane-lock.ts";
import { explained, isIoError, openDatabase, openEmpty, openExisting, runOn } from "./sqlite-database.ts";
import { rejectAll, resolveAll, type Waiting, waitIn } from "./waiting.ts";

export interface StoreOptions {
  readonly scheduleCommit?: ScheduleCommit;
  readonly flush?: Flush;
  /** Moved after every flush. */
  readonly anchor?: Anchor;
  /** Gets an entry if an older database is migrated. */
  readonly log?: Log;
}

/** Creates or migrates it. Throws DATABASE_UNUSABLE, _VERSION_UNKNOWN, _LAYOUT_UNKNOWN or _IN_USE. */
export function openSqliteStore(
  path: string,
  { scheduleCommit = pacedCommits(), flush, anchor, log }: StoreOptions = {},
): Store {
  const database = openDatabase(path, log);
  const itsFlush = flush ?? (database.memory ? NO_FLUSH : logFlush(path));
  return sqliteStore(path, database, { scheduleCommit, flush: itsFlush, anchor });
}

/**
 * Opens the database for reading only: nothing is created or migrated, and `write` fails. If there is no database,
 * an empty one in memory stands in. Throws DATABASE_UNUSABLE, DATABASE_VERSION_UNKNOWN or DATABASE_OUTDATED.
 */
export function openSqliteStoreForReading(path: string): Store {
  return storeForReading(path, openExisting(path));
}

/**
 * Opens a copy of any version, such as one made before an upgrade, to read the audit record, which all versions
 * have in common. Throws like `openSqliteStoreForReading`.
 */
export function openSqliteCopy(path: string): Store {
  return storeForReading(path, openExisting(path, true));
}

function storeForReading(path: string, existing: Database.Database | undefined): Store {
  return existing === undefined
    ? openEmptyStore()
    : sqliteStore(path, existing, { scheduleCommit: setImmediate, flush: NO_FLUSH });
}

export function openEmptyStore(): Store {
  return sqliteStore(":memory:", openEmpty(), { scheduleCommit: setImmediate, flush: NO_FLUSH });
}

/** For a store that writes nothing, or only to memory. */
const NO_FLUSH: Flush = { flush: async () => undefined, close: async () => undefined };

/** Transactions committed together, until they are on disk. */
interface Committed {
  readonly callers: readonly Waiting[];
  readonly results: readonly unknown[];
  readonly point: AnchorPoint | undefined;
}

function sqliteStore(
  path: string,
  database: Database.Database,
  given: { scheduleCommit: ScheduleCommit; flush: Flush; anchor?: Anchor | undefined },
): Store {
  const { scheduleCommit, flush } = given;
  const prepared = new Map<string, Database.Statement>();
  const anchor = given.anchor && new AnchorKeeper(given.anchor, isBehind(given.anchor));
  const waiting: Waiting[] = [];
  /** Pending until the last commit is on disk and its callers have their results. */
  let flushing: Promise<void> | undefined;
  /**
   * Why nothing more is written: after a failed flush, a later success does not prove that its data reached the
   * disk.
   */
  let broken: unknown;
  return { isShared: false, read, write, takeLane, close };

  async function read<Result>(transaction: () => Transaction<Result>): Promise<Result> {
    try {
      prepare("BEGIN").run();
      const result = toEnd(transaction());
      prepare("COMMIT").run();
      return result;
    } catch (error) {
      rollBack();
      throw explained(error, path);
    }
  }

  function write<Result>(transaction: () => Transaction<Result>): Promise<Result> {
    const result = waitIn(waiting, transaction);
    if (waiting.length === 1) commitSoon();
    return result;
  }

  /** Needs no `sendingMs`: requests end with their process, and so does the lock. */
  async function takeLane(keyId: string): Promise<Lane> {
    const { enter, fence, leave, stopOrder, release } = takeLaneLock(path, keyId);
    try {
      await write(enter);
    } catch (error) {
      release();
      throw error;
    }
    return {
      fence,
      whyClosed: () => undefined,
      stopOrder,
      // If the database cannot be written, it still names this holder; the next process that locks the same file
      // takes over.
      release: () => Promise.allSettled([write(leave)]).then(release),
    };
  }

  async function close(): Promise<void> {
    await flushing;
    commitWaiting();
    await flushing;
    await flush.close();
    database.close();
    anchor?.close();
  }

  /** During a flush the next commit gathers; it begins when the flush has ended. */
  function commitSoon(): void {
    if (flushing === undefined) scheduleCommit(() => commitWaiting());
  }

  /** Commits all waiting transactions as one. One that fails by itself is left out, and the others run again. */
  function commitWaiting(): void {
    if (flushing !== undefined) return;
    let callers: readonly Waiting[] = waiting.splice(0);
    while (callers.length > 0) {
      const attempt = commit(callers);
      if (attempt === undefined) return;
      if ("results" in attempt) {
        flushing = settle(attempt);
        return;
      }
      callers = callers.filter((caller) => caller !== attempt.failed);
    }
  }

  /**
   * Undefined if nothing was committed and all callers have their errors. If one transaction fails by itself, only
   * its caller gets the error, and it is returned. Savepoints would avoid running the others again, but they copy
   * each changed page, and failures are very rare.
   */
  function commit(callers: readonly Waiting[]): Committed | { readonly failed: Waiting } | undefined {
    if (broken !== undefined) return void rejectAll(callers, broken);
    const results: unknown[] = [];
    let current: Waiting | undefined;
    try {
      prepare("BEGIN IMMEDIATE").run();
      for (current of callers) results.push(toEnd(current.transaction()));
      current = undefined;
      const point = anchor === undefined ? undefined : toEnd(anchorPoint());
      prepare("COMMIT").run();
      return { callers, results, point };
    } catch (error) {
      // For some errors (a full disk) SQLite ends the whole transaction, whichever statement failed.
      const isOwn = current !== undefined && database.inTransaction;
      rollBack();
      const explanation = explained(error, path);
      if (isIoError(error)) broken = explanation;
      if (current === undefined || !isOwn) return void rejectAll(callers, explanation);
      current.reject(explanation);
      return { failed: current };
    }
  }

  /** Flushes, then answers the callers. After a failed flush nothing more is written. Never rejects. */
  async function settle({ callers, results, point }: Committed): Promise<void> {
    try {
      await flush.flush();
      if (point !== undefined) broken = anchor?.move(point);
      resolveAll(callers, results);
    } catch (error) {
      broken = explained(error, path);
      rejectAll(callers, broken);
    }
    flushing = undefined;
    if (waiting.length > 0) commitSoon();
  }

  function isBehind(anchor: Anchor): boolean {
    try {
      toEnd(checkAnchor(anchor)());
      return false;
    } catch {
      // The check before the first send reports the reason.
      return true;
    }
  }

  function rollBack(): void {
    if (database.inTransaction) prepare("ROLLBACK").run();
  }

  function toEnd<Result>(transaction: Transaction<Result>): Result {
    return runOn(database, transaction, prepare);
  }

  function prepare(text: string): Database.Statement {
    const known = prepared.get(text);
    if (known !== undefined) return known;
    const statement = database.prepare(text);
    prepared.set(text, statement);
    return statement;
  }
}
