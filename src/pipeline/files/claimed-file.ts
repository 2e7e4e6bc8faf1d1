/** Files claimed from the inbox: their names in the work folder, and the totals files that go with them. */
import { rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { listFolder, unlessGone } from "../../context/files.ts";
import { safeName } from "./file-names.ts";
import type { ReadyFile } from "./inbox-scan.ts";
import { isTotalsFile, sharedName, totalsFilesByName } from "./totals-file.ts";

const CLAIMED_NAME = /^([0-9a-f-]{36})-(.+)$/s;

/** The sender's name of a claimed file. */
export function ownName(claimed: string): string {
  return safeName(CLAIMED_NAME.exec(claimed)?.[2] ?? claimed);
}

/** Moves a file, and then its totals file, from the inbox to the work folder. */
export async function claim(
  inbox: string,
  { name, totalsFiles }: ReadyFile,
  workFolder: string,
  id: string,
): Promise<void> {
  await rename(join(inbox, name), join(workFolder, `${id}-${safeName(name)}`));
  // At once, so that a file of the same name left by an earlier run does not take the totals file.
  await claimTotalsFiles(inbox, totalsFiles, workFolder, id);
}

async function claimTotalsFiles(
  inbox: string,
  names: readonly string[],
  workFolder: string,
  id: string,
): Promise<void> {
  for (const name of names) await rename(join(inbox, name), join(workFolder, `${id}-${name}`));
}

/**
 * Finds the claimed files that lack a totals file which lies in the inbox since before they were claimed, and returns by
 * their names what moves it after them: a process may have died in between, and without its totals the file would be taken
 * in unchecked. One that came later goes with another file of the same name.
 */
export async function totalsFilesLeft(
  inbox: string,
  workFolder: string,
  claimedNames: readonly string[],
): Promise<ReadonlyMap<string, () => Promise<void>>> {
  const inWork = totalsFilesByName((await listFolder(workFolder)).map(({ name }) => name));
  const entries = (await listFolder(inbox)).filter((entry) => entry.isFile());
  const inInbox = totalsFilesByName(entries.map(({ name }) => name));
  const left = new Map<string, () => Promise<void>>();
  for (const claimed of claimedNames) {
    const id = CLAIMED_NAME.exec(claimed)?.[1];
    const found = inInbox.get(sharedName(ownName(claimed))) ?? [];
    if (id === undefined || found.length === 0 || inWork.has(sharedName(claimed))) continue;
    const claimedMs = await movedMs(join(workFolder, claimed));
    const names: string[] = [];
    for (const name of found) if ((await movedMs(join(inbox, name))) <= claimedMs) names.push(name);
    if (names.length > 0) left.set(claimed, () => claimTotalsFiles(inbox, names, workFolder, id));
  }
  return left;
}

/** When a file came where it is, by the disk's clock; unlike the time of its last change it is not brought along. */
async function movedMs(path: string): Promise<number> {
  return (await unlessGone(stat(path)))?.ctimeMs ?? Number.POSITIVE_INFINITY;
}

/** The claimed payout files, sorted by the senders' names; removes totals files whose payout file is done. */
export async function claimedFiles(workFolder: string): Promise<string[]> {
  const entries = await listFolder(workFolder);
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const payoutFiles = names.filter((name) => !isTotalsFile(name)).sort(byOwnName);
  const known = new Set(payoutFiles.map(sharedName));
  for (const [shared, totalsFiles] of totalsFilesByName(names))
    if (!known.has(shared)) for (const name of totalsFiles) await rm(join(workFolder, name));
  return payoutFiles;
}

function byOwnName(left: string, right: string): number {
  return ownName(left) < ownName(right) ? -1 : 1;
}
