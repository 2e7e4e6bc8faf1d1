/**
 * Files that only the owner and the group may open: whoever may read a file that others lock can lock it too, and keep
 * everything from being sent.
 */
import { closeSync, openSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Before the umask. SQLite gives what it puts beside a database the same mode. */
export const PRIVATE_MODE = 0o660;

/** Creates it empty, which is a new database to SQLite. A file that is there is left as it is. Throws the system's error. */
export function makePrivately(path: string): void {
  closeSync(openSync(path, "a", PRIVATE_MODE));
}

/**
 * The database and its files that anybody may open; none if a folder above keeps others out, and on Windows, which has
 * no such modes.
 */
export function openToAnybody(path: string): string[] {
  const there = realpathSync(path);
  const [folder = "", ...above] = foldersAbove(there);
  const isOpen = (file: string, bits: number) =>
    ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & bits) !== 0;
  if (process.platform === "win32" || ![folder, ...above].every((each) => isOpen(each, 0o001))) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith(basename(there)) && LOCKED.test(name.slice(basename(there).length)))
    .map((name) => join(folder, name))
    .filter((file) => isOpen(file, 0o006));
}

/** What a file of the database adds to its name. Others may lie beside it: a stop order, a copy. */
const LOCKED = /^(?:|-wal|-shm|-journal|\.anchor|\.lane-.*)$/;

function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...foldersAbove(folder)];
}
