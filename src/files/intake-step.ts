/** The inbox: claims each file that is no longer being written, submits it, and reports where its answer is. */
import { join } from "node:path";
import { sleepUnlessAborted } from "../context/clock.ts";
import { unlessGone } from "../context/files.ts";
import { isProblem, orProblem, type Problem, problem, readFailure } from "../faults/index.ts";
import { checkAgreement } from "../workplace/agreement.ts";
import { exclusively } from "../workplace/exclusively.ts";
import { openFolder, openFolders } from "../workplace/folders.ts";
import type { Workplace } from "../workplace/workplace.ts";
import {
  claim,
  claimedFiles,
  type InboxScan,
  isAsSeen,
  misplacedInbox,
  notQuiet,
  ownName,
  type ReadyFile,
  returnTotalsFiles,
  type Source,
  scanInbox,
  sourcesOf,
  type WaitingFile,
} from "./intake/inbox.ts";
import { removeOldKeptAside } from "./intake/kept-aside.ts";
import { safeName } from "./intake/sent-file.ts";
import { removeWithTotals } from "./intake/totals-file.ts";
import { type SubmitReport, takeIn } from "./submit-step.ts";

export interface IntakeReport {
  readonly files: readonly SubmitReport[];
  /** Files that are still being written, files whose other half is missing, and folders. */
  readonly waiting: readonly WaitingFile[];
  /**
   * Problems with files that could not be taken in for a reason outside their content; the next run tries again.
   */
  readonly problems: readonly Problem[];
}

/**
 * Takes in the files that an earlier run claimed and did not finish, then those in the inbox and in the senders'
 * folders. Only one process does so at a time, because files claimed by another one look unfinished; a second one
 * reports a problem. Waits for `files.quietSeconds` if it sees a file for the first time. Once `signal` aborts it
 * begins no further file and leaves the claimed ones to the next run. Throws CONFIGURATION_DIFFERS.
 */
export async function intakeStep(workplace: Workplace, signal?: AbortSignal): Promise<IntakeReport> {
  const taken = await exclusively(workplace, "intake", (alone) => takeInFrom(alone, signal));
  const problems = [problem("UNDER_WAY", { work: "taking files in" })];
  return taken?.result ?? { files: [], waiting: [], problems };
}

async function takeInFrom(workplace: Workplace, signal?: AbortSignal): Promise<IntakeReport> {
  // Comes before anything is claimed, because another machine might read the files correctly.
  await checkAgreement(workplace);
  await openFolders(workplace, "work");
  await removeOldKeptAside(workplace);
  const scans = await scanAll(workplace, signal);
  // A folder that cannot be used is a problem, but the others are still read.
  const reports = await Array.fromAsync(scans, async ({ source, scan }): Promise<IntakeReport> => {
    const taken = isProblem(scan) ? scan : await orProblem(() => takeInAll(workplace, source, scan, signal));
    return isProblem(taken) ? { files: [], waiting: [], problems: [taken] } : taken;
  });
  return {
    files: reports.flatMap(({ files }) => files),
    waiting: reports.flatMap(({ waiting }) => waiting),
    problems: reports.flatMap(({ problems }) => problems),
  };
}

/** Looks at all inboxes, and once more when the files that it saw for the first time may be quiet. */
async function scanAll(workplace: Workplace, signal: AbortSignal | undefined) {
  const scanning = async (source: Source) => ({
    source,
    scan: await orProblem(() => scanSource(workplace, source)),
  });
  const sources = sourcesOf(workplace.config);
  const scans = await Array.fromAsync(sources, scanning);
  const againInMs = Math.max(0, ...scans.map(({ scan }) => (isProblem(scan) ? 0 : scan.againInMs)));
  if (againInMs === 0) return scans;
  const hasWaited = await sleepUnlessAborted(workplace.context.clock, againInMs, signal);
  return hasWaited ? Array.fromAsync(sources, scanning) : scans;
}

async function scanSource(workplace: Workplace, source: Source): Promise<InboxScan | Problem> {
  const { inbox, work, key } = source;
  await openFolder(inbox, key);
  await openFolder(work, "folders.work");
  const misplaced = await misplacedInbox(workplace.config, source);
  const stuck = misplaced ?? (await stuckAfter(returnTotalsFiles(inbox, work), inbox));
  return stuck ?? scanInbox(workplace, inbox);
}

/** Reading the folder again for each file would take hours if it holds thousands. */
const CLAIMED_TOGETHER = 100;

async function takeInAll(
  workplace: Workplace,
  source: Source,
  { ready, waiting, problems }: InboxScan,
  signal: AbortSignal | undefined,
): Promise<IntakeReport> {
  const files: SubmitReport[] = [];
  const changed: WaitingFile[] = [];
  const unmoved: Problem[] = [];
  const untaken = new Map<string, Problem>();
  // At least once, for files that an earlier run claimed.
  for (let first = 0; first === 0 || first < ready.length; first += CLAIMED_TOGETHER) {
    if (signal?.aborted) break;
    const left = await claimAll(workplace, source, ready.slice(first, first + CLAIMED_TOGETHER));
    changed.push(...left.changed);
    unmoved.push(...left.unmoved);
    files.push(...(await takeInClaimed(workplace, source, untaken, signal)));
  }
  return {
    files,
    waiting: [...waiting, ...changed].map(({ file, why }) => ({ file: nameFrom(source, file), why })),
    problems: [
      ...problems.map((found) => ({ ...found, file: nameFrom(source, found.file ?? "") })),
      ...unmoved,
      ...untaken.values(),
    ],
  };
}

/** The name of a file for reports, with its sender's folder. */
function nameFrom({ prefix }: Source, name: string): string {
  return `${prefix}${safeName(name)}`;
}

/** Returns the files that changed after they were looked at, and the problems of those that could not be moved. */
async function claimAll({ config, context }: Workplace, source: Source, files: readonly ReadyFile[]) {
  const changed: WaitingFile[] = [];
  const unmoved: Problem[] = [];
  for (const file of files) {
    const names = [file.name, ...file.totalsFiles];
    const areAsSeen = await Promise.all(names.map((name) => isAsSeen(context.clock, source.inbox, name)));
    if (areAsSeen.includes(false)) {
      changed.push({ file: file.name, why: notQuiet(config.files.quietSeconds) });
      continue;
    }
    const claiming = claim(source.inbox, file, source.work, context.random.uuid());
    const stuck = await stuckAfter(claiming, nameFrom(source, file.name));
    if (stuck !== undefined) unmoved.push(stuck);
  }
  return { changed, unmoved };
}

/**
 * Takes in every claimed file except those in `untaken`, by claimed name. Adds to it the files that cannot be taken
 * in now.
 */
async function takeInClaimed(
  workplace: Workplace,
  source: Source,
  untaken: Map<string, Problem>,
  signal: AbortSignal | undefined,
): Promise<SubmitReport[]> {
  const { work } = source;
  const files: SubmitReport[] = [];
  for (const name of await claimedFiles(work)) {
    if (untaken.has(name)) continue;
    if (signal?.aborted) break;
    const shown = nameFrom(source, ownName(name));
    // One file must not hold up the others.
    const taken = await orProblem(async () => {
      const { submitter: submittedBy } = source;
      const report = await takeIn(workplace, join(work, name), shown, { submittedBy });
      await removeWithTotals(join(work, name));
      return report;
    });
    if (isProblem(taken)) untaken.set(name, { ...taken, file: shown });
    else files.push(taken);
  }
  return files;
}

/**
 * Why a file or its totals file could not be moved: another program has it open, or only its owner may move files
 * in that folder. Undefined if it was moved, or its sender has removed it.
 */
async function stuckAfter(moving: Promise<void>, file: string): Promise<Problem | undefined> {
  try {
    await unlessGone(moving);
    return undefined;
  } catch (cause) {
    if (!(cause instanceof Error && "syscall" in cause)) throw cause;
    return problem("FILE_NOT_MOVABLE", { reason: readFailure(cause) }, { file });
  }
}
