/**
 * Files that only the owner and the group may open: whoever may read a file that others lock can lock it too, and keep
 * everything from being sent.
 */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  realpathSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/** Before the umask. SQLite gives what it puts beside a database the same mode. */
export const PRIVATE_MODE = 0o660;

/**
 * Creates it empty, which is a new database to SQLite. A file that is there is left as it is. Throws the system's
 * error.
 */
export function makePrivately(path: string): void {
  closeSync(openSync(path, "a", PRIVATE_MODE));
}

/**
 * The database and its files that anybody may open; none if a folder above keeps others out, and on Windows, which has
 * no such modes.
 */
export function openToAnybody(path: string): string[] {
  const there = realpathSync(path);
  const isOpen = (file: string, bits: number) =>
    ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & bits) !== 0;
  if (process.platform === "win32" || !foldersAbove(there).every((each) => isOpen(each, 0o001))) return [];
  return filesOf(there).filter((file) => isOpen(file, 0o006));
}

/**
 * Which of the database's folder, the database and its files this process may not write to, in words; undefined if
 * there is none. SQLite names none of them. A file beside it keeps the mode that the database had when it was made.
 */
export function whyClosed(path: string): string | undefined {
  const there = existsSync(path) ? realpathSync(path) : path;
  const folder = dirname(there);
  const inFolder = () =>
    (existsSync(folder) ? filesOf(there) : []).find((file) => isClosed(file, READ_AND_WRITE));
  const closed = isClosed(folder, READ_AND_WRITE | constants.X_OK) ? folder : inFolder();
  return closed && `permission is missing for ${closed}`;
}

const READ_AND_WRITE = constants.R_OK | constants.W_OK;

function isClosed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && CLOSED.has(error.code);
  }
}

const CLOSED: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "EROFS"]);

/** The database and the files that belong to it, as far as they are there. */
function filesOf(path: string): string[] {
  const folder = dirname(path);
  return readdirSync(folder)
    .filter((name) => name.startsWith(basename(path)) && LOCKED.test(name.slice(basename(path).length)))
    .map((name) => join(folder, name));
}

/** What a file of the database adds to its name. Others may lie beside it: a stop order, a copy. */
const LOCKED = /^(?:|-wal|-shm|-journal|\.anchor|\.lane-.*)$/;

function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...foldersAbove(folder)];
}
