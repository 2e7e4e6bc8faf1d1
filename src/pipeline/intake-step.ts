/** The inbox: claims each file that has come to rest, submits it, and says where its answer lies. */
import { readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { UNFINISHED_PREFIX } from "../context/files.ts";
import { Fault, type Problem } from "../faults/index.ts";
import { openFolders } from "./folders.ts";
import { type SubmitReport, submitFile } from "./submit-file.ts";
import type { Workplace } from "./workplace.ts";

/** Who is said to have submitted what was dropped in the inbox. */
const INBOX = "inbox";

const CLAIMED_NAME = /^[0-9a-f-]{36}-(.+)$/;

export interface IntakeReport {
  readonly files: readonly SubmitReport[];
  /** Files that are still being written. */
  readonly waiting: readonly string[];
  /** Files that could not be taken in for a reason of ours; they stay claimed, and the next run tries again. */
  readonly problems: readonly Problem[];
}

/** Takes in what lies in the inbox, after what an earlier run had claimed and not finished. */
export async function intakeStep(workplace: Workplace): Promise<IntakeReport> {
  const { inbox, work } = workplace.config.folders;
  await openFolders(workplace, "inbox", "work");
  const { ready, waiting } = await scan(workplace, inbox);
  for (const name of ready)
    await rename(join(inbox, name), join(work, `${workplace.context.random.uuid()}-${name}`));

  const files: SubmitReport[] = [];
  const problems: Problem[] = [];
  for (const claimed of (await readdir(work)).sort(byOwnName)) {
    const taken = await takeIn(workplace, join(work, claimed), ownName(claimed));
    if ("code" in taken) problems.push(taken);
    else files.push(taken);
  }
  return { files, waiting, problems };
}

/** One file that fails must not keep the others waiting. */
async function takeIn(workplace: Workplace, path: string, name: string): Promise<SubmitReport | Problem> {
  try {
    const report = await submitFile(workplace, path, INBOX, name);
    await rm(path);
    return report;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { ...error.problem, file: name };
  }
}

async function scan(
  { config, context }: Workplace,
  inbox: string,
): Promise<{ ready: string[]; waiting: string[] }> {
  const ready: string[] = [];
  const waiting: string[] = [];
  const quietBeforeMs = Date.parse(context.clock.now()) - config.files.quietSeconds * 1000;
  for (const entry of await readdir(inbox, { withFileTypes: true })) {
    if (!entry.isFile() || isNotForUs(entry.name)) continue;
    const { mtimeMs } = await stat(join(inbox, entry.name));
    (Math.floor(mtimeMs) <= quietBeforeMs ? ready : waiting).push(entry.name);
  }
  return { ready: ready.sort(), waiting: waiting.sort() };
}

/** Hidden files, the lock files of office programs, and files that are being copied in by name. */
function isNotForUs(name: string): boolean {
  return (
    name.startsWith(".") ||
    name.startsWith("~$") ||
    name.startsWith(UNFINISHED_PREFIX) ||
    /\.(tmp|part|crdownload)$/i.test(name)
  );
}

function ownName(claimed: string): string {
  return CLAIMED_NAME.exec(claimed)?.[1] ?? claimed;
}

function byOwnName(left: string, right: string): number {
  return ownName(left) < ownName(right) ? -1 : 1;
}
