/**
 * The names of files, which are repeated in answers, in the archive, in the database and in logs: one that holds a private key is
 * never taken over, and its file is refused under a name of ours.
 */
import { basename, resolve } from "node:path";
import { holdsPrivateKey } from "../../model/private-key.ts";

/** The last part of a path; "name-withheld" where that or a folder on the way to it holds a private key. */
export function safeName(path: string): string {
  return holdsPrivateKey(resolve(path)) ? NAME_WITHHELD : basename(path);
}

/** Whether a file goes by the name of ours, also by one that was given to it when it was claimed. */
export function isNameWithheld(name: string): boolean {
  return basename(name) === NAME_WITHHELD;
}

const NAME_WITHHELD = "name-withheld";
