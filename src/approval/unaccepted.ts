/** Payments that need a second look are legal, and released only by somebody who says how many of them they have seen. Pure. */
import { type Problem, problem } from "../faults/index.ts";
import type { BatchId } from "../model/index.ts";

/** What is wrong with an approval that leaves out a number, by what it leaves out. */
type NotAccepted = "REPEATS_NOT_ACCEPTED" | "LOOK_ALIKES_NOT_ACCEPTED";

/** Why a batch with so many of them is not approved; undefined where there are none, or exactly so many were accepted. */
export function unaccepted(
  code: NotAccepted,
  batch: BatchId,
  count: number,
  accepted: number | undefined,
): Problem | undefined {
  if (count === 0 || count === accepted) return undefined;
  return problem(code, { batch, count, accepted: accepted ?? 0 });
}
