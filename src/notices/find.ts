/** Finds the facts to report: what waits, what is in doubt, what failed, and the files of the last days. */
import { unmappedValues } from "../books/index.ts";
import { Fault } from "../faults/index.ts";
import { layoutOf } from "../files/intake/sent-file.ts";
import { kindWords } from "../model/break-words.ts";
import {
  type BatchId,
  DAY_MS,
  destinationOf,
  type Instant,
  type Instruction,
  type PayoutId,
  shifted,
} from "../model/index.ts";
import { answeringTargets } from "../model/ledger-table.ts";
import { present } from "../model/present.ts";
import {
  countPayees,
  getBatch,
  listApprovals,
  listBatchesAt,
  listFilesSince,
  type TakenFile,
} from "../store/batches.ts";
import { listOpenBreaks, type StoredBreak } from "../store/breaks.ts";
import { listOpenChanges } from "../store/changes.ts";
import { listUnanswered } from "../store/erp-answers.ts";
import { listFailedSinceComparison } from "../store/failed-payments.ts";
import { findByPayoutIds, listByStanding, listChangedAt, listRefused } from "../store/instructions.ts";
import { stampOfSuspense } from "../store/ledger-entries.ts";
import type { Transaction } from "../store/sql.ts";
import { statusOfBatches } from "../views/batch-status.ts";
import type { Figures } from "../views/figures.ts";
import { filesNotCome } from "../views/files-not-come.ts";
import { waitingForApproval } from "../views/overview.ts";
import { wrongRuns } from "../views/run-result.ts";
import type { Workplace } from "../workplace/workplace.ts";
import type {
  Findings,
  FoundBreak,
  FoundChange,
  FoundExport,
  FoundFile,
  FoundPayment,
  FoundSuspense,
  FoundWaiting,
  NamedBatch,
} from "./rules/findings.ts";

/** Older files are not reported: notices were switched off then, or could not be sent. */
const FILES_REPORTED_MS = 3 * DAY_MS;

/** Facts that take long to find, kept between two rounds. */
export interface Remembered {
  /** The number of payees by batch, whose payments never change. */
  readonly payees: Map<BatchId, number>;
  suspense?: { readonly stamp: string; readonly found: readonly FoundSuspense[] };
}

export async function findAll(
  workplace: Workplace,
  figures: Figures,
  remembered: Remembered,
): Promise<Findings> {
  const { store, context, config } = workplace;
  const now = context.clock.now();
  const { incompleteComparison: incomplete, sendingStopped, lastEndedRuns } = figures;
  const since = shifted(now, -FILES_REPORTED_MS);
  return {
    files: await store.read(() => findFiles(workplace, since, remembered)),
    missingFiles: await store.read(() => filesNotCome(config, now)),
    waiting: await findWaiting(workplace, figures, now, remembered),
    payments: await store.read(() => findPayments()),
    changes: await store.read(() => findChanges()),
    stops: Object.entries(sendingStopped).flatMap(([reason, isStopped]) => (isStopped ? [reason] : [])),
    breaks: (await store.read(() => listOpenBreaks())).map(foundBreak),
    ...present({ incomplete }),
    suspense: await findSuspense(workplace, remembered),
    unanswered: await findUnanswered(workplace, now),
    wrongRuns: wrongRuns(lastEndedRuns),
  };
}

function* findFiles({ config }: Workplace, since: Instant, remembered: Remembered): Transaction<FoundFile[]> {
  const found: FoundFile[] = [];
  for (const file of yield* listFilesSince(since))
    found.push(yield* foundFile(file, senderOf(config, file), remembered));
  return found;
}

function* foundFile(
  file: TakenFile,
  sender: string | undefined,
  remembered: Remembered,
): Transaction<FoundFile> {
  const { sha256, name, takenAt, verdict, submittedBy, batchId, sentBefore } = file;
  const common = { sha256, name, takenAt, verdict, ...present({ submittedBy, sender, sentBefore }) };
  if (batchId === undefined) return common;
  const { fileName, controlTotals: totals } = yield* getBatch(batchId);
  const payees = yield* payeesOf(batchId, remembered);
  return { ...common, batch: { id: batchId, fileName, totals, payees } };
}

function* payeesOf(id: BatchId, { payees }: Remembered): Transaction<number> {
  const count = payees.get(id) ?? (yield* countPayees(id));
  payees.set(id, count);
  return count;
}

/** Undefined if no sender's layout fits the file, or if several do. */
function senderOf(config: Workplace["config"], { name }: TakenFile): string | undefined {
  try {
    return layoutOf(config, name).sender;
  } catch (error) {
    if (error instanceof Fault && error.problem.code === "SENDER_AMBIGUOUS") return undefined;
    throw error;
  }
}

/** Sums up batches only while some payment awaits approval. */
async function findWaiting(
  workplace: Workplace,
  { payments, runOut }: Figures,
  at: Instant,
  remembered: Remembered,
): Promise<FoundWaiting[]> {
  const { store } = workplace;
  if ((payments.get("received") ?? 0) + runOut === 0) return [];
  const ids = await store.read(() => listBatchesAt(["received", "approved"]));
  const found: FoundWaiting[] = [];
  for (const status of await statusOfBatches(workplace, new Set(ids))) {
    const { id, fileName, submittedAt } = status.batch;
    for (const { totals, not: cannotApprove, peopleMissing, approvers, isAnew } of waitingForApproval(
      status,
      at,
    ))
      found.push({
        ...{ id, fileName, totals, cannotApprove, peopleMissing, since: submittedAt },
        ...(peopleMissing !== undefined && { rule: { approvers } }),
        payees: await store.read(() => payeesOf(id, remembered)),
        ...(isAnew && { approvedAt: await lastApprovedAt(workplace, id) }),
      });
  }
  return found;
}

async function lastApprovedAt({ store }: Workplace, id: BatchId): Promise<Instant> {
  return (await store.read(() => listApprovals(id))).at(-1)?.decidedAt ?? "";
}

/** Failed payments include those that the comparison has reported as breaks, since it is the same case. */
function* findPayments(): Transaction<FoundPayment[]> {
  const broken = (yield* listOpenBreaks())
    .filter(isFailedPayment)
    .map(({ payoutId }) => payoutId as PayoutId);
  const standings = [
    ...(yield* listByStanding("in doubt")).map((each) => ["in doubt", each] as const),
    ...(yield* listByStanding("held")).map((each) => ["held", each] as const),
    ...(yield* listRefused()).map((each) => ["refused", each] as const),
    ...[...(yield* listFailedSinceComparison()), ...(yield* findByPayoutIds(broken))].map(
      (each) => ["failed", each] as const,
    ),
  ];
  const changedAt = yield* listChangedAt(standings.map(([, { id }]) => id));
  const batches = new Map<BatchId, NamedBatch>();
  const found: FoundPayment[] = [];
  for (const [standing, { id, batchId, fields }] of standings) {
    const batch = batches.get(batchId) ?? (yield* namedBatch(batchId));
    batches.set(batchId, batch);
    const { amount } = fields;
    const since = changedAt.get(id) ?? "";
    found.push({ batch, id, standing, amount, destination: destinationOf(fields), since });
  }
  return found;
}

function isFailedPayment({ kind, severity, payoutId }: StoredBreak): boolean {
  return kind === "failed" && severity === "warning" && payoutId !== undefined;
}

function* namedBatch(id: Instruction["batchId"]): Transaction<NamedBatch> {
  const { fileName } = yield* getBatch(id);
  return { id, fileName };
}

function* findChanges(): Transaction<FoundChange[]> {
  return (yield* listOpenChanges()).map(({ id, operation, subject, requested, endedAt, intendedAt }) => ({
    ...{ id, operation, subject, since: endedAt ?? intendedAt },
    ...present({ amount: requested?.amount }),
  }));
}

function foundBreak(opened: StoredBreak): FoundBreak {
  const { opening, kind, severity, reference, payoutId, amount, openedAt } = opened;
  const about = present({ reference, payoutId, amount });
  return { opening, kind, severity, words: kindWords(opened), openedAt, ...about };
}

/** Reads the entries again only if entries with a line on suspense were added. */
async function findSuspense(workplace: Workplace, remembered: Remembered): Promise<readonly FoundSuspense[]> {
  const stamp = await workplace.store.read(() => stampOfSuspense());
  if (remembered.suspense?.stamp === stamp) return remembered.suspense.found;
  const currency = workplace.config.ledger.functionalCurrency;
  const found = (await unmappedValues(workplace)).map((value) => ({ ...value, currency }));
  remembered.suspense = { stamp, found };
  return found;
}

async function findUnanswered({ config, store }: Workplace, now: Instant): Promise<FoundExport[]> {
  const { answerWithinHours: olderThanHours } = config.export;
  return store.read(() => listUnanswered(answeringTargets(config.ledger.exports), now, { olderThanHours }));
}
