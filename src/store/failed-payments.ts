/** Payments whose payout failed after the last comparison. The next comparison will report them as breaks. */
import {
  breakId,
  FAILED_PAYOUT_STATES,
  type Instruction,
  payoutSubject,
  type Standing,
} from "../model/index.ts";
import { instructionsIn } from "./instructions.ts";
import { sql, type Transaction } from "./sql.ts";

/**
 * Leaves out payments that are paid again. Uses a cross join, because SQLite would otherwise start from all
 * accepted payments.
 */
export function listFailedSinceComparison(): Transaction<Instruction[]> {
  return instructionsIn(sql`select instruction.* from observed cross join instruction
    where instruction.payout_id = observed.id
      and observed.kind = 'payout' and standing = ${"accepted" satisfies Standing}
      and observed.state in ${FAILED_PAYOUT_STATES}
      and instruction.id not in
        (select earlier_id from again join instruction as later on later.reference = again.reference)
      and not exists (select 1 from break_opening
        where break_id = ${breakId("failed", payoutSubject(""))} || observed.id and closed_at is null)
    order by batch_id, row`);
}
