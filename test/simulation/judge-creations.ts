/**
 * Compares the service's payouts with our database and the file: nothing paid twice, nothing unknown, nothing altered
 * on its way.
 */
import type { Creation } from "../../src/sandbox/index.ts";
import type { Evidence } from "./evidence.ts";
import type { PayrollRow } from "./payroll.ts";
import type { StoredInstruction } from "./stored-payments.ts";

export function judgeCreations(evidence: Evidence): void {
  const { world, stored, verdict } = evidence;
  const { hasLostAnchor } = world.faults;
  const creations = world.service.creations();
  const created = Map.groupBy(creations, ({ reference }) => reference);
  for (const instruction of stored.instructions())
    judgeInstruction(evidence, instruction, created.get(instruction.reference) ?? []);
  for (const [earlier, reference] of world.people.paidAgain) {
    if (created.has(earlier) && created.has(reference))
      tell(evidence, earlier, hasLostAnchor, `${earlier} was paid, and once more as ${reference}`);
  }
  const rows = new Map([...evidence.expected()].map((row) => [row.reference, row]));
  for (const { reference, body } of creations)
    if (!isAsFiled(body, rows.get(reference))) verdict.break(`${reference} is at the service as ${body}`);
}

/** No nonce may arrive at the service with two bodies, unless every record of the first one is lost. */
export function judgeArrivals({ world, verdict }: Evidence): void {
  for (const [nonce, bodies] of world.service.arrivals) {
    if (bodies.size < 2) continue;
    if (world.faults.hasLostAnchor) verdict.note("after writes were lost: a nonce came with two bodies");
    else verdict.break(`${nonce} came to the service with ${bodies.size} bodies`);
  }
}

/** Standings in which the service may have the payout. */
const MAY_BE_THERE: ReadonlySet<string> = new Set(["accepted", "in doubt", "held", "sending"]);

function judgeInstruction(
  evidence: Evidence,
  { reference, standing, payoutId }: StoredInstruction,
  payouts: readonly Creation[],
): void {
  const { faults, people, network } = evidence.world;
  // Lost writes are unknown; while the anchor shows the loss, nothing more may be sent.
  const isExcused = faults.hasLostAnchor || evidence.isByOrder(reference);
  if (payouts.length > 1 && hasOutlivedMemory(evidence, reference))
    evidence.verdict.note(
      "a request was on its way for longer than the service remembers nonces: paid twice",
    );
  else if (payouts.length > 1)
    tell(evidence, reference, isExcused, `${reference} was paid ${payouts.length} times`);
  const isAbandoned = standing === "abandoned" && people.abandoned.has(reference);
  if (payouts.length > 0 && !MAY_BE_THERE.has(standing) && !isAbandoned)
    tell(evidence, reference, faults.hasLostWrites, `${reference} is at the service and called ${standing}`);
  if (standing === "accepted" && !payouts.some((payout) => payout.payoutId === payoutId)) {
    const sentence = `${reference} is called accepted and the service has no such payout`;
    if (network.sent.misnamed.has(reference)) evidence.verdict.note(`the service's own doing: ${sentence}`);
    else tell(evidence, reference, faults.hasLostWrites, sentence);
  }
}

function tell({ world, verdict }: Evidence, reference: string, isExcused: boolean, sentence: string): void {
  if (world.network.sent.misconduct.has(reference)) verdict.note(`the service's own doing: ${sentence}`);
  else if (isExcused) verdict.note(`after writes were lost: ${sentence}`);
  else verdict.break(sentence);
}

const DAY_MS = 86_400_000;

/** Whether a re-sent request arrived after the service had forgotten its nonce, so that it was new to the service. */
function hasOutlivedMemory({ plan, world }: Evidence, reference: string): boolean {
  const { nonceRule, memoryDays = Number.POSITIVE_INFINITY } = plan;
  const longestMs = world.network.sent.longestMs.get(reference) ?? 0;
  return nonceRule === "unique" && longestMs >= memoryDays * DAY_MS;
}

function isAsFiled(body: string, row: PayrollRow | undefined): boolean {
  return (
    row !== undefined &&
    body.includes(`"requestedAmount":{"currency":"BTC","amount":${row.amount}}`) &&
    body.includes(`"destinationAddress":"${row.destinationAddress}"`) &&
    body.includes(`"accountId":"${row.accountId}"`)
  );
}
