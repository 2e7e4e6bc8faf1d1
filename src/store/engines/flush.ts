/**
 * Puts on the disk what SQLite has appended to its write-ahead log, without keeping the process waiting for it: a disk takes
 * milliseconds for that, in which answers come in and requests leave.
 */
import { close, fdatasync, open, realpathSync } from "node:fs";
import { promisify } from "node:util";

export interface Flush {
  /** One at a time. Resolves once everything that was committed before the call is on the disk. Rejects with the system's error. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Of the write-ahead log of a database that somebody has open for as long: SQLite removes it when the last one closes. */
export function logFlush(databasePath: string): Flush {
  let descriptor: number | undefined;
  return {
    flush: async () => {
      // SQLite too follows links before it names its log.
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
