/** The payments that a person names in one word: a batch by its number or digest, or one by its reference. */
import type { BatchId, Instruction } from "../../model/index.ts";
import { listBatches } from "../../store/batches.ts";
import { getByReference, listByBatch } from "../../store/instructions.ts";
import type { Transaction } from "../../store/sql.ts";

/** Fewer characters of a digest may fit several batches. */
export const DIGEST_CHARACTERS_MIN = 12;

export interface PaymentsNamed {
  /** Absent where one payment was named. */
  readonly batch?: BatchId;
  readonly payments: readonly Instruction[];
}

/** A digest may be cut short, as `approve` takes it. Throws BATCH_UNKNOWN for a word that names neither. */
export function* paymentsNamed(batchOrReference: string): Transaction<PaymentsNamed> {
  const digest = batchOrReference.toLowerCase();
  const isCutDigest = digest.length >= DIGEST_CHARACTERS_MIN;
  const batch = (yield* listBatches()).find(
    (one) => one.id === batchOrReference || (isCutDigest && one.digest.startsWith(digest)),
  );
  return batch === undefined
    ? { payments: [yield* getByReference(batchOrReference)] }
    : { batch: batch.id, payments: yield* listByBatch(batch.id) };
}

/** As they stand, in the order of their references. Throws BATCH_UNKNOWN. */
export function* paymentsOf(references: readonly string[]): Transaction<Instruction[]> {
  const payments: Instruction[] = [];
  for (const reference of references) payments.push(yield* getByReference(reference));
  return payments;
}
