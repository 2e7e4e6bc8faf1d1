/** How the payouts of accepted payments ended, stored with the payments: see `instruction.payout_end`. */
import type { BatchId, InstructionId, PayoutEnd, PayoutId, Standing } from "../model/index.ts";
import { all, run, sql, type Transaction } from "./sql.ts";

/** A payment with this payout, and the end that is stored with it. */
export interface PaymentOfPayout {
  readonly id: InstructionId;
  readonly batchId: BatchId;
  readonly standing: Standing;
  readonly payoutId: PayoutId;
  readonly reference: string;
  readonly end: PayoutEnd | null;
}

export function listPaymentsOfPayouts(payoutIds: readonly string[]): Transaction<readonly PaymentOfPayout[]> {
  return all(sql`select id, batch_id as "batchId", standing, payout_id as "payoutId", reference, payout_end as "end"
    from instruction where payout_id in ${payoutIds}`);
}

export function* storePayoutEnds(
  ids: readonly InstructionId[],
  end: PayoutEnd | undefined,
): Transaction<void> {
  if (ids.length > 0) yield* run(sql`update instruction set payout_end = ${end} where id in ${ids}`);
}
