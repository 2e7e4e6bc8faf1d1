/** When batches were released, according to the audit record, and the sums released together. */
import {
  type Batch,
  type BatchId,
  type ControlTotal,
  controlTotals,
  HOUR_MS,
  type Instant,
  lessControlTotals,
  RunningTotals,
  shifted,
} from "../model/index.ts";
import { amountOf } from "../money/index.ts";
import { type AuditEntry, listAuditOfBatches, listReleasesBetween } from "./audit.ts";
import { getBatch } from "./batches.ts";
import { all, sql, type Transaction } from "./sql.ts";

export type JudgedBatch = Batch & { readonly together: readonly ControlTotal[] };

/** As `batchReleasedAt`, for the batch's last release; `now` if it was never released. */
export function* batchAsReleased(batch: Batch, windowHours: number, now: Instant): Transaction<JudgedBatch> {
  const entries = yield* listAuditOfBatches([batch.id]);
  return yield* batchReleasedAt(batch, windowHours, entries.findLast(isRelease)?.at ?? now);
}

/**
 * The batch, with its sums in each of its currencies increased by those of other batches released within
 * `windowHours` before `at`. Withdrawn payments do not count.
 */
export function* batchReleasedAt(batch: Batch, windowHours: number, at: Instant): Transaction<JudgedBatch> {
  const since = shifted(at, -windowHours * HOUR_MS);
  const released = (yield* listReleasesBetween(since, at)).filter(isRelease).map(({ subject }) => subject);
  const sums = new RunningTotals();
  for (const total of batch.controlTotals) sums.addTotal(total);
  for (const id of new Set(released))
    if (id !== batch.id)
      for (const total of yield* sumsKept(id as BatchId))
        if (batch.controlTotals.some(({ currency }) => currency === total.currency)) sums.addTotal(total);
  return { ...batch, together: sums.totals() };
}

/** Whether the approval was the last one needed, for a first or a renewed release. */
function isRelease({ action, detail }: AuditEntry): boolean {
  return action === "approve" && (Number(detail["released"]) > 0 || Number(detail["renewed"]) > 0);
}

/** The batch's sums without withdrawn payments. */
export function* sumsKept(id: BatchId): Transaction<ControlTotal[]> {
  const { controlTotals: submitted } = yield* getBatch(id);
  const rows = yield* all<{ currency: string; amount: string }>(
    sql`select currency, amount from instruction where batch_id = ${id} and standing = 'withdrawn'`,
  );
  const withdrawn = controlTotals(rows.map(({ currency, amount }) => amountOf(amount, currency)));
  return lessControlTotals(submitted, withdrawn).filter(({ count }) => count > 0);
}
