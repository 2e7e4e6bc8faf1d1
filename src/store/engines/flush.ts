/**
 * Flushes SQLite's write-ahead log to disk in the background. A flush takes milliseconds, in which the process can go
 * on receiving answers and sending requests.
 */
import { close, fdatasync, open, realpathSync } from "node:fs";
import { promisify } from "node:util";

export interface Flush {
  /**
   * Must not be called again before it has resolved, which is once everything committed before the call is on disk.
   * Rejects with the system's error.
   */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Flushes the write-ahead log of a database. Somebody must keep the database open: SQLite removes the log with the last
 * connection.
 */
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
