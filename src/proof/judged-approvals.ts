/** The approvals of a stored batch that are valid at an instant, judged by today's rules. */
import type { Config } from "../config/index.ts";
import type { Batch, Instant } from "../model/index.ts";
import { type GivenApprovals, type JudgedApprovals, judgeApprovals } from "../people/index.ts";
import { batchAsReleased } from "../store/releases.ts";
import type { Transaction } from "../store/sql.ts";
import type { Identity } from "./identity.ts";

/** Uses the sums at the batch's last release, or the present ones if it was never released. */
export function* judgedApprovals(
  identity: Identity,
  batch: Batch,
  policy: Config["approval"],
  at: Instant,
  whyUnfit?: GivenApprovals["whyUnfit"],
): Transaction<JudgedApprovals> {
  const sums = yield* identity.judged(yield* batchAsReleased(batch, policy.windowHours, at));
  return judgeApprovals({ sums, approvals: yield* identity.holding(batch, at), whyUnfit }, policy);
}
