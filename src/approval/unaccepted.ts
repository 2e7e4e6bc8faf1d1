/** Payments that need a second look may be paid, but only if the approver states how many of them there are. Pure. */
import { type Problem, problem } from "../faults/index.ts";
import type { BatchId } from "../model/index.ts";

/** The problem codes of an approval that does not state a number. */
type NotAccepted = "REPEATS_NOT_ACCEPTED" | "LOOK_ALIKES_NOT_ACCEPTED";

/**
 * Why a batch with such payments is not approved; undefined if there are none, or if exactly their number was accepted.
 */
export function unaccepted(
  code: NotAccepted,
  batch: BatchId,
  count: number,
  accepted: number | undefined,
): Problem | undefined {
  if (count === 0 || count === accepted) return undefined;
  return problem(code, { batch, count, accepted: accepted ?? 0 });
}
