/** Files that were claimed from the inbox: under which names they lie in the work folder, and how their totals files follow. */
import { readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { safeName } from "./safe-name.ts";
import { isTotalsFile, isTotalsFileOf, totalsFilesAmong } from "./totals-file.ts";

const CLAIMED_NAME = /^([0-9a-f-]{36})-(.+)$/s;

/** The sender's own name of a claimed file. */
export function ownName(claimed: string): string {
  return safeName(CLAIMED_NAME.exec(claimed)?.[2] ?? claimed);
}

/** Moves a file from the inbox to the work folder, and its totals file after it. */
export async function claim(path: string, workFolder: string, id: string): Promise<void> {
  const claimed = join(workFolder, `${id}-${safeName(path)}`);
  await rename(path, claimed);
  // At once: a file of the same name that an earlier run left behind must not take it.
  await claimTotalsFile(dirname(path), claimed);
}

/**
 * Moves the totals file of a claimed file after it, where it has none yet: a process may have died between the two, and
 * without its totals the file would be taken unproven.
 */
export async function claimTotalsFile(inbox: string, claimedPath: string): Promise<void> {
  const workFolder = dirname(claimedPath);
  const claimed = basename(claimedPath);
  const id = CLAIMED_NAME.exec(claimed)?.[1];
  if (id === undefined || totalsFilesAmong(await readdir(workFolder), claimed).length > 0) return;
  for (const name of totalsFilesAmong(await readdir(inbox), ownName(claimed)))
    await rename(join(inbox, name), join(workFolder, `${id}-${name}`));
}

/** The claimed payout files, by their senders' names; totals files whose payout file is done are removed. */
export async function claimedFiles(workFolder: string): Promise<string[]> {
  const entries = await readdir(workFolder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const payoutFiles = names.filter((name) => !isTotalsFile(name)).sort(byOwnName);
  for (const name of names.filter(isTotalsFile))
    if (!payoutFiles.some((payoutFile) => isTotalsFileOf(name, payoutFile))) await rm(join(workFolder, name));
  return payoutFiles;
}

/** The payout file goes first: without it, its totals file is no more than a remainder. */
export async function forgetClaimed(path: string): Promise<void> {
  await rm(path);
  for (const name of totalsFilesAmong(await readdir(dirname(path)), path))
    await rm(join(dirname(path), name));
}

function byOwnName(left: string, right: string): number {
  return ownName(left) < ownName(right) ? -1 : 1;
}
