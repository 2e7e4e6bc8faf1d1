/**
 * Puts on the disk what SQLite has appended to its write-ahead log, without keeping the process waiting for it: a disk takes
 * milliseconds for that, in which answers come in and requests leave.
 */
import { close, fdatasync, open, realpathSync } from "node:fs";
import { promisify } from "node:util";

export interface Flush {
  /** Resolves once everything that was committed before the call is on the disk. Rejects with the system's error. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Of the write-ahead log of a database that somebody has open for as long: SQLite removes it when the last one closes. */
export function logFlush(databasePath: string): Flush {
  let opening: Promise<number> | undefined;
  return {
    flush: async () => {
      // SQLite too follows links before it names its log.
      opening ??= opened(`${realpathSync(databasePath)}-wal`, "r+");
      await flushed(await opening);
    },
    close: async () => {
      const descriptor = await opening;
      opening = undefined;
      if (descriptor !== undefined) await closed(descriptor);
    },
  };
}

const opened = promisify(open);
const flushed = promisify(fdatasync);
const closed = promisify(close);
