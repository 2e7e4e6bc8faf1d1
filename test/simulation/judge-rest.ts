/** What must hold at rest: everything has come to its end, or somebody was told why it has not. */
import { reconcileStep } from "../../src/nights/index.ts";
import type { Workplace } from "../../src/workplace/workplace.ts";
import type { Evidence } from "./evidence.ts";
import { type Effect, isUnbounded } from "./faults.ts";

/** Nothing is left that the program could still do, and nobody is asked without a reason. */
export function judgeEnd(evidence: Evidence): void {
  const { plan, rows, stored, verdict, world } = evidence;
  const created = new Set(world.service.creations().map(({ reference }) => reference));
  const pausedKeys = pausedKeysOf(evidence);
  for (const { reference, standing } of stored.instructions()) {
    const isVisible = created.has(reference) && !world.network.sent.neverShown.has(reference);
    if (standing === "in doubt" && isVisible)
      verdict.break(`${reference} is in doubt and the service shows it`);
    const isHandedIn = !rows.has(reference) || world.people.takenBack.has(reference);
    const awaitsApproval = standing === "received" && isHandedIn;
    if (standing === "sending" || (standing === "received" && !awaitsApproval))
      verdict.break(`${reference} is ${standing} at rest`);
    if (standing === "approved" && !pausedKeys.has(evidence.keyOf(reference)))
      verdict.break(`${reference} was never sent`);
  }
  judgeHeld(evidence);
  if (plan.faults.some(isUnbounded)) verdict.note("unbounded faults");
}

/**
 * Somebody must be told of what the service did twice, or did and denied, and of abandoned payments that appear after
 * all.
 */
export async function judgeAlarms({ stored, verdict, world }: Evidence, workplace: Workplace): Promise<void> {
  const { misconduct, misnamed, neverShown } = world.network.sent;
  if (misconduct.size + misnamed.size === 0 && world.people.abandoned.size === 0) return;
  const { breaks } = await reconcileStep(workplace);
  const said = JSON.stringify(breaks.map(({ reference, sentence }) => [reference, sentence]));
  const created = Map.groupBy(world.service.creations(), ({ reference }) => reference);
  for (const { reference, standing, payoutId } of stored.instructions()) {
    const isGivenUp = standing === "abandoned" && !neverShown.has(reference);
    if (!misconduct.has(reference) && !misnamed.has(reference) && !isGivenUp) continue;
    // Held and doubtful payments are shown to whoever asks for what is open.
    if (standing === "held" || standing === "in doubt") continue;
    const payouts = created.get(reference) ?? [];
    const isNeverSeen = payouts.length === 1 && neverShown.has(reference);
    const isRight =
      payouts.length === 0 ||
      isNeverSeen ||
      (payouts.length === 1 && standing === "accepted" && payouts[0]?.payoutId === payoutId);
    if (isRight || said.includes(`"${reference}"`)) continue;
    verdict.break(`nobody is told what the service did with ${reference}, which is ${standing}`);
  }
}

/** Keys whose lanes wait for an answer or for a person. */
function pausedKeysOf(evidence: Evidence): ReadonlySet<string | undefined> {
  if (evidence.plan.nonceRule !== "increasing") return new Set();
  return new Set(evidence.stored.unresolved().map((reference) => evidence.keyOf(reference)));
}

/** The allowed skew between the service's clock and ours. */
const SKEW_MS = 5 * 60_000 - 1;

/** A person is asked only if something happened that no program can decide. */
function judgeHeld(evidence: Evidence): void {
  const { plan, stored, verdict, world } = evidence;
  if (world.faults.hasLostWrites || plan.faults.some(({ effect }) => needsPerson(effect))) return;
  // Payouts dated long before they were requested are not recognised as ours.
  if (plan.serviceClockOffMs < -SKEW_MS) return;
  const created = Map.groupBy(world.service.creations(), ({ reference }) => reference);
  for (const { reference, standing } of stored.instructions()) {
    // Two payouts for one payment need a person, however they came about.
    const isTwice = (created.get(reference)?.length ?? 0) > 1;
    const isToldOtherwise = world.network.sent.isToldOtherwiseSince(reference);
    if (standing === "held" && !isTwice && !isToldOtherwise && !evidence.isByOrder(reference))
      verdict.break(`${reference} is held although nothing calls for a person`);
  }
}

const NEEDS_PERSON: ReadonlySet<Effect["kind"]> = new Set<Effect["kind"]>([
  "lost-with-twin",
  "carried-out-twice",
  "refused-yet-made",
  "another-payout-id",
  "clock-jump",
]);

/** References that are cut may equal another's. */
function needsPerson(effect: Effect): boolean {
  return NEEDS_PERSON.has(effect.kind) || (effect.kind === "spelled" && effect.spelling === "references-cut");
}
