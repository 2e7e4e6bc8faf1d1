/** Finds the subject that a person names: a batch by its number or digest, or one payment by its reference. */
import { fault } from "../../faults/index.ts";
import type { Batch, BatchId, Instruction } from "../../model/index.ts";
import { listBatchesNamed } from "../../store/batches.ts";
import { getByReference, listByBatch } from "../../store/instructions.ts";
import type { Transaction } from "../../store/sql.ts";

/**
 * As many as `approve` shows. With fewer, an attacker could make two batches whose digests begin alike within
 * seconds.
 */
const DIGEST_CHARACTERS_MIN = 16;

const DIGEST = /^[0-9a-f]*$/i;

/** The batch with this number, or whose digest begins with `text`. Throws BATCH_UNKNOWN or NAME_AMBIGUOUS. */
export function* batchNamed(text: string): Transaction<Batch> {
  const batch = yield* findBatch(text);
  if (batch !== undefined) return batch;
  if (!DIGEST.test(text) || text.length >= DIGEST_CHARACTERS_MIN) throw fault("BATCH_UNKNOWN", { text });
  const how = `Give at least ${DIGEST_CHARACTERS_MIN} characters of the digest that \`paydrop status\` shows.`;
  throw fault("NAME_AMBIGUOUS", { text, reason: "it is too short for a digest", how });
}

export interface PaymentsNamed {
  /** Absent if a single payment was named. */
  readonly batch?: BatchId;
  readonly payments: readonly Instruction[];
}

/** The payments of a batch, or the one with a reference. Throws BATCH_UNKNOWN or NAME_AMBIGUOUS. */
export function* paymentsNamed(batchOrReference: string): Transaction<PaymentsNamed> {
  const batch = yield* findBatch(batchOrReference);
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

/** Throws NAME_AMBIGUOUS. */
export function* findBatch(text: string): Transaction<Batch | undefined> {
  const digest = text.toLowerCase();
  const isCutDigest = digest.length >= DIGEST_CHARACTERS_MIN;
  const [batch, ...others] = yield* listBatchesNamed(text, isCutDigest ? digest : undefined);
  if (batch === undefined || others.length === 0) return batch;
  const reason = `it matches several batches: ${[batch, ...others].map(({ id }) => id).join(", ")}`;
  throw fault("NAME_AMBIGUOUS", { text, reason, how: "Give more characters of the digest." });
}
