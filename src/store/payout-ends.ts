/** How the payouts of accepted payments ended, stored with the payments: see `instruction.payout_end`. */
import type { InstructionId, PayoutEnd, PayoutId } from "../model/index.ts";
import { all, run, sql, type Transaction } from "./sql.ts";

export interface EndOfPayout {
  readonly id: InstructionId;
  readonly payoutId: PayoutId;
  readonly reference: string;
  readonly end: PayoutEnd | null;
}

/**
 * The accepted payments among those with these payouts, each with the end that is stored. `||` keeps SQLite from the
 * index of all accepted payments.
 */
export function listPayoutEnds(payoutIds: readonly string[]): Transaction<readonly EndOfPayout[]> {
  return all(sql`select id, payout_id as "payoutId", reference, payout_end as "end" from instruction
    where payout_id in ${payoutIds} and standing || '' = 'accepted'`);
}

export function* storePayoutEnds(
  ids: readonly InstructionId[],
  end: PayoutEnd | undefined,
): Transaction<void> {
  if (ids.length > 0) yield* run(sql`update instruction set payout_end = ${end} where id in ${ids}`);
}
