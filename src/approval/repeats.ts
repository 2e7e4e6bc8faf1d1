/** Repeated payments are legal, and released only by somebody who says how many of them they have seen. Pure. */
import { type Problem, problem } from "../faults/index.ts";
import type { BatchId } from "../model/index.ts";

/** Why a batch with so many repeats is not approved; undefined where there are none, or exactly so many were accepted. */
export function unacceptedRepeats(
  batch: BatchId,
  count: number,
  accepted: number | undefined,
): Problem | undefined {
  if (count === 0 || count === accepted) return undefined;
  return problem("REPEATS_NOT_ACCEPTED", { batch, count, accepted: accepted ?? 0 });
}
