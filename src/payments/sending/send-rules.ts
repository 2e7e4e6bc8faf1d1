/**
 * Rules for every send of a payout, first or repeated: the stop order, the calendar, the approval, and how long an
 * intent is valid.
 */
import { type Problem, problem } from "../../faults/index.ts";
import type { Instruction } from "../../model/index.ts";
import type { Transaction } from "../../store/sql.ts";
import type { CreationCall, ExecutionPolicy, ExecutionTools, ReleaseStamps } from "./tools.ts";

/** A request must reach the socket within this time of its intent, or it is withheld. */
export const SEND_WITHIN_MS = 60_000;

/** Evidence for a submission that a dead process left without an outcome. */
export const PROCESS_ENDED = "the process ended before the answer was stored";

export const STOPPED = "the run was stopped";
export const TOO_LATE = "its time to be sent had passed";
export const UNCONFIRMED = "the database did not confirm that its intent was stored";

/** Why a request must not be written any more, asked right before its first byte; undefined while it may. */
export function whyNotWritten(
  { policy, context }: Pick<ExecutionTools, "policy" | "context">,
  sendBeforeMs: number,
  mayStillSend: () => boolean,
): string | undefined {
  if (!mayStillSend()) return STOPPED;
  const closed = policy.whyLaneClosed() ?? policy.stopOrder();
  return closed ?? (context.clock.monotonicMs() > sendBeforeMs ? TOO_LATE : undefined);
}

/** Why an instruction may not be sent at `now`; undefined if it may. `stopOrder`: the text in force, if any. */
export function* whyNotNow(
  instruction: Instruction,
  call: CreationCall,
  stopOrder: string | undefined,
  now: string,
  policy: Pick<ExecutionPolicy, "whyNotReleased" | "whyResting">,
  stamps?: ReleaseStamps,
): Transaction<Problem | undefined> {
  const { reference } = instruction.fields;
  if (stopOrder !== undefined) return problem("SENDING_STOPPED", { reason: stopOrder }, { reference });
  const resting = policy.whyResting(now, "send");
  if (resting !== undefined) return { ...resting, reference };
  return yield* policy.whyNotReleased(instruction, call, now, stamps);
}

/** The problem of a payment whose custody account is no longer configured. */
export function custodyAccountGone({ fields }: Pick<Instruction, "fields">): Problem {
  const { custodyAccountId: id, reference } = fields;
  return problem("CUSTODY_ACCOUNT_GONE", { id }, { reference });
}
