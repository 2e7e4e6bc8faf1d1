/**
 * One sender per key: an operating-system lock on a file of its own, held for the life of the process and released by
 * the system when the process dies, however it dies. A stopped process keeps it.
 */
import { existsSync, realpathSync } from "node:fs";
import Database from "better-sqlite3";
import { fault } from "../../faults/index.ts";
import { makePrivately } from "./private-file.ts";

export interface LaneLock {
  release(): void;
}

/** A lock file that nobody refers to would be closed by the garbage collector, and its lane would be free. */
const held = new Set<Database.Database>();

/** Takes the lane of a key beside its database, which must exist, or throws LANE_TAKEN at once. */
export function takeLane(databasePath: string, keyId: string): LaneLock {
  let path = databasePath;
  let lockFile: Database.Database | undefined;
  try {
    // One database may have several names, but it has one lane.
    path = `${realpathSync(databasePath)}.lane-${keyId}`;
    if (!existsSync(path)) makePrivately(path);
    lockFile = new Database(path, { timeout: 0 });
    // SQLite's exclusive transaction is a POSIX or Windows file lock; nothing is ever written.
    lockFile.exec("BEGIN EXCLUSIVE");
    return holding(lockFile);
  } catch (error) {
    lockFile?.close();
    if (error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY")) {
      throw fault("LANE_TAKEN", { holder: "" }, {}, { cause: error });
    }
    throw fault("DATABASE_UNUSABLE", { path, reason: String(error) }, {}, { cause: error });
  }
}

function holding(lockFile: Database.Database): LaneLock {
  held.add(lockFile);
  return {
    release: () => {
      held.delete(lockFile);
      lockFile.close();
    },
  };
}
