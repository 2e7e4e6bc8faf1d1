/** The approvals of a stored batch that are valid at an instant, judged by today's rules. */
import type { Config } from "../config/index.ts";
import type { Batch, Instant } from "../model/index.ts";
import { type GivenApprovals, type JudgedApprovals, judgeApprovals } from "../people/index.ts";
import { listAuditOfBatches } from "../store/audit.ts";
import { batchAsReleased, batchReleasedAt } from "../store/releases.ts";
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

/** What the rules judge a batch by that is approved now. */
export function* sumsNow(identity: Identity, batch: Batch, { windowHours }: Config["approval"], at: Instant) {
  return yield* identity.judged(yield* batchReleasedAt(batch, windowHours, at));
}

/** Judged by `sumsAsReleased`. States also say why an approval is not valid, and until when the last one cools. */
export function* judgedApprovals(
  identity: Identity,
  batch: Batch,
  policy: Config["approval"],
  at: Instant,
  whyUnfit?: GivenApprovals["whyUnfit"],
): Transaction<JudgedApprovals> {
  const sums = yield* sumsAsReleased(identity, batch, policy, at);
  const given = { sums, approvals: yield* identity.holding(batch, at), whyUnfit };
  const judged = judgeApprovals(given, policy);
  if (!judged.isEnough) {
    const [notHolding] = yield* identity.whyNotHolding(batch, at);
    return notHolding === undefined ? judged : judgeApprovals({ ...given, notHolding }, policy);
  }
  if (policy.coolingMinutes === 0) return judged;
  return judgeApprovals({ ...given, lastAt: yield* lastApprovedAt(batch) }, policy);
}

/** When the last approval was recorded; its person may have signed it minutes before. */
function* lastApprovedAt({ id }: Batch): Transaction<Instant | undefined> {
  const given = (yield* listAuditOfBatches([id])).filter(({ action }) => action === "approve");
  return given
    .map(({ at }) => at)
    .toSorted()
    .at(-1);
}
