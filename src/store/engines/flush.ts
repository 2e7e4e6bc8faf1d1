/** Flushes SQLite's write-ahead log in the background, so that requests and answers need not wait. */
import { close, fdatasync, open, realpathSync } from "node:fs";
import { promisify } from "node:util";

export interface Flush {
  /** One at a time. Resolves once everything committed before the call is on disk; rejects with the system's error. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Somebody must keep the database open: SQLite removes the log with the last connection. */
export function logFlush(databasePath: string): Flush {
  let descriptor: number | undefined;
  return {
    flush: async () => {
      // SQLite follows links too before it names its log.
      descriptor ??= await opened(`${realpathSync(databasePath)}-wal`, "r+");
      await flushed(descriptor);
    },
    close: async () => {
      if (descriptor !== undefined) await closed(descriptor);
      descriptor = undefined;
    },
  };
}

const opened = promisify(open);
const flushed = promisify(fdatasync);
const closed = promisify(close);
