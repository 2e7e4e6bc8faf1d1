/** The inbox: claims each file that is no longer being written, submits it, and reports where its answer is. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { UNFINISHED_PREFIX, unlessGone } from "../context/files.ts";
import { Fault, type Problem, problem } from "../faults/index.ts";
import { claim, claimedFiles, claimTotalsFile, forgetClaimed, ownName } from "./files/claimed-file.ts";
import { garbledName, isNameWithheld, longName, safeName } from "./files/safe-name.ts";
import { isTotalsFile, isTotalsFileOf, totalsFilesAmong } from "./files/totals-file.ts";
import { alone } from "./sending/alone.ts";
import { type SubmitReport, submitFile } from "./submit-step.ts";
import { checkAgreement } from "./workplace/agreement.ts";
import { openFolder, openFolders } from "./workplace/folders.ts";
import type { Workplace } from "./workplace/workplace.ts";

/** The recorded submitter of files dropped in the inbox. */
const INBOX = "inbox";

export interface IntakeReport {
  readonly files: readonly SubmitReport[];
  /** Files that are still being written. */
  readonly waiting: readonly string[];
  /** Problems with files that could not be taken in through no fault of theirs; they stay claimed for the next run. */
  readonly problems: readonly Problem[];
}

/**
 * Takes in the files that an earlier run claimed and did not finish, then those in the inbox and in the senders'
 * folders. Only one process does so at a time, because files claimed by another one look unfinished; a problem reports
 * it. Throws CONFIGURATION_DIFFERS.
 */
export async function intakeStep(workplace: Workplace): Promise<IntakeReport> {
  const taken = await alone(workplace.store, "intake", (store) => takeInFrom({ ...workplace, store }));
  return taken?.result ?? { files: [], waiting: [], problems: [problem("INTAKE_UNDER_WAY", {})] };
}

async function takeInFrom(workplace: Workplace): Promise<IntakeReport> {
  // Before anything is claimed that another machine would read correctly.
  await checkAgreement(workplace);
  await openFolders(workplace, "inbox", "work");
  const reports: IntakeReport[] = [];
  for (const source of sourcesOf(workplace)) reports.push(await takeInAll(workplace, source));
  return {
    files: reports.flatMap(({ files }) => files),
    waiting: reports.flatMap(({ waiting }) => waiting),
    problems: reports.flatMap(({ problems }) => problems),
  };
}

/** A folder in which files are dropped, and the folder in which they are read. */
interface Source {
  readonly inbox: string;
  readonly work: string;
  /** Prefix of its files' names: "acme/". */
  readonly prefix: string;
}

function sourcesOf({ config: { folders, files } }: Workplace): Source[] {
  const { inbox, work } = folders;
  const own = files.senders.flatMap(({ name, folder }) =>
    folder === undefined ? [] : [{ inbox: folder, work: join(work, name), prefix: `${name}/` }],
  );
  return [{ inbox, work, prefix: "" }, ...own];
}

async function takeInAll(workplace: Workplace, { inbox, work, prefix }: Source): Promise<IntakeReport> {
  await openFolder(inbox, "files.senders");
  await openFolder(work, "folders.work");
  const { ready, waiting, problems } = await scan(workplace, inbox);
  for (const name of ready) {
    const id = workplace.context.random.uuid();
    // The sender may have removed it.
    await unlessGone(claim(join(inbox, name), work, id));
  }

  const files: SubmitReport[] = [];
  for (const claimed of await claimedFiles(work)) {
    await claimTotalsFile(inbox, join(work, claimed));
    const taken = await takeIn(workplace, join(work, claimed), `${prefix}${ownName(claimed)}`);
    if ("code" in taken) problems.push(taken);
    else files.push(taken);
  }
  return { files, waiting: waiting.map((name) => `${prefix}${safeName(name)}`), problems };
}

/** Returns a problem instead of throwing, so that one file does not hold up the others. */
async function takeIn(workplace: Workplace, path: string, name: string): Promise<SubmitReport | Problem> {
  try {
    const report = await submitFile(workplace, path, INBOX, name);
    await forgetClaimed(path);
    return report;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { ...error.problem, file: name };
  }
}

interface Scan {
  readonly ready: readonly string[];
  readonly waiting: readonly string[];
  readonly problems: Problem[];
}

/**
 * Sorts the inbox into ready and waiting files. A payout file and its totals file become ready together; a totals file
 * alone waits for its payout file.
 */
async function scan({ config, context }: Workplace, inbox: string): Promise<Scan> {
  const quietBeforeMs = Date.parse(context.clock.now()) - config.files.quietSeconds * 1000;
  const isQuiet = new Map<string, boolean>();
  const unusable: Problem[] = [];
  for (const entry of await readdir(inbox, { withFileTypes: true })) {
    if (!entry.isFile() || isNotForUs(entry.name)) continue;
    const found = await unlessGone(stat(join(inbox, entry.name)));
    const unusableName = found === undefined ? garbledName(entry.name) : longName(safeName(entry.name));
    if (unusableName !== undefined) unusable.push(unusableName);
    else if (found !== undefined) isQuiet.set(entry.name, Math.floor(found.mtimeMs) <= quietBeforeMs);
  }
  const names = [...isQuiet.keys()].sort();
  // A file named by a private key is taken at once, to be refused under another name.
  const isTotals = (name: string) => isTotalsFile(name) && !isNameWithheld(safeName(name));
  const payoutFiles = names.filter((name) => !isTotals(name));
  const shared = names.filter(isTotals).flatMap((name) => sharedTotals(name, payoutFiles));
  const problems = [...unusable, ...shared];
  const isReady = (name: string) =>
    [name, ...totalsFilesAmong(names, name)].every(
      (each) => isQuiet.get(each) === true && !problems.some(({ file }) => file === each),
    );
  const ready = payoutFiles.filter(isReady);
  const isTaken = (name: string) => ready.some((taken) => name === taken || isTotalsFileOf(name, taken));
  return { ready, waiting: names.filter((name) => !isTaken(name)), problems };
}

/**
 * Problems of totals files that could belong to two payout files: `payroll.totals.csv` beside `payroll.csv` and
 * `payroll.xlsx`.
 */
function sharedTotals(totalsFile: string, payoutFiles: readonly string[]): Problem[] {
  const files = payoutFiles.filter((name) => isTotalsFileOf(totalsFile, name));
  if (files.length < 2) return [];
  return [problem("TOTALS_FILE_SHARED", { files: files.join(" and ") }, { file: totalsFile })];
}

/** Whether to ignore a file: hidden files, lock files of office programs, and names of unfinished copies. */
function isNotForUs(name: string): boolean {
  return (
    name.startsWith(".") ||
    name.startsWith("~$") ||
    name.startsWith(UNFINISHED_PREFIX) ||
    /\.(tmp|part|crdownload)$/i.test(name)
  );
}
