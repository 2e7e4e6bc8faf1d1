/**
 * Inboxes: the folders that files may be taken from, which files are ready, which wait and why, and how they are
 * claimed. Intake moves everything out of an inbox, so a folder with Paydrop's own files must not be one. Links are
 * resolved first, because a person who may write to a folder can replace a folder in it by a link.
 */
import { constants, type Dirent, existsSync, type Stats } from "node:fs";
import { access, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import type { Config } from "../../config/index.ts";
import type { Clock } from "../../context/clock.ts";
import { listFolder, unlessGone } from "../../context/files.ts";
import { Fault, isProblem, orProblem, type Problem, problem, readFailure } from "../../faults/index.ts";
import { sha256Of } from "../../readers/index.ts";
import { erpAnswersFolder, expectedFolder } from "../../workplace/folders.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { isNameWithheld, safeName, tooLarge, unusableName } from "./sent-file.ts";
import { isTotalsFile, sharedName, whatInsteadOfFile } from "./totals-file.ts";

/** A folder in which files are dropped, and the folder in which they are read. */
export interface Source {
  readonly inbox: string;
  readonly work: string;
  /** Prefix of its files' names: "acme/". */
  readonly prefix: string;
  /** The configuration key of the inbox. */
  readonly key: string;
  /** The submitter on record: the only person who writes to it, or `inbox`. */
  readonly submitter: string;
}

const INBOX = "inbox";

/** The inbox, and the senders' folders. */
export function sourcesOf({ folders, files }: Config): Source[] {
  const { inbox, work } = folders;
  const sources = [{ inbox, work, prefix: "", key: "folders.inbox", submitter: INBOX }];
  for (const [index, { name, folder, submitter = INBOX }] of files.senders.entries())
    if (folder !== undefined) {
      const key = `files.senders.${index}.folder`;
      sources.push({ inbox: folder, work: join(folders.work, name), prefix: `${name}/`, key, submitter });
    }
  return sources;
}

/** The problem of an inbox from which nothing may be taken; undefined if there is none. */
export async function misplacedInbox(config: Config, source: Source): Promise<Problem | undefined> {
  const { inbox } = source;
  const { databasePath, anchorPath, ledger, destinations, signing } = config;
  const { inbox: outer, ...others } = config.folders;
  const real = await unlessGone(realpath(inbox));
  if (real === undefined) return undefined;
  const isIn = async (folder: string) => real === (await unlessGone(realpath(folder)));
  if (await isIn(erpAnswersFolder(config))) return misplaced(source, "the answers of ERPs lie there");
  if (await isIn(expectedFolder(config)))
    return misplaced(source, "the files of expected receipts lie there");
  if (inbox.startsWith(`${outer}${sep}`) && !real.startsWith(`${await realpath(outer)}${sep}`))
    return misplaced(source, `it is a link that leads out of ${outer}`);
  const files = [databasePath, anchorPath, ledger.chart, destinations.allowList, signing.module];
  const own = files.flatMap((path) => (path === undefined ? [] : [[path, dirname(path)] as const]));
  for (const [what, folder] of [...own, ...Object.entries(others)])
    if (await isIn(folder)) return misplaced(source, `${what} is there`);
  return undefined;
}

function misplaced({ inbox, key }: Source, why: string): Problem {
  const reason = `nothing is taken out of ${inbox}: ${why}`;
  return problem("CONFIG_KEY_INVALID", { path: key, reason, hint: "" }, { key });
}

export interface WaitingFile {
  readonly file: string;
  /** The reason in words, for people. */
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
  /** When another scan may find the new files quiet; 0 if there are none. */
  readonly againInMs: number;
}

interface InboxEntry {
  readonly name: string;
  /** The reason in words why it is not taken now; undefined if it is ready. */
  readonly why?: string;
  /** The problem, if the entry as it is can never be taken. */
  readonly problem?: Problem;
  /** How long it must still remain unchanged. */
  readonly restMs?: number;
}

/** Files that share a name with a totals file are ready together, or wait together. */
export async function scanInbox(workplace: Workplace, inbox: string): Promise<InboxScan> {
  const lookAt = quietFiles(workplace, inbox);
  const entries: InboxEntry[] = [];
  for (const found of await listFolder(inbox)) {
    const entry = NOT_FOR_US.test(found.name) ? undefined : await entryOf(workplace, inbox, found, lookAt);
    if (entry !== undefined) entries.push(entry);
  }
  entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  const ready: ReadyFile[] = [];
  const waiting: WaitingFile[] = [];
  for (const group of together(entries)) {
    const names = group.map(({ name }) => name);
    const [totalsFiles, payoutFiles] = [names.filter(isTotals), names.filter((name) => !isTotals(name))];
    const stuck = group.find(({ why }) => why !== undefined);
    const [name = ""] = payoutFiles;
    if (stuck === undefined && payoutFiles.length === 1) {
      ready.push({ name, totalsFiles });
      continue;
    }
    const why = stuck
      ? `${safeName(stuck.name)}: ${stuck.why}`
      : `a totals file goes with one payout file of its name, and there are ${payoutFiles.length}`;
    for (const each of group)
      if (each.problem === undefined) waiting.push({ file: each.name, why: each.why ?? why });
  }
  return {
    ready,
    waiting,
    problems: entries.flatMap((each) => each.problem ?? []),
    againInMs: Math.max(0, ...entries.map(({ restMs = 0 }) => restMs)),
  };
}

/** Groups of files that share a name with a totals file; every other file is a group of its own. */
function together(entries: readonly InboxEntry[]): (readonly InboxEntry[])[] {
  const groups = Map.groupBy(entries, ({ name }) => (isWithheld(name) ? name : sharedName(name)));
  return [...groups.values()].flatMap((group) =>
    group.some(({ name }) => isTotals(name)) ? [group] : group.map((each) => [each]),
  );
}

function isTotals(name: string): boolean {
  return isTotalsFile(name) && !isWithheld(name);
}

/** A file whose name is a private key is taken at once, so that it is refused under another name. */
function isWithheld(name: string): boolean {
  return isNameWithheld(safeName(name));
}

/** The facts about one entry; undefined if it was just removed, or is a folder of Paydrop's own. */
async function entryOf(
  { config }: Workplace,
  inbox: string,
  found: Dirent,
  lookAt: LookAt,
): Promise<InboxEntry | undefined> {
  const { name } = found;
  const [path, file] = [join(inbox, name), safeName(name)];
  const what = whatInsteadOfFile(found);
  if (found.isDirectory())
    return isOfOurs(path, config) ? undefined : { name, why: `it is ${what}, and only files are taken` };
  if (UNFINISHED_NAME.test(name)) return { name, why: "by its name it is still being copied" };
  const restMs = await orProblem(async () => {
    if (what !== undefined) throw new Fault(problem("INBOX_ENTRY_NOT_A_FILE", { what }));
    const stats = await unlessGone(stat(path));
    const unusable = unusableName(file, stats === undefined) ?? tooLarge(config, stats?.size ?? 0, file);
    if (unusable !== undefined) throw new Fault(unusable);
    return stats && lookAt(name, stats);
  });
  if (restMs === undefined) return undefined;
  if (!isProblem(restMs))
    return restMs === 0 ? { name } : { name, restMs, why: notQuiet(config.files.quietSeconds) };
  if (restMs.code === "FILE_NOT_FOUND") return undefined;
  return { name, why: restMs.message, problem: { ...restMs, file } };
}

/** Why a file waits: "it was not seen unchanged for 5 s yet" */
export function notQuiet(quietSeconds: number): string {
  return `it was not seen unchanged for ${quietSeconds} s yet`;
}

/** Hidden files, the lock files of office programs, and the folders that file servers keep everywhere. */
const NOT_FOR_US =
  /^(\.|~\$|(lost\+found|\$recycle\.bin|system volume information|@eadir|#recycle|#snapshot|~snapshot)$)/i;

/** Names that browsers, WinSCP, rclone and others use while they write, and change at the end. */
const UNFINISHED_NAME =
  /\.(tmp|temp|part|partial|filepart|crdownload|opdownload|download|incomplete|upload|uploading)$/i;

/** Whether a folder is one of the configuration's (these may be in the inbox), or contains one. */
function isOfOurs(path: string, { folders, files }: Config): boolean {
  const own = [
    ...Object.values(folders),
    erpAnswersFolder({ folders }),
    expectedFolder({ folders }),
    ...files.senders.flatMap(({ folder }) => folder ?? []),
  ];
  return own.some((each) => `${resolve(each)}${sep}`.startsWith(`${resolve(path)}${sep}`));
}

interface Look {
  /** Size and times, compared only with those of other looks. */
  readonly state: string;
  /** SHA-256 of the whole file; absent after a look that found `state` changed, and so did not read it. */
  readonly sha256?: string;
  /** When the first look that saw this state had ended. */
  readonly sinceMs: number;
}

/** Returns how long the file must still remain unchanged. Throws FILE_NOT_FOUND or FILE_UNREADABLE. */
type LookAt = (name: string, stats: Stats) => Promise<number>;

/**
 * By inbox and name. The looks are kept for later runs of this process, and compared by the clock that timed them.
 */
const looksByClock = new WeakMap<Clock, Map<string, ReadonlyMap<string, Look>>>();

/**
 * Decides which files of an inbox are no longer being written: two looks, `quietSeconds` apart by our monotonic
 * clock, saw the same file. The file's own timestamps prove nothing: the server's clock may be wrong, and a copy
 * may keep any time.
 */
function quietFiles({ config, context: { clock } }: Workplace, inbox: string): LookAt {
  const inboxes = looksByClock.get(clock) ?? new Map<string, ReadonlyMap<string, Look>>();
  looksByClock.set(clock, inboxes);
  const earlier = inboxes.get(inbox);
  const looks = new Map<string, Look>();
  // Forgets files that are no longer there.
  inboxes.set(inbox, looks);
  const quietMs = config.files.quietSeconds * 1000;
  return async (name, stats) => {
    await checkReadable(inbox, name);
    if (quietMs === 0) return 0;
    const lookedMs = clock.monotonicMs();
    const before = earlier?.get(name);
    const state = sizeAndTimes(stats);
    if (before !== undefined && before.state !== state) {
      looks.set(name, { state, sinceMs: lookedMs });
      return quietMs;
    }
    const sha256 = await sha256Of(join(inbox, name));
    const isUnchanged = before?.sha256 === sha256;
    looks.set(name, isUnchanged ? before : { state, sha256, sinceMs: clock.monotonicMs() });
    return isUnchanged ? Math.max(0, before.sinceMs + quietMs - lookedMs) : quietMs;
  };
}

/** A file that we may not read stays in the inbox, where its sender can still permit it. */
async function checkReadable(inbox: string, name: string): Promise<void> {
  try {
    await unlessGone(access(join(inbox, name), constants.R_OK));
  } catch (cause) {
    throw new Fault(
      problem("FILE_UNREADABLE", { path: join(inbox, safeName(name)), reason: readFailure(cause) }),
    );
  }
}

/** Whether a file is unchanged since the last look, which may have been long ago. */
export async function isAsSeen(clock: Clock, inbox: string, name: string): Promise<boolean> {
  const last = looksByClock.get(clock)?.get(inbox)?.get(name);
  const stats = await unlessGone(stat(join(inbox, name)));
  return last === undefined || stats === undefined || sizeAndTimes(stats) === last.state;
}

function sizeAndTimes({ size, mtimeMs, ctimeMs }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs}`;
}

const CLAIMED_NAME = /^[0-9a-f-]{36}-(.+)$/s;

/** The sender's name of a claimed file. */
export function ownName(claimed: string): string {
  return safeName(CLAIMED_NAME.exec(claimed)?.[1] ?? claimed);
}

/**
 * Moves a file from the inbox to the work folder, its totals file first. If the payout file does not follow, the
 * totals file goes back. In the other order a file could be taken in without its totals.
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

/**
 * Puts totals files back into the inbox if their payout files were not claimed. A newer totals file there is kept
 * instead.
 */
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
