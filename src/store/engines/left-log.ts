/**
 * Notices a backup that was copied over a database whose log was left. SQLite would apply the log's pages, which are
 * another file's, to it: what comes out is neither of the two.
 */
import { closeSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { fault } from "../../faults/index.ts";

/**
 * Only before this process first opens a database: closing any descriptor of a file ends the locks (POSIX) that the
 * process has on it.
 */
const looked = new Set<string>();

/** Throws DATABASE_LOG_LEFT. Whatever was restored otherwise than from `paydrop backup` cannot be recognised. */
export function refuseLeftLog(path: string): void {
  const there = realpathSync(path);
  if (looked.has(there)) return;
  looked.add(there);
  const log = `${there}-wal`;
  const hasLog = (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (hasLog && journalVersionOf(there) === ROLLBACK_JOURNAL)
    throw fault("DATABASE_LOG_LEFT", { path: there });
}

/** In the file's header, https://www.sqlite.org/fileformat.html#file_format_version_numbers */
const VERSION_OFFSET_BYTES = 18;

/** A backup's own. Each database that has a log says 2, since it says so before the log is written. */
const ROLLBACK_JOURNAL = 1;

function journalVersionOf(path: string): number | undefined {
  const descriptor = openSync(path, "r");
  try {
    const header = Buffer.alloc(1);
    return readSync(descriptor, header, 0, 1, VERSION_OFFSET_BYTES) === 1 ? header[0] : undefined;
  } finally {
    closeSync(descriptor);
  }
}
