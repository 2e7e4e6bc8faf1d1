/** Files claimed from the inbox: their names in the work folder, and the totals files that go with them. */
import { readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { safeName } from "./safe-name.ts";
import { isTotalsFile, isTotalsFileOf, totalsFilesAmong } from "./totals-file.ts";

const CLAIMED_NAME = /^([0-9a-f-]{36})-(.+)$/s;

/** The sender's name of a claimed file. */
export function ownName(claimed: string): string {
  return safeName(CLAIMED_NAME.exec(claimed)?.[2] ?? claimed);
}

/** Moves a file, and then its totals file, from the inbox to the work folder. */
export async function claim(path: string, workFolder: string, id: string): Promise<void> {
  const claimed = join(workFolder, `${id}-${safeName(path)}`);
  await rename(path, claimed);
  // At once, so that a file of the same name left by an earlier run does not take the totals file.
  await claimTotalsFile(dirname(path), claimed);
}

/**
 * Moves a claimed file's totals file after it, if that is missing: a process may have died in between, and without its
 * totals the file would be taken in unchecked.
 */
export async function claimTotalsFile(inbox: string, claimedPath: string): Promise<void> {
  const workFolder = dirname(claimedPath);
  const claimed = basename(claimedPath);
  const id = CLAIMED_NAME.exec(claimed)?.[1];
  if (id === undefined || totalsFilesAmong(await readdir(workFolder), claimed).length > 0) return;
  const files = (await readdir(inbox, { withFileTypes: true })).filter((entry) => entry.isFile());
  const names = files.map(({ name }) => name);
  for (const name of totalsFilesAmong(names, ownName(claimed)))
    await rename(join(inbox, name), join(workFolder, `${id}-${name}`));
}

/** The claimed payout files, sorted by the senders' names; removes totals files whose payout file is done. */
export async function claimedFiles(workFolder: string): Promise<string[]> {
  const entries = await readdir(workFolder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const payoutFiles = names.filter((name) => !isTotalsFile(name)).sort(byOwnName);
  for (const name of names.filter(isTotalsFile))
    if (!payoutFiles.some((payoutFile) => isTotalsFileOf(name, payoutFile))) await rm(join(workFolder, name));
  return payoutFiles;
}

/** Removes a claimed file. The payout file first: a totals file on its own is only a remnant. */
export async function forgetClaimed(path: string): Promise<void> {
  await rm(path);
  for (const name of totalsFilesAmong(await readdir(dirname(path)), path))
    await rm(join(dirname(path), name));
}

function byOwnName(left: string, right: string): number {
  return ownName(left) < ownName(right) ? -1 : 1;
}
