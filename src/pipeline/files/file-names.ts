/**
 * The names of sent files and of their answers. A sent name is repeated in answers, the archive, the database and logs: one
 * that contains a private key is therefore replaced, and its file refused.
 */
import { basename, dirname, extname, join, resolve } from "node:path";
import { type Problem, problem } from "../../faults/index.ts";
import { holdsPrivateKey } from "../../model/private-key.ts";

/** The last part of a path; "name-withheld" if that or a folder above it contains a private key. */
export function safeName(path: string): string {
  return holdsPrivateKey(resolve(path)) ? NAME_WITHHELD : basename(path);
}

/** Whether a file's name was withheld, now or when it was claimed. */
export function isNameWithheld(name: string): boolean {
  return basename(name) === NAME_WITHHELD;
}

/**
 * The problem of a name too long for the names derived from it, or not to be opened as its folder lists it
 * (`isUnopened`); undefined if there is none.
 */
export function unusableName(name: string, isUnopened = false): Problem | undefined {
  // A totals file is judged by its payout file's name, which is as long without the suffix.
  const bytes = Buffer.byteLength(basename(name).replace(/\.totals\.(?:csv|txt)$/i, ""));
  const isGarbled = isUnopened && name.includes("\ufffd");
  if (bytes <= NAME_BYTES_MAX && !isGarbled) return undefined;
  const reason = isGarbled
    ? "is not written in UTF-8"
    : `has ${bytes} bytes, and at most ${NAME_BYTES_MAX} leave room for the names of its answers`;
  return problem("FILE_NAME_UNUSABLE", { reason }, { file: name });
}

/** File systems allow 255 bytes. A claim adds 37; `.B-000001.rejected.totals.csv.txt` is the longest suffix. */
const NAME_BYTES_MAX = 200;

const NAME_WITHHELD = "name-withheld";

/** "acme/payroll" for a file and for all its corrections. */
export function sentStem(file: string): string {
  return join(dirname(file), basename(file, extname(file)).replace(/(?:\.rejected)+$/, ""));
}
