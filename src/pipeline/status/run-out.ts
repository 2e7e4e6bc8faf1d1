/** Approved payments that are not sent, because their approval has run out. */
import { runOutAt } from "../../approval/index.ts";
import type { Config } from "../../config/index.ts";
import type { BatchId, Day, Instant, Instruction } from "../../model/index.ts";
import { getBatch, listApprovals } from "../../store/batches.ts";
import type { Transaction } from "../../store/sql.ts";

/** Those of the payments whose approval has expired, or is not what today's rules require. */
export function* listRunOut(
  payments: readonly Instruction[],
  approval: Config["approval"],
  at: Instant,
): Transaction<ReadonlySet<Instruction>> {
  const byBatch = new Map<BatchId, (payOn: Day | undefined) => boolean>();
  for (const id of new Set(payments.map(({ batchId }) => batchId)))
    byBatch.set(id, runOutAt(yield* getBatch(id), yield* listApprovals(id), approval, at));
  return new Set(payments.filter(({ batchId, fields }) => byBatch.get(batchId)?.(fields.payOn)));
}
