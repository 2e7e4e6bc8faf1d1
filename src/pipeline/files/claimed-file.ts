/** Files claimed from the inbox: their names in the work folder, and the totals files that go with them. */
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { listFolder } from "../../context/files.ts";
import { safeName } from "./file-names.ts";
import type { ReadyFile } from "./inbox-scan.ts";
import { isTotalsFile, sharedName } from "./totals-file.ts";

const CLAIMED_NAME = /^[0-9a-f-]{36}-(.+)$/s;

/** The sender's name of a claimed file. */
export function ownName(claimed: string): string {
  return safeName(CLAIMED_NAME.exec(claimed)?.[1] ?? claimed);
}

/**
 * Moves a file from the inbox to the work folder, its totals file first: if nothing follows it, the totals file goes back.
 * The other way about a file could be taken in without its totals.
 */
export async function claim(
  inbox: string,
  { name, totalsFiles }: ReadyFile,
  workFolder: string,
  id: string,
): Promise<void> {
  for (const each of totalsFiles) await rename(join(inbox, each), join(workFolder, `${id}-${each}`));
  await rename(join(inbox, name), join(workFolder, `${id}-${safeName(name)}`));
}

/** Puts totals files back into the inbox whose payout files were not claimed; a newer one there counts instead. */
export async function returnTotalsFiles(inbox: string, workFolder: string): Promise<void> {
  const names = await fileNamesIn(workFolder);
  const claimed = new Set(names.filter((name) => !isTotalsFile(name)).map(sharedName));
  for (const name of names) {
    if (!isTotalsFile(name) || claimed.has(sharedName(name))) continue;
    const [from, to] = [join(workFolder, name), join(inbox, ownName(name))];
    await (existsSync(to) ? rm(from) : rename(from, to));
  }
}

/** The claimed payout files, sorted by the senders' names. */
export async function claimedFiles(workFolder: string): Promise<string[]> {
  const names = (await fileNamesIn(workFolder)).filter((name) => !isTotalsFile(name));
  return names.sort((left, right) => (ownName(left) < ownName(right) ? -1 : 1));
}

async function fileNamesIn(folder: string): Promise<string[]> {
  return (await listFolder(folder)).filter((entry) => entry.isFile()).map(({ name }) => name);
}
