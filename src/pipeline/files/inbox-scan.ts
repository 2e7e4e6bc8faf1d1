/** Scans an inbox: which files can be taken, which wait and why, and what can never be taken from there. */
import { constants, type Stats } from "node:fs";
import { access, readdir, stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import type { Config } from "../../config/index.ts";
import { listFolder, unlessGone } from "../../context/files.ts";
import { isProblem, orProblem, type Problem, problem, readFailure } from "../../faults/index.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { garbledName, isNameWithheld, longName, safeName } from "./file-names.ts";
import { quietFiles } from "./quiet-files.ts";
import { fileLimitsOf } from "./sender-layout.ts";
import { isTotalsFile, sharedName, totalsFilesByName, whatInsteadOfFile } from "./totals-file.ts";

export interface WaitingFile {
  readonly file: string;
  /** In words, for people. */
  readonly why: string;
}

/** A payout file that is ready, with its totals file. */
export interface ReadyFile {
  readonly name: string;
  readonly totalsFiles: readonly string[];
}

export interface InboxScan {
  readonly ready: readonly ReadyFile[];
  readonly waiting: readonly WaitingFile[];
  readonly problems: readonly Problem[];
  /** When a further scan finds those quiet that have not been seen unchanged for long enough; 0 if there are none. */
  readonly againInMs: number;
}

/** A payout file and its totals file are ready together; a totals file alone waits for its payout file. */
export async function scanInbox({ config, context }: Workplace, inbox: string): Promise<InboxScan> {
  const { quietSeconds } = config.files;
  const lookAt = quietFiles(context.clock, inbox, quietSeconds);
  const found: FoundFile[] = [];
  const apart: WaitingFile[] = [];
  const problems: Problem[] = [];
  const notFiles: NotAFile[] = [];
  for (const entry of await listFolder(inbox)) {
    const { name } = entry;
    if (isNotForUs(name)) continue;
    const what = whatInsteadOfFile(entry);
    if (what !== undefined) notFiles.push({ name, what });
    if (entry.isDirectory()) {
      if (await isStrayFolder(join(inbox, name), config))
        apart.push({ file: safeName(name), why: "it is a folder, and only files are taken" });
      continue;
    }
    if (what !== undefined) {
      problems.push(problem("INBOX_ENTRY_NOT_A_FILE", { what }, { file: safeName(name) }));
      continue;
    }
    if (UNFINISHED_NAME.test(name)) {
      apart.push({ file: safeName(name), why: "by its name it is still being copied" });
      continue;
    }
    const stats = await unlessGone(stat(join(inbox, name)));
    const unusable = unusableFile(name, stats, config) ?? (await unreadableFile(inbox, name));
    if (unusable?.code === "FILE_TOO_LARGE") notFiles.push({ name, what: "too large" });
    if (unusable?.code === "FILE_UNREADABLE") notFiles.push({ name, what: "unreadable" });
    if (unusable !== undefined) problems.push(unusable);
    if (unusable !== undefined || stats === undefined) continue;
    const restMs = await orProblem(() => lookAt(name, stats));
    if (!isProblem(restMs))
      found.push({ name, restMs, whyTooSoon: restMs > 0 ? `it ${notQuiet(quietSeconds)}` : undefined });
    else if (restMs.code !== "FILE_NOT_FOUND") problems.push({ ...restMs, file: safeName(name) });
  }
  const paired = pairUp(
    found.sort((left, right) => (left.name < right.name ? -1 : 1)),
    notFiles,
  );
  return {
    ready: paired.ready,
    waiting: [...paired.waiting, ...apart],
    problems: [...problems, ...paired.problems],
    againInMs: Math.max(0, ...found.map(({ restMs }) => restMs)),
  };
}

/** Why a file waits: "was not seen unchanged for 5 s yet" */
export function notQuiet(quietSeconds: number): string {
  return `was not seen unchanged for ${quietSeconds} s yet`;
}

/** The problem of a file that can never be taken in; undefined if there is none. No `stats`: no such name could be opened. */
function unusableFile(name: string, stats: Stats | undefined, config: Config): Problem | undefined {
  if (stats === undefined) return garbledName(name);
  const shown = safeName(name);
  return longName(shown) ?? tooLarge(config, stats.size, shown);
}

/** The problem of a file that we may not read: it stays, where whoever dropped it can still permit it. */
async function unreadableFile(inbox: string, name: string): Promise<Problem | undefined> {
  try {
    await unlessGone(access(join(inbox, name), constants.R_OK));
    return undefined;
  } catch (cause) {
    const file = safeName(name);
    return problem("FILE_UNREADABLE", { path: join(inbox, file), reason: readFailure(cause) }, { file });
  }
}

/**
 * The problem of a file that is never read for its size; undefined if there is none. It is not archived either: a file
 * without content takes no room in an inbox, and its copy takes all there is, without which nothing is sent.
 */
export function tooLarge({ files }: Config, bytes: number, file: string): Problem | undefined {
  const { bytesMax } = fileLimitsOf(files);
  if (bytes <= bytesMax) return undefined;
  return problem("FILE_TOO_LARGE", { found: bytes, unit: "bytes", limit: bytesMax }, { file });
}

interface FoundFile {
  readonly name: string;
  /** For how long it must still be seen unchanged. */
  readonly restMs: number;
  /** Why it may still be being written; undefined if it has been seen unchanged for long enough. */
  readonly whyTooSoon: string | undefined;
}

/** An entry that is not taken, nor followed as a totals file. */
interface NotAFile {
  readonly name: string;
  readonly what: string;
}

/** Each payout file with its totals file: both are ready, or both wait. */
function pairUp(found: readonly FoundFile[], notFiles: readonly NotAFile[]): Omit<InboxScan, "againInMs"> {
  const names = found.map(({ name }) => name);
  const tooSoon = new Map(found.map((each) => [each.name, each.whyTooSoon]));
  // A file whose name is a private key is taken at once, to be refused under another name.
  const isTotals = (name: string) => isTotalsFile(name) && !isNameWithheld(safeName(name));
  const payoutFiles = names.filter((name) => !isTotals(name));
  const payoutFilesOf = Map.groupBy(payoutFiles, sharedName);
  const totalsFilesOf = totalsFilesByName(names);
  const insteadOf = totalsFilesByName(notFiles.map(({ name }) => name));
  const whatOf = new Map(notFiles.map(({ name, what }) => [name, what]));
  const problems = [...totalsFilesOf].flatMap(([shared, totalsFiles]) =>
    sharedTotals(totalsFiles.filter(isTotals), payoutFilesOf.get(shared) ?? []),
  );

  const ready: ReadyFile[] = [];
  const waiting: WaitingFile[] = [];
  const unpaired = new Set(names.filter(isTotals));
  for (const name of payoutFiles) {
    const shared = sharedName(name);
    const totalsFiles = totalsFilesOf.get(shared) ?? [];
    const isShared = totalsFiles.some(isTotals) && (payoutFilesOf.get(shared) ?? []).length > 1;
    const reasons = [
      tooSoon.get(name),
      isShared ? "its totals file may be about another one" : undefined,
      ...(insteadOf.get(shared) ?? []).map((each) => `its totals file is ${whatOf.get(each)}`),
      ...totalsFiles.map((each) => tooSoon.get(each)?.replace(/^it /, "its totals file ")),
    ];
    const why = reasons.find((reason) => reason !== undefined);
    if (why === undefined) ready.push({ name, totalsFiles });
    else waiting.push({ file: name, why });
    for (const each of totalsFiles)
      if (unpaired.delete(each) && why !== undefined)
        waiting.push({ file: each, why: `it goes with ${safeName(name)}` });
  }
  for (const file of unpaired) waiting.push({ file, why: "its payout file is not there" });
  return { ready, waiting, problems };
}

/** `payroll.totals.csv` beside `payroll.csv` and `payroll.xlsx` may be about either. */
function sharedTotals(totalsFiles: readonly string[], payoutFiles: readonly string[]): Problem[] {
  if (payoutFiles.length < 2) return [];
  const files = payoutFiles.map(safeName).join(" and ");
  return totalsFiles.map((file) =>
    problem(
      "TOTALS_FILE_UNCLEAR",
      { what: `this one may be about any of ${files}, so none is taken` },
      { file },
    ),
  );
}

/** Hidden files, the lock files of office programs, and what file servers keep in every folder. */
function isNotForUs(name: string): boolean {
  return name.startsWith(".") || name.startsWith("~$") || FOLDERS_OF_SYSTEMS.has(name.toLowerCase());
}

const FOLDERS_OF_SYSTEMS: ReadonlySet<string> = new Set([
  "lost+found",
  "$recycle.bin",
  "system volume information",
  "@eadir",
  "#recycle",
  "#snapshot",
  "~snapshot",
]);

/** Names that browsers, WinSCP, rclone and others use while they write, and change at the end. */
const UNFINISHED_NAME =
  /\.(tmp|temp|part|partial|filepart|crdownload|opdownload|download|incomplete|upload|uploading)$/i;

/** Whether a folder holds something and is none of the configuration's, which may lie in the inbox. */
async function isStrayFolder(path: string, { folders, files }: Config): Promise<boolean> {
  const own = [...Object.values(folders), ...files.senders.flatMap(({ folder }) => folder ?? [])];
  if (own.some((each) => `${resolve(each)}${sep}`.startsWith(`${resolve(path)}${sep}`))) return false;
  try {
    return (await readdir(path)).length > 0;
  } catch (error) {
    // One that nobody lets us look into may hold something.
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
}
