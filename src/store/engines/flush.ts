/** Flushes SQLite's write-ahead log in the background, so that requests and answers need not wait. */
import { close, fdatasync, open, realpathSync, statSync } from "node:fs";
import { promisify } from "node:util";
import { fault } from "../../faults/index.ts";

export interface Flush {
  /**
   * Runs one flush at a time. Resolves once everything committed before the call is on disk. Rejects with the
   * system's error, or with DATABASE_UNUSABLE if a file of the database was deleted or replaced.
   */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** For a database that stays open: SQLite removes the log with the last connection. */
export function logFlush(databasePath: string): Flush {
  // SQLite follows links before it names its files. The log's index (-shm) holds the locks: processes with
  // different ones would not see each other's locks and would overwrite each other's commits.
  const path = realpathSync(databasePath);
  const inodes = () => [databasePath, `${path}-wal`, `${path}-shm`].map(inodeOf).join();
  const inodesAtFirst = inodes();
  let descriptor: number | undefined;
  return {
    flush: async () => {
      descriptor ??= await opened(`${path}-wal`, "r+");
      await flushed(descriptor);
      // The path may now name another file, because the folder was deleted and recreated or a backup was restored.
      // Writes would go to the deleted file.
      if (inodes() !== inodesAtFirst)
        throw fault("DATABASE_UNUSABLE", { path: databasePath, reason: REPLACED });
    },
    close: async () => {
      if (descriptor !== undefined) await closed(descriptor);
      descriptor = undefined;
    },
  };
}

/** Undefined if there is no such file. */
function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

const REPLACED =
  "a file of it (-wal and -shm are files of it too) was deleted or replaced while this process worked with it; " +
  "start it again";

const opened = promisify(open);
const flushed = promisify(fdatasync);
const closed = promisify(close);
