/**
 * One sender per key on one machine: an operating-system lock on a separate file, held for the life of the process.
 * The system releases it however the process dies; a suspended process keeps it. Somebody may delete that file
 * while it is held, so the database also names the holder, and each of the holder's transactions checks that.
 */
import { closeSync, existsSync, realpathSync, statSync } from "node:fs";
import Database from "better-sqlite3";
import { processId } from "../../context/machine.ts";
import { fault } from "../../faults/index.ts";
import { first, run, sql, type Transaction } from "../sql.ts";
import { openBeside } from "./private-file.ts";
import { findStopOrder } from "./shared-stop-order.ts";
import { explained } from "./sqlite-database.ts";
import { isBusy } from "./sqlite-migration.ts";

export interface LaneLock {
  /**
   * Names this holder in the database. Throws LANE_TAKEN if the former holder still runs and lost its lock file.
   */
  enter(): Transaction<void>;
  /** Throws LANE_LOST if the database names another holder. */
  fence(): Transaction<void>;
  leave(): Transaction<void>;
  /** The stored order as of the last transaction of this holder. */
  stopOrder(): string | undefined;
  release(): void;
}

/** Keeps lock files referenced: the garbage collector would close them and free their lanes. */
const held = new Set<Database.Database>();

/** Takes the lane of a key beside its database, which must exist. Throws LANE_TAKEN at once if it is held. */
export function takeLaneLock(databasePath: string, keyId: string): LaneLock {
  let path = databasePath;
  let lockFile: Database.Database | undefined;
  try {
    // A database may have several paths, but only one lane.
    const database = realpathSync(databasePath);
    path = `${database}.lane-${keyId}`;
    if (!existsSync(path)) closeSync(openBeside(database, path, "a"));
    lockFile = new Database(path, { timeout: 0 });
    // SQLite's exclusive transaction is a POSIX or Windows file lock. Nothing is ever written.
    lockFile.exec("BEGIN EXCLUSIVE");
    const { dev, ino } = statSync(path);
    return { ...holderOf(keyId, `${dev} ${ino}`), ...lockOn(lockFile) };
  } catch (error) {
    lockFile?.close();
    if (!isBusy(error)) throw explained(error, path);
    throw fault("LANE_TAKEN", { holder: "" }, {}, { cause: error });
  }
}

/** `lockFile`: its number on its disk, which no other file has while a process has it open. */
function holderOf(keyId: string, lockFile: string): Omit<LaneLock, "release"> {
  const holder = processId(process.pid) ?? "";
  let ordered: string | undefined;
  return { enter, fence, leave, stopOrder: () => ordered };

  function* enter(): Transaction<void> {
    const former = yield* first<{ readonly lock_file: string; readonly process: string }>(
      sql`select lock_file, process from lane_holder where key_id = ${keyId}`,
    );
    if (former !== undefined && former.lock_file !== lockFile && isRunning(former.process))
      throw fault("LANE_TAKEN", { holder: ` (process ${pidOf(former.process)})` });
    ordered = yield* findStopOrder();
    yield* run(sql`insert into lane_holder (key_id, lock_file, process) values (${keyId}, ${lockFile}, ${holder})
      on conflict (key_id) do update set lock_file = excluded.lock_file, process = excluded.process`);
  }

  function* fence(): Transaction<void> {
    // One statement, because it runs in each transaction of a run.
    const named = yield* first<{ readonly ordered: string | null }>(
      sql`select (select reason from stop_order) as ordered
        from lane_holder where key_id = ${keyId} and lock_file = ${lockFile} and process = ${holder}`,
    );
    if (named === undefined) throw fault("LANE_LOST", { reason: "another process has taken it" });
    ordered = named.ordered ?? undefined;
  }

  function* leave(): Transaction<void> {
    yield* run(sql`delete from lane_holder
      where key_id = ${keyId} and lock_file = ${lockFile} and process = ${holder}`);
  }
}

/** `holder`: as `processId` returns it, "" if it could not. */
function isRunning(holder: string): boolean {
  return holder !== "" && processId(pidOf(holder)) === holder;
}

function pidOf(holder: string): number {
  return Number(holder.split(" ")[1]);
}

function lockOn(lockFile: Database.Database): Pick<LaneLock, "release"> {
  held.add(lockFile);
  return {
    release: () => {
      held.delete(lockFile);
      lockFile.close();
    },
  };
}
