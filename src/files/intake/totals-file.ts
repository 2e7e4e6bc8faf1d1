/**
 * The totals file beside a payout file: `payroll.totals.csv` or `payroll.totals.txt` beside `payroll.csv` or
 * `payroll.xlsx`. It contains only lines such as `Rows: 40` and `Total BTC: 1.5`, and moves with its payout file.
 */
import type { Dirent } from "node:fs";
import { lstat, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, parse } from "node:path";
import { listFolder, removeForGood, writeWhole } from "../../context/files.ts";
import { Fault, fault } from "../../faults/index.ts";
import { type Line, textOf } from "../../model/grid.ts";
import { DEFAULT_FILE_LIMITS, fileChunks, fileHoldsKey, openSentFile } from "../../readers/index.ts";
import type { TotalsFile } from "../reading/index.ts";

const TOTALS_NAME = /^(.*)(\.totals\.(?:csv|txt))$/i;

/** Enough for a few lines. A payout file that has such a name by mistake is refused for its size or its rows. */
const TOTALS_FILE_LIMITS = { ...DEFAULT_FILE_LIMITS, bytesMax: 64 * 1024 };

export function isTotalsFile(name: string): boolean {
  return TOTALS_NAME.test(name);
}

/**
 * The part of the name that a payout file and its totals file share, without case and accent forms, in which file
 * systems differ. A totals file that matches no payout file would prove nothing.
 */
export function sharedName(name: string): string {
  return (TOTALS_NAME.exec(name)?.[1] ?? parse(name).name).normalize("NFC").toLowerCase();
}

/** The names of the totals files beside the payout file at `path`. */
async function namesBeside(path: string): Promise<string[]> {
  const shared = parse(path).name.normalize("NFC").toLowerCase();
  const names = (await listFolder(dirname(path))).map(({ name }) => name);
  return names.filter((name) => isTotalsFile(name) && sharedName(name) === shared);
}

/** Removes a payout file, and then its totals file, which on its own is only a remnant. */
export async function removeWithTotals(path: string): Promise<void> {
  await removeForGood(path);
  await removeTotalsFile(path);
}

async function removeTotalsFile(path: string): Promise<void> {
  for (const name of await namesBeside(path)) await rm(join(dirname(path), name));
}

/**
 * Reads the totals file beside `path`; undefined if there is none. `name` is the sender's name for the payout file.
 * Throws a Fault about the totals file if it cannot be read or there are two.
 */
export async function readTotalsFile(path: string, name: string): Promise<TotalsFile | undefined> {
  const names = await namesBeside(path);
  const [file, another] = names.map((each) => nameBeside(name, each));
  if (file === undefined) return undefined;
  if (another !== undefined)
    throw fault("TOTALS_FILE_UNCLEAR", { files: `${file} and ${another}` }, { file: name });
  try {
    const [totalsPath = ""] = await onlyFiles(path, names);
    // The totals file is archived and returned to its sender unchanged.
    if (await fileHoldsKey(totalsPath, TOTALS_FILE_LIMITS))
      throw fault("VALUE_IS_SECRET", { field: "the totals file" });
    return { file, lines: await readLines(totalsPath) };
  } catch (error) {
    throw error instanceof Fault ? new Fault({ ...error.problem, file }, { cause: error }) : error;
  }
}

/** The paths of the totals files beside the payout file at `path`. Throws INBOX_ENTRY_NOT_A_FILE. */
export async function totalsFilesBeside(path: string): Promise<string[]> {
  return onlyFiles(path, await namesBeside(path));
}

/**
 * The paths of files beside `path`. Throws INBOX_ENTRY_NOT_A_FILE for anything but a file: totals files are found by
 * name, so a link placed in the inbox could make the answer quote a file that only we may read.
 */
async function onlyFiles(path: string, names: readonly string[]): Promise<string[]> {
  const paths = names.map((name) => join(dirname(path), name));
  for (const each of paths) {
    const what = whatInsteadOfFile(await lstat(each));
    if (what !== undefined) throw fault("INBOX_ENTRY_NOT_A_FILE", { what }, { file: basename(each) });
  }
  return paths;
}

/** A phrase for an entry that is not a regular file; undefined for a regular file. */
export function whatInsteadOfFile(
  entry: Pick<Dirent, "isFile" | "isDirectory" | "isSymbolicLink">,
): string | undefined {
  if (entry.isFile()) return undefined;
  if (entry.isDirectory()) return "a folder";
  return entry.isSymbolicLink() ? "a link" : "a pipe or a device";
}

/**
 * Copies the totals files of one payout file (there may be two) beside another one; returns their paths. Throws
 * TOTALS_FILE_UNCLEAR if two would get the same name.
 */
export async function copyTotalsFiles(from: string, to: string): Promise<string[]> {
  const found = await totalsFilesBeside(from);
  // An archived file that is taken in again is its own copy.
  if (from === to) return found;
  const copies = new Map(found.map((file) => [nameBeside(to, file), file]));
  const files = found.map((file) => basename(file)).join(" and ");
  if (copies.size < found.length) throw fault("TOTALS_FILE_UNCLEAR", { files }, { file: basename(from) });
  await removeTotalsFile(to);
  for (const [path, file] of copies)
    await writeWhole(path, (temporaryPath) => writeFile(temporaryPath, fileChunks(file)));
  return [...copies.keys()];
}

/** The totals file's name for a payout file, with the extension of the one found. */
function nameBeside(payoutFile: string, found: string): string {
  const { dir, name } = parse(payoutFile);
  return join(dir, `${name}${TOTALS_NAME.exec(found)?.[2] ?? ""}`);
}

async function readLines(path: string): Promise<readonly Line[]> {
  const sent = await openSentFile(path, { limits: TOTALS_FILE_LIMITS });
  const { lines, csv } = await sent.readSheet("");
  if (!/\.txt$/i.test(path)) return lines;
  // A text file has no cells: marks that were parsed as delimiters are part of the numbers.
  return lines.map(({ line, cells }) => ({ line, cells: [cells.map(textOf).join(csv?.delimiter)] }));
}
