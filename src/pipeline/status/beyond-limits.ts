/** Which due payments today's limits keep back, found as the intents will find it: in the order of sending. */
import type { Config } from "../../config/index.ts";
import { isCountedOn, spend } from "../../execution/index.ts";
import { dayIn, type Instant, type Instruction } from "../../model/index.ts";
import { Spending } from "../../store/spending.ts";
import type { Transaction } from "../../store/sql.ts";
import { listAttempts } from "../../store/submissions.ts";

/** `due`: in the order of sending. Counts nothing. */
export function* listBeyondLimits(
  due: readonly Instruction[],
  { limits, ledger }: Pick<Config, "limits" | "ledger">,
  at: Instant,
): Transaction<ReadonlySet<Instruction>> {
  const policy = {
    limitPerDay: limits.perDay,
    limitPerDestination: limits.perDestination,
    dayOf: (instant: Instant) => dayIn(ledger.timeZone, instant),
  };
  const today = policy.dayOf(at);
  const spending = new Spending(today);
  const attempts = yield* listAttempts(due.map(({ id }) => id));
  const beyond = new Set<Instruction>();
  for (const instruction of due) {
    const isCounted = isCountedOn(today, attempts.get(instruction.id) ?? [], policy);
    if (!isCounted && (yield* spend(instruction, spending, policy)) !== undefined) beyond.add(instruction);
  }
  return beyond;
}
