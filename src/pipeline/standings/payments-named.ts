/** Finds the payments that a person names: a batch by number or digest, or one payment by reference. */
import { fault } from "../../faults/index.ts";
import type { BatchId, Instruction } from "../../model/index.ts";
import { listBatches } from "../../store/batches.ts";
import { getByReference, listByBatch } from "../../store/instructions.ts";
import type { Transaction } from "../../store/sql.ts";

/** As many as are shown with `approve`. With fewer, somebody could make two batches that begin alike within seconds. */
export const DIGEST_CHARACTERS_MIN = 16;

export interface PaymentsNamed {
  /** Absent if a single payment was named. */
  readonly batch?: BatchId;
  readonly payments: readonly Instruction[];
}

/** Accepts a digest prefix, like `approve`. Throws BATCH_UNKNOWN if the word names neither, and DIGEST_AMBIGUOUS. */
export function* paymentsNamed(batchOrReference: string): Transaction<PaymentsNamed> {
  const digest = batchOrReference.toLowerCase();
  const isCutDigest = digest.length >= DIGEST_CHARACTERS_MIN;
  const [batch, another] = (yield* listBatches()).filter(
    (batch) => batch.id === batchOrReference || (isCutDigest && batch.digest.startsWith(digest)),
  );
  if (batch !== undefined && another !== undefined)
    throw fault("DIGEST_AMBIGUOUS", { text: batchOrReference, batches: `${batch.id}, ${another.id}` });
  return batch === undefined
    ? { payments: [yield* getByReference(batchOrReference)] }
    : { batch: batch.id, payments: yield* listByBatch(batch.id) };
}

/** The payments in the order of `references`. Throws BATCH_UNKNOWN. */
export function* paymentsOf(references: readonly string[]): Transaction<Instruction[]> {
  const payments: Instruction[] = [];
  for (const reference of references) payments.push(yield* getByReference(reference));
  return payments;
}
