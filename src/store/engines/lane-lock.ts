/**
 * One sender per key on one machine: an operating-system lock on a separate file, held for the life of the process and
 * released by the system however the process dies. A suspended process keeps it.
 */
import { existsSync, realpathSync } from "node:fs";
import Database from "better-sqlite3";
import { fault } from "../../faults/index.ts";
import { makePrivately } from "./private-file.ts";
import { explained } from "./sqlite-database.ts";

export interface LaneLock {
  release(): void;
}

/** Keeps lock files referenced: the garbage collector would close them and free their lanes. */
const held = new Set<Database.Database>();

/** Takes the lane of a key beside its database, which must exist. Throws LANE_TAKEN at once if it is held. */
export function takeLane(databasePath: string, keyId: string): LaneLock {
  let path = databasePath;
  let lockFile: Database.Database | undefined;
  try {
    // A database may have several paths, but only one lane.
    path = `${realpathSync(databasePath)}.lane-${keyId}`;
    if (!existsSync(path)) makePrivately(path);
    lockFile = new Database(path, { timeout: 0 });
    // SQLite's exclusive transaction is a POSIX or Windows file lock. Nothing is ever written.
    lockFile.exec("BEGIN EXCLUSIVE");
    return lockOn(lockFile);
  } catch (error) {
    lockFile?.close();
    if (error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY")) {
      throw fault("LANE_TAKEN", { holder: "" }, {}, { cause: error });
    }
    throw explained(error, path);
  }
}

function lockOn(lockFile: Database.Database): LaneLock {
  held.add(lockFile);
  return {
    release: () => {
      held.delete(lockFile);
      lockFile.close();
    },
  };
}
