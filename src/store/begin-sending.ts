/** Payments about to be sent: moves them to `sending`, holds them back, and lists those that are due. */
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
import { all, column, run, type Statement, sql, type Transaction } from "./sql.ts";

/**
 * Moves a payment that is about to be sent, if every column that decides who gets what and when equals
 * `instruction`. Throws BATCH_ALTERED otherwise.
 */
export function* beginSending(instruction: Instruction, at: Instant): Transaction<void> {
  const { batchId, fields } = instruction;
  // Each column that is set costs a write to every index with it, so `reason` and `payout_id` are set only if not
  // null.
  if ((yield* run(beginStatement(NARROW, instruction, at))) === 1) return;
  if ((yield* run(beginStatement(WHOLE, instruction, at))) === 1) return;
  throw fault(
    "BATCH_ALTERED",
    { what: `the stored rows of batch ${batchId}` },
    { reference: fields.reference },
  );
}

const UNCHANGED = `id = ? and standing = 'approved' and batch_id = ? and row = ? and fields = ? and reference = ?
  and coalesce(pay_on, '') = ? and currency = ? and amount = ? and destination = ?`;
const NARROW = `update instruction set standing = 'sending', changed_at = ?
  where ${UNCHANGED} and reason is null and payout_id is null`;
const WHOLE = `update instruction set standing = 'sending', changed_at = ?, reason = null, payout_id = null
  where ${UNCHANGED}`;

function beginStatement(text: string, { id, batchId, row, fields }: Instruction, at: Instant): Statement {
  const { reference, amount, payOn = "" } = fields;
  const money = [amount.currency, amount.value.toString(), destinationOf(fields)];
  return { text, values: [at, id, batchId, row, canonicalFields(fields), reference, payOn, ...money] };
}

/** Notes why approved payments are held back, or clears the reason; they stay approved. */
export function* noteHeldBack(
  held: readonly { readonly id: InstructionId; readonly reason: string | undefined }[],
): Transaction<void> {
  for (const { id, reason } of held)
    yield* run(sql`update instruction set reason = ${reason} where id = ${id} and standing = 'approved'`);
}

/** Clears what `noteHeldBack` noted for a batch. */
export function* endHeldBack(batch: BatchId): Transaction<void> {
  yield* run(sql`update instruction set reason = null where batch_id = ${batch} and standing = 'approved'`);
}

/** The batches with approved payments that are due. */
export function listDueBatches(today: Day): Transaction<BatchId[]> {
  return column(sql`select distinct batch_id from instruction
    where standing = 'approved' and coalesce(json_extract(fields, '$.payOn'), '') <= ${today}`);
}

/** The payments of custody accounts with one of these standings. */
export function listAtStanding(standings: readonly Standing[], accounts: readonly string[]) {
  return all<{ readonly reference: string; readonly batch_id: BatchId; readonly standing: Standing }>(
    sql`select reference, batch_id, standing from instruction where standing in ${standings}
      and json_extract(fields, '$.custodyAccountId') in ${accounts}`,
  );
}
