/** The approvals of a stored batch that are valid at an instant, judged by today's rules. */
import type { Config } from "../config/index.ts";
import type { Batch, Instant } from "../model/index.ts";
import { type GivenApprovals, type JudgedApprovals, judgeApprovals } from "../people/index.ts";
import { batchAsReleased } from "../store/releases.ts";
import type { Transaction } from "../store/sql.ts";
import type { Identity } from "./identity.ts";

/**
 * What the rules judge a batch by: the sums at its last release, or the present ones if it was never released, and
 * how many more people it takes.
 */
export function* sumsAsReleased(
  identity: Identity,
  batch: Batch,
  { windowHours }: Config["approval"],
  at: Instant,
) {
  return yield* identity.judged(yield* batchAsReleased(batch, windowHours, at));
}

/** Judged by `sumsAsReleased`. */
export function* judgedApprovals(
  identity: Identity,
  batch: Batch,
  policy: Config["approval"],
  at: Instant,
  whyUnfit?: GivenApprovals["whyUnfit"],
): Transaction<JudgedApprovals> {
  const sums = yield* sumsAsReleased(identity, batch, policy, at);
  return judgeApprovals({ sums, approvals: yield* identity.holding(batch, at), whyUnfit }, policy);
}
