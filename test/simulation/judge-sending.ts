/**
 * What leaves our process is judged when it leaves, when its answer comes, and once per life by the rules of its lane.
 */
import { existsSync } from "node:fs";
import { clientKeysOf } from "./client-keys.ts";
import type { Evidence } from "./evidence.ts";
import { sendingRulesBroken } from "./sending-rules.ts";
import type { SentCreation } from "./sent-creations.ts";
import { referencesIn, type WireRequest } from "./service.ts";

/** Nothing may leave under a stop order, nor, under rising nonces, anything new past a doubt of its key. */
export function judgeLeaving(evidence: Evidence, { reference, key, repeats, isOrdered }: SentCreation): void {
  const { plan, place, stored, verdict } = evidence;
  // If nobody ever orders a stop there is nothing to look for.
  const mayBeStopped = plan.faults.some(({ effect }) => effect.kind === "stop-order");
  if (mayBeStopped && existsSync(`${place.config.databasePath}.stop`))
    verdict.break("a creation left past a stop order");
  const { nonceRule, nonceWindow } = plan;
  if (nonceRule !== "increasing" || nonceWindow !== undefined || repeats || isOrdered) return;
  const doubted = stored.inDoubt().find((other) => other !== reference && evidence.keyOf(other) === key);
  if (doubted !== undefined) verdict.break(`${reference} left past ${doubted}, which is in doubt`);
}

/** A look counts only under the key that the payment belongs to. */
export function judgeLookUp(evidence: Evidence, { headers, body }: WireRequest): void {
  for (const reference of referencesIn(body))
    if (evidence.keyOf(reference) !== headers["key"])
      evidence.verdict.break(`${reference} was looked for under another key`);
}

/** While a sender lives and waits for an answer, only the sender may decide what became of its submission. */
export function judgeUnderWay({ stored, verdict }: Evidence, { reference }: SentCreation): void {
  if (stored.isSettled(reference))
    verdict.break(`${reference} was settled by somebody else while it was on its way`);
}

/** Each client key is a lane with its own nonces and one-time codes. */
export function judgeLanes(evidence: Evidence): void {
  const { plan, stored, verdict, world } = evidence;
  const { network } = world;
  const { hasLostWrites } = world.faults;
  const nonces = stored.nonces();
  for (const { secrets } of clientKeysOf(plan)) {
    const allocated = nonces.filter(({ reference }) => evidence.keyOf(reference) === secrets.key);
    const known = new Set(allocated.map(({ nonce, reference }) => `${nonce} ${reference}`));
    const sent = network.sent.all.filter(({ key }) => key === secrets.key);
    const broken = sendingRulesBroken(plan, {
      sent,
      remembered: hasLostWrites
        ? sent.filter(({ nonce, reference }) => known.has(`${nonce} ${reference}`))
        : sent,
      busiest: network.lanes.get(secrets.key)?.busiest ?? 0,
      nonces: allocated.map(({ nonce }) => BigInt(nonce)),
      hasLostWrites,
    });
    for (const sentence of broken) verdict.break(sentence);
  }
  for (const { reference, key } of network.sent.all)
    if (evidence.keyOf(reference) !== key) verdict.break(`${reference} left under another key`);
}
