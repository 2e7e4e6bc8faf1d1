/** Payments on their way out: what is about to be sent, what is held back, and what may still be sent. */
import { fault } from "../faults/index.ts";
import {
  type BatchId,
  canonicalFields,
  type Day,
  destinationOf,
  type Instant,
  type Instruction,
  type InstructionId,
  type Standing,
} from "../model/index.ts";
import { all, run, sql, type Transaction } from "./sql.ts";

/**
 * Moves a payment that is about to be sent, if the database still has it as `instruction` says in every column that decides
 * who gets what and when. Throws BATCH_ALTERED otherwise.
 */
export function* beginSending({ id, batchId, row, fields }: Instruction, at: Instant): Transaction<void> {
  const { reference, amount, payOn = "" } = fields;
  const moved = yield* run(sql`update instruction
    set standing = ${"sending" satisfies Standing}, reason = null, payout_id = null, changed_at = ${at}
    where id = ${id} and standing = ${"approved" satisfies Standing} and batch_id = ${batchId} and row = ${row}
      and fields = ${canonicalFields(fields)} and reference = ${reference} and coalesce(pay_on, '') = ${payOn}
      and currency = ${amount.currency} and amount = ${amount.value.toString()} and destination = ${destinationOf(fields)}`);
  if (moved === 1) return;
  throw fault("BATCH_ALTERED", { what: `the stored rows of batch ${batchId}` }, { reference });
}

/** Notes why approved payments are held back, or that they no longer are; they stay approved. */
export function* noteHeldBack(
  held: readonly { readonly id: InstructionId; readonly reason: string | undefined }[],
): Transaction<void> {
  for (const { id, reason } of held)
    yield* run(sql`update instruction set reason = ${reason} where id = ${id} and standing = 'approved'`);
}

/** Ends what `noteHeldBack` noted of a batch. */
export function* endHeldBack(batch: BatchId): Transaction<void> {
  yield* run(sql`update instruction set reason = null where batch_id = ${batch} and standing = 'approved'`);
}

/** The batches with approved payments that are due. */
export function* listDueBatches(today: Day): Transaction<BatchId[]> {
  const rows = yield* all<{ batch_id: BatchId }>(sql`select distinct batch_id from instruction
    where standing = 'approved' and coalesce(json_extract(fields, '$.payOn'), '') <= ${today}`);
  return rows.map((row) => row.batch_id);
}

/** The payments of custody accounts with one of these standings. */
export function listAtStanding(standings: readonly Standing[], accounts: readonly string[]) {
  return all<{ readonly reference: string; readonly batch_id: BatchId; readonly standing: Standing }>(
    sql`select reference, batch_id, standing from instruction where standing in ${standings}
      and json_extract(fields, '$.custodyAccountId') in ${accounts}`,
  );
}
