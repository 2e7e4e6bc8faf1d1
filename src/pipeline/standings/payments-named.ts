/** The payments that a person names in one word: a batch by its number or digest, or one by its reference. */
import type { BatchId, Instruction } from "../../model/index.ts";
import { listBatches } from "../../store/batches.ts";
import { getByReference, listByBatch } from "../../store/instructions.ts";
import type { Transaction } from "../../store/sql.ts";

export interface PaymentsNamed {
  /** Absent where one payment was named. */
  readonly batch?: BatchId;
  readonly payments: readonly Instruction[];
}

/** Throws BATCH_UNKNOWN for a word that names neither. */
export function* paymentsNamed(batchOrReference: string): Transaction<PaymentsNamed> {
  const batch = (yield* listBatches()).find(
    ({ id, digest }) => id === batchOrReference || digest === batchOrReference,
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
