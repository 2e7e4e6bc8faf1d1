/**
 * `inbox/expected`: the folder for files of expected receipts. They are claimed and taken in like payout files:
 * only once they are fully written, and each once, even if the process dies in between.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { sleepUnlessAborted } from "../context/clock.ts";
import { unlessGone } from "../context/files.ts";
import { isProblem, orProblem, type Problem, problem, readFailure } from "../faults/index.ts";
import {
  claim,
  claimedFiles,
  isAsSeen,
  notQuiet,
  ownName,
  type ReadyFile,
  scanInbox,
  type WaitingFile,
} from "../files/intake/inbox.ts";
import { removeWithTotals } from "../files/intake/totals-file.ts";
import { checkAgreement } from "../workplace/agreement.ts";
import { expectedFolder, openFolder, openFolders } from "../workplace/folders.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { type ExpectedFileReport, takeExpectedFile } from "./take-file.ts";

export interface ExpectedInboxReport {
  readonly files: readonly ExpectedFileReport[];
  readonly waiting: readonly WaitingFile[];
  /** Includes files that could not be taken in for reasons outside their content; the next run tries again. */
  readonly problems: readonly Problem[];
}

/** The name on record for anybody who may write to the folder. */
const INBOX = "inbox";

/**
 * Takes in files that an earlier run claimed, then those in the folder. Waits for `files.quietSeconds` if it sees a
 * file for the first time. The caller must run exclusively. Throws CONFIGURATION_DIFFERS.
 */
export async function takeExpectedInbox(
  workplace: Workplace,
  signal?: AbortSignal,
): Promise<ExpectedInboxReport> {
  const { config, context } = workplace;
  await checkAgreement(workplace);
  await openFolders(workplace, "work");
  const folder = expectedFolder(config);
  // A sender cannot have this name.
  const work = join(config.folders.work, ".expected");
  await openFolder(work, "folders.work");
  const waiting: WaitingFile[] = [];
  const problems: Problem[] = [];
  if (existsSync(folder)) {
    let scan = await scanInbox(workplace, folder);
    if (scan.againInMs > 0 && (await sleepUnlessAborted(context.clock, scan.againInMs, signal)))
      scan = await scanInbox(workplace, folder);
    waiting.push(...scan.waiting);
    problems.push(...scan.problems);
    for (const ready of scan.ready) {
      const why = await whyNotClaimed(workplace, folder, work, ready);
      if (why === undefined) continue;
      if ("code" in why) problems.push(why);
      else waiting.push(why);
    }
  }
  const files: ExpectedFileReport[] = [];
  for (const name of await claimedFiles(work)) {
    if (signal?.aborted) break;
    const taken = await orProblem(async () => {
      const report = await takeExpectedFile(workplace, join(work, name), ownName(name), { takenBy: INBOX });
      await removeWithTotals(join(work, name));
      return report;
    });
    if (isProblem(taken)) problems.push({ ...taken, file: ownName(name) });
    else files.push(taken);
  }
  return { files, waiting, problems };
}

/** Moves a ready file into the work folder. Returns why it could not; undefined too if the file is gone. */
async function whyNotClaimed(
  { config, context }: Workplace,
  folder: string,
  work: string,
  ready: ReadyFile,
): Promise<WaitingFile | Problem | undefined> {
  const names = [ready.name, ...ready.totalsFiles];
  const areAsSeen = await Promise.all(names.map((name) => isAsSeen(context.clock, folder, name)));
  if (areAsSeen.includes(false)) return { file: ready.name, why: notQuiet(config.files.quietSeconds) };
  try {
    await unlessGone(claim(folder, ready, work, context.random.uuid()));
    return undefined;
  } catch (cause) {
    if (!(cause instanceof Error && "syscall" in cause)) throw cause;
    return problem("FILE_NOT_MOVABLE", { reason: readFailure(cause) }, { file: ready.name });
  }
}
