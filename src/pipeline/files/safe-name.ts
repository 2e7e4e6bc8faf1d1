/**
 * The names of files, which are repeated in answers, in the archive, in the database and in logs: one that holds a private key is
 * never taken over, and its file is refused under a name that we choose.
 */
import { basename, resolve } from "node:path";
import { type Problem, problem } from "../../faults/index.ts";
import { holdsPrivateKey } from "../../model/private-key.ts";

/** The last part of a path; "name-withheld" where that or a folder on the way to it holds a private key. */
export function safeName(path: string): string {
  return holdsPrivateKey(resolve(path)) ? NAME_WITHHELD : basename(path);
}

/** Whether a file goes by that name, also where it was given to it when it was claimed. */
export function isNameWithheld(name: string): boolean {
  return basename(name) === NAME_WITHHELD;
}

/** What keeps a file of this name from being claimed, archived and answered, whose names are longer; undefined where nothing does. */
export function longName(name: string): Problem | undefined {
  // A totals file is judged by its payout file, whose name is no longer.
  const bytes = Buffer.byteLength(basename(name).replace(/\.totals\.(?:csv|txt)$/i, ""));
  if (bytes <= NAME_BYTES_MAX) return undefined;
  const reason = `has ${bytes} bytes, and at most ${NAME_BYTES_MAX} leave room for the names of its answers`;
  return problem("FILE_NAME_UNUSABLE", { reason }, { file: name });
}

/** What keeps a file from being found again under the name that its folder lists; undefined where it has just been taken away. */
export function garbledName(name: string): Problem | undefined {
  if (!name.includes(REPLACEMENT_CHARACTER)) return undefined;
  return problem("FILE_NAME_UNUSABLE", { reason: "is not written in UTF-8" }, { file: safeName(name) });
}

const REPLACEMENT_CHARACTER = "\ufffd";

/** File systems take 255; a claim has 37 more, and `.B-000001.rejected.totals.csv.txt` is the longest end of an answer. */
const NAME_BYTES_MAX = 200;

const NAME_WITHHELD = "name-withheld";
