/** Which due payments today's limits keep back, found as the intents will find it: in the order of sending. */
import type { Config } from "../../config/index.ts";
import { spend } from "../../execution/index.ts";
import type { Instant, Instruction } from "../../model/index.ts";
import { Spending } from "../../store/spending.ts";
import type { Transaction } from "../../store/sql.ts";
import { listAttempts } from "../../store/submissions.ts";
import { spendingLimitsOf } from "../sending/execution-policy.ts";

/** `due`: in the order of sending. Counts nothing. */
export function* listBeyondLimits(
  due: readonly Instruction[],
  config: Pick<Config, "limits" | "ledger">,
  at: Instant,
): Transaction<ReadonlySet<Instruction>> {
  const limits = spendingLimitsOf(config);
  const spending = new Spending(limits.dayOf(at));
  const attempts = yield* listAttempts(due.map(({ id }) => id));
  const beyond = new Set<Instruction>();
  for (const instruction of due) {
    const earlier = attempts.get(instruction.id) ?? [];
    if ((yield* spend(instruction, earlier, spending, limits)) !== undefined) beyond.add(instruction);
  }
  return beyond;
}
