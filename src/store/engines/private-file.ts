/**
 * Files that only the owner and the group may open: anyone who can read a file that others lock could lock it too
 * and stop all sending.
 */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  openSync,
  readdirSync,
  realpathSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/** Before the umask. SQLite gives the files beside a database the same mode. */
const PRIVATE_MODE = 0o660;

/** Set-group-id, and writable by the group. */
const SHARED_BY_GROUP = 0o2020;

/**
 * Creates an empty file, which SQLite treats as a new database. In a folder that its group shares (mode 2770) the
 * group may write it whatever the umask: sudo and most logins set one that would lock out all approvers. Leaves an
 * existing file unchanged. Throws the system's error.
 */
export function makePrivately(path: string): void {
  const isNew = !existsSync(path);
  const descriptor = openSync(path, "a", PRIVATE_MODE);
  const isShared = (statSync(dirname(path)).mode & SHARED_BY_GROUP) === SHARED_BY_GROUP;
  if (isNew && isShared) fchmodSync(descriptor, PRIVATE_MODE);
  closeSync(descriptor);
}

/**
 * Opens a file beside a database. A new one gets the database's mode, and if root creates it the database's owner, as
 * SQLite's own files do: otherwise one command of root, or of an approver with another umask, would lock the daemon
 * out. For a database on a server (undefined) the folder takes its place. Throws the system's error.
 */
export function openBeside(database: string | undefined, path: string, flags: "a" | "r+" | "w+"): number {
  const isNew = !existsSync(path);
  const descriptor = openSync(path, flags, PRIVATE_MODE);
  const like = statSync(database ?? dirname(path), { throwIfNoEntry: false });
  if (!isNew || like === undefined) return descriptor;
  fchmodSync(descriptor, like.mode & PRIVATE_MODE);
  if (process.geteuid?.() === 0) fchownSync(descriptor, like.uid, like.gid);
  return descriptor;
}

/**
 * Those of the database and its side files that anybody may open. Empty if a folder above keeps others out, and on
 * Windows, which has no such modes.
 */
export function openToAnybody(path: string): string[] {
  const there = realpathSync(path);
  const isOpen = (file: string, bits: number) =>
    ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & bits) !== 0;
  if (process.platform === "win32" || !foldersAbove(there).every((each) => isOpen(each, 0o001))) return [];
  return filesOf(there).filter((file) => isOpen(file, 0o006));
}

/**
 * Names the first path (folder, database, side file) that this process cannot write to, because SQLite's error
 * names none; undefined if all are writable. A side file keeps the mode that the database had when SQLite created
 * the side file.
 */
export function whyUnwritable(path: string): string | undefined {
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

/** The database and its existing side files. */
function filesOf(path: string): string[] {
  const folder = dirname(path);
  return readdirSync(folder)
    .filter((name) => name.startsWith(basename(path)) && LOCKED.test(name.slice(basename(path).length)))
    .map((name) => join(folder, name));
}

/**
 * The suffixes of the database's own files. Other files, such as a stop order or a copy, may be in the same folder.
 */
const LOCKED = /^(?:|-wal|-shm|-journal|\.anchor|\.lane-.*)$/;

function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...foldersAbove(folder)];
}
