/** Flushes SQLite's write-ahead log in the background, so that requests and answers need not wait. */
import { close, fdatasync, open, realpathSync, statSync } from "node:fs";
import { promisify } from "node:util";
import { fault } from "../../faults/index.ts";

export interface Flush {
  /**
   * One at a time. Resolves once everything committed before the call is on disk. Rejects with the system's error, or
   * with DATABASE_UNUSABLE if a file of the database has been deleted or another one put in its place.
   */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** For a database that is open, and stays so: SQLite removes the log with the last connection. */
export function logFlush(databasePath: string): Flush {
  // SQLite follows links too before it names its files. Without the same index of the log (-shm), two processes do not
  // see each other's locks and write over each other's commits.
  const path = realpathSync(databasePath);
  const inodes = () => [databasePath, `${path}-wal`, `${path}-shm`].map(inodeOf).join();
  const inodesAtFirst = inodes();
  let descriptor: number | undefined;
  return {
    flush: async () => {
      descriptor ??= await opened(`${path}-wal`, "r+");
      await flushed(descriptor);
      // Otherwise a process whose folder was deleted and made anew, or whose database was replaced by a backup,
      // would work on in a database that nobody can see.
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
  "a file of it (-wal and -shm are files of it too) was deleted or replaced while this process worked with it; start it again";

const opened = promisify(open);
const flushed = promisify(fdatasync);
const closed = promisify(close);
