/** What leaves our process: judged at the moment at which it does, when its answer comes, and once for each life by the rules of its lane. */
import { existsSync } from "node:fs";
import { clientKeysOf } from "./client-keys.ts";
import type { Evidence } from "./evidence.ts";
import { sendingRulesBroken } from "./sending-rules.ts";
import type { SentCreation } from "./sent-creations.ts";
import { referencesIn, type WireRequest } from "./service.ts";

/** Nothing leaves while an order to stop stands, nor, under rising nonces, anything new past a doubt of its key. */
export function judgeLeaving(evidence: Evidence, { reference, key, repeats, isOrdered }: SentCreation): void {
  const { plan, place, stored, verdict } = evidence;
  // Where nobody ever orders a stop there is nothing to look for.
  const mayBeStopped = plan.faults.some(({ effect }) => effect.kind === "stop-order");
  if (mayBeStopped && existsSync(`${place.config.databasePath}.stop`))
    verdict.break("a creation left past a stop order");
  const { nonceRule, nonceWindow } = plan;
  if (nonceRule !== "increasing" || nonceWindow !== undefined || repeats || isOrdered) return;
  const doubted = stored.inDoubt().find((other) => other !== reference && evidence.keyOf(other) === key);
  if (doubted !== undefined) verdict.break(`${reference} left past ${doubted}, which is in doubt`);
}

/** A look says something only under the key that the payment belongs to. */
export function judgeLookUp(evidence: Evidence, { headers, body }: WireRequest): void {
  for (const reference of referencesIn(body))
    if (evidence.keyOf(reference) !== headers["key"])
      evidence.verdict.break(`${reference} was looked for under another key`);
}

/** Nobody but who sent it says what became of a submission, as long as the sender lives and waits for the answer. */
export function judgeUnderWay({ stored, verdict }: Evidence, { reference }: SentCreation): void {
  if (stored.isSettled(reference))
    verdict.break(`${reference} was settled by somebody else while it was on its way`);
}

/** Each client key is a lane of its own, with nonces and a one-time code of its own. */
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
