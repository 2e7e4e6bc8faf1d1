/**
 * Retention: removes files that are older than `retention` says and that no open matter needs. It first stores what it
 * is going to remove, then removes it, then writes a report and one entry of the record. If the process dies in
 * between, the next run completes the work and records it.
 */
import { hash } from "node:crypto";
import { stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { unlessStopped } from "../context/context.ts";
import { removeForGood, unlessGone, writeOnce } from "../context/files.ts";
import { isProblem, orProblem, type Problem } from "../faults/index.ts";
import { removeWithTotals } from "../files/intake/totals-file.ts";
import { chunks } from "../model/chunks.ts";
import { DAY_MS, type Instant, RETENTION_KINDS, type RetentionKind, shifted } from "../model/index.ts";
import { present } from "../model/present.ts";
import { sha256Of } from "../readers/index.ts";
import { appendAudit, auditLength } from "../store/audit.ts";
import {
  emptyOldMessages,
  forgetRemovals,
  insertRemovals,
  listUnrecorded,
  markRecorded,
  type Removal,
  removeParts,
  sumOldMessages,
} from "../store/retention.ts";
import type { Transaction } from "../store/sql.ts";
import { exclusivelyOrFault } from "../workplace/exclusively.ts";
import { openFolders } from "../workplace/folders.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { OLD_FILES, type OldFile } from "./old-files.ts";

export interface KindReport {
  readonly kind: RetentionKind;
  readonly days: number;
  /** How many are removed, or would be. */
  readonly count: number;
  readonly bytes: number;
  /** When the periods of the oldest and the newest file began; absent if nothing is removed. */
  readonly oldest?: Instant;
  readonly newest?: Instant;
  /** How many stay although they are old, because an open matter needs them. */
  readonly needed: number;
}

export interface RetentionReport {
  readonly at: Instant;
  readonly isDryRun: boolean;
  /** The kinds that have a retention period in the configuration. */
  readonly kinds: readonly KindReport[];
  /** The path of the report; absent if nothing was removed. */
  readonly report?: string;
  /** Why something could not be removed; the next run tries again. */
  readonly problems: readonly Problem[];
}

interface Plan {
  readonly summary: KindReport;
  readonly files: readonly OldFile[];
  readonly before: Instant;
}

/** With `isDryRun`, changes nothing. Throws UNDER_WAY, FILE_UNREADABLE, OUTPUT_UNWRITABLE. */
export async function retentionStep(
  workplace: Workplace,
  { isDryRun = false }: { readonly isDryRun?: boolean } = {},
): Promise<RetentionReport> {
  if (!isDryRun) return exclusivelyOrFault(workplace, "retention", removeOld);
  const at = workplace.context.clock.now();
  const plans = await plansOf(workplace, at);
  return { at, isDryRun, kinds: plans.map(({ summary }) => summary), problems: [] };
}

async function plansOf(workplace: Workplace, now: Instant): Promise<Plan[]> {
  const plans: Plan[] = [];
  for (const kind of RETENTION_KINDS) {
    const days = workplace.config.retention?.[`${kind}Days`];
    if (days === undefined) continue;
    const before = shifted(now, -days * DAY_MS);
    plans.push(
      kind === "notices"
        ? await planMessages(workplace, days, before)
        : planFiles(kind, days, before, await OLD_FILES[kind](workplace, before)),
    );
  }
  return plans;
}

function planFiles(kind: RetentionKind, days: number, before: Instant, old: readonly OldFile[]): Plan {
  const files = old.filter(({ isNeeded }) => !isNeeded);
  const times = files.map(({ datedAt }) => datedAt).sort();
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const needed = old.length - files.length;
  const ends = present({ oldest: times[0], newest: times.at(-1) });
  return { summary: { kind, days, count: files.length, bytes, needed, ...ends }, files, before };
}

async function planMessages({ store }: Workplace, days: number, before: Instant): Promise<Plan> {
  const sum = await store.read(() => sumOldMessages(before));
  return { summary: { kind: "notices", days, needed: 0, ...sum }, files: [], before };
}

async function removeOld(workplace: Workplace): Promise<RetentionReport> {
  const at = workplace.context.clock.now();
  await openFolders(workplace, "nights");
  const plans = await plansOf(workplace, at);
  const problems: Problem[] = [];
  for (const { files } of plans)
    for (const some of chunks(files, FILES_TOGETHER)) {
      unlessStopped(workplace.context);
      problems.push(...(await removeSome(workplace, some, at)));
    }
  const messages = plans.find(({ summary }) => summary.kind === "notices");
  const kinds = plans.map(({ summary }) => summary);
  const report = await recordRemovals(workplace, { at, isDryRun: false, kinds, problems }, messages);
  return { at, isDryRun: false, kinds, problems, ...present({ report }) };
}

const FILES_TOGETHER = 100;

/** Returns why a file could not be removed. */
async function removeSome(
  { store }: Workplace,
  files: readonly OldFile[],
  removedAt: Instant,
): Promise<Problem[]> {
  const planned: { readonly removal: Removal; readonly path: string | undefined }[] = [];
  for (const { path, isNeeded: _, ...file } of files) {
    const sha256 = path === undefined ? file.sha256 : await unlessGone(sha256Of(path));
    if (sha256 !== undefined) planned.push({ removal: { ...file, sha256, removedAt }, path });
  }
  await store.write(function* (): Transaction<void> {
    yield* insertRemovals(planned.map(({ removal }) => removal));
    for (const { removal } of planned)
      if (removal.kind === "exports") yield* removeParts(Number(removal.about));
  });
  const left: Removal[] = [];
  const problems: Problem[] = [];
  for (const { removal, path } of planned) {
    const removed = path === undefined || (await orProblem(() => removeUnlessNew(removal, path)));
    if (removed === true) continue;
    left.push(removal);
    if (isProblem(removed)) problems.push({ ...removed, file: removal.name });
  }
  if (left.length > 0) await store.write(() => forgetRemovals(left));
  return problems;
}

/** False for a file that was written again after it was listed, for example because it was sent again. */
async function removeUnlessNew({ kind, datedAt }: Removal, path: string): Promise<boolean> {
  const stats = await unlessGone(stat(path));
  if (stats !== undefined && stats.mtime.toISOString() > datedAt) return false;
  await (kind === "suspected" ? removeWithTotals(path) : removeForGood(path));
  return true;
}

/** Records what was removed since the last such entry in one entry, with the report's hash. Returns its path. */
async function recordRemovals(
  { store, config, context }: Workplace,
  report: RetentionReport,
  messages: Plan | undefined,
): Promise<string | undefined> {
  const removed = await store.read(() => listUnrecorded());
  if (removed.length === 0 && (messages?.summary.count ?? 0) === 0) return undefined;
  const { at } = report;
  const text = `${JSON.stringify({ ...report, removed }, null, 2)}\n`;
  const name = `retention-${at.replaceAll(/[-:]|\.\d+/g, "")}-${context.random.uuid().slice(0, 4)}.json`;
  const path = join(config.folders.nights, name);
  await writeOnce(path, (temporaryPath) => writeFile(temporaryPath, text));
  const counts = RETENTION_KINDS.map((kind) => [kind, removed.filter((one) => one.kind === kind).length]);
  const detail: Record<string, string | number> = {
    sha256: hash("sha256", text),
    ...Object.fromEntries(counts.filter(([, count]) => count !== 0)),
  };
  await store.write(function* (): Transaction<void> {
    const emptied = messages === undefined ? 0 : yield* emptyOldMessages(messages.before);
    const all = emptied === 0 ? detail : { ...detail, notices: emptied };
    const entry = { at, person: "retention", action: "retention", subject: basename(path), detail: all };
    yield* appendAudit(entry);
    yield* markRecorded(yield* auditLength());
  });
  return path;
}
