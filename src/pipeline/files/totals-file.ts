/**
 * The totals file beside a payout file: `payroll.totals.csv` or `payroll.totals.txt` beside `payroll.csv` or
 * `payroll.xlsx`. It contains only lines such as `Rows: 40` and `Total BTC: 1.5`, and moves with its payout file.
 */
import type { Dirent } from "node:fs";
import { lstat, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, parse } from "node:path";
import { listFolder, writeWhole } from "../../context/files.ts";
import { Fault, fault } from "../../faults/index.ts";
import type { TotalsFile } from "../../initiation/index.ts";
import { DEFAULT_FILE_LIMITS, fileChunks, fileHoldsKey, openSentFile } from "../../intake/index.ts";
import { type Line, textOf } from "../../model/grid.ts";

const TOTALS_NAME = /^(.*)(\.totals\.(?:csv|txt))$/i;

/** Enough for a few lines; a payout file with such a name by mistake is refused for its size or its rows. */
const TOTALS_FILE_LIMITS = { ...DEFAULT_FILE_LIMITS, bytesMax: 64 * 1024 };

export function isTotalsFile(name: string): boolean {
  return TOTALS_NAME.test(name);
}

/**
 * The name that a payout file shares with its totals file, without case and accent forms, in which file systems differ:
 * totals that match no file would prove nothing.
 */
export function sharedName(payoutFile: string): string {
  return comparable(parse(payoutFile).name);
}

function comparable(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** The totals files among `names`, none of which has a folder, by the name that they share with their payout files. */
export function totalsFilesByName(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return Map.groupBy(names.filter(isTotalsFile), (name) => comparable(TOTALS_NAME.exec(name)?.[1] ?? ""));
}

/** The names of the totals files among `entries` that belong to the payout file at `path`. */
function totalsFilesAmong(entries: readonly Dirent[], path: string): readonly string[] {
  return totalsFilesByName(entries.map(({ name }) => name)).get(sharedName(path)) ?? [];
}

/** Removes the totals file beside the payout file at `path`. */
export async function removeTotalsFile(path: string): Promise<void> {
  for (const name of totalsFilesAmong(await listFolder(dirname(path)), path))
    await rm(join(dirname(path), name));
}

/**
 * Reads the totals file beside `path`; undefined if there is none. `name` is the sender's name for the payout file.
 * Throws a Fault about the totals file if it cannot be read or there are two.
 */
export async function readTotalsFile(path: string, name: string): Promise<TotalsFile | undefined> {
  const [found, another] = totalsFilesAmong(await listFolder(dirname(path)), path);
  if (found === undefined) return undefined;
  const file = nameBeside(name, found);
  if (another !== undefined)
    throw fault(
      "TOTALS_FILE_UNCLEAR",
      { what: `there are ${file} and ${nameBeside(name, another)}` },
      { file: name },
    );
  try {
    const totalsPath = await asFile(join(dirname(path), found));
    // The small file is archived and returned to its sender unchanged.
    if (await fileHoldsKey(totalsPath, TOTALS_FILE_LIMITS))
      throw fault("VALUE_IS_SECRET", { field: "the totals file" });
    return { file, lines: await readLines(totalsPath) };
  } catch (error) {
    throw error instanceof Fault ? new Fault({ ...error.problem, file }, { cause: error }) : error;
  }
}

/** The paths of the totals files beside the payout file at `path`; two are refused later. Throws INBOX_ENTRY_NOT_A_FILE. */
export async function totalsFilesBeside(path: string): Promise<string[]> {
  const folder = dirname(path);
  const found = totalsFilesAmong(await listFolder(folder), path);
  return Promise.all(found.map((name) => asFile(join(folder, name))));
}

/**
 * Throws INBOX_ENTRY_NOT_A_FILE for anything but a file: nobody names a totals file, so a link put there by whoever may
 * write to the folder would bring back what only we may read, in the answer.
 */
async function asFile(path: string): Promise<string> {
  const what = whatInsteadOfFile(await lstat(path));
  if (what === undefined) return path;
  throw fault("INBOX_ENTRY_NOT_A_FILE", { what }, { file: basename(path) });
}

/** What an entry of a folder is, in words; undefined for a file. */
export function whatInsteadOfFile(
  entry: Pick<Dirent, "isFile" | "isDirectory" | "isSymbolicLink">,
): string | undefined {
  if (entry.isFile()) return undefined;
  if (entry.isDirectory()) return "a folder";
  return entry.isSymbolicLink() ? "a link" : "a pipe or a device";
}

/** Copies the totals files of one payout file beside another one, replacing what is there; returns their paths. */
export async function copyTotalsFiles(from: string, to: string): Promise<string[]> {
  const found = await totalsFilesBeside(from);
  await removeTotalsFile(to);
  return Promise.all(
    found.map((totalsFile) =>
      writeWhole(nameBeside(to, totalsFile), (temporaryPath) =>
        writeFile(temporaryPath, fileChunks(totalsFile)),
      ).then(() => nameBeside(to, totalsFile)),
    ),
  );
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
  // A text file has no cells: what was parsed as delimiters are marks inside numbers.
  return lines.map(({ line, cells }) => ({ line, cells: [cells.map(textOf).join(csv?.delimiter)] }));
}
