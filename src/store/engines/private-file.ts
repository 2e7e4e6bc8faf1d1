/**
 * Files that only the owner and the group may open: whoever may read a file that others lock can lock it too, and keep
 * everything from being sent.
 */
import { closeSync, openSync } from "node:fs";

/** Before the umask. SQLite gives what it puts beside a database the same mode. */
export const PRIVATE_MODE = 0o660;

/** Creates it empty, which is a new database to SQLite. A file that is there is left as it is. Throws the system's error. */
export function makePrivately(path: string): void {
  closeSync(openSync(path, "a", PRIVATE_MODE));
}
