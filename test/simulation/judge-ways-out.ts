/**
 * Whoever is asked about a payment is told why and has a decision that is not refused: to accept its only payout, or
 * else to abandon it. The decision is carried out, so nothing else can be judged afterwards.
 */
import { Fault } from "../../src/faults/index.ts";
import { type Resolving, resolveDoubtStep } from "../../src/payments/doubt-step.ts";
import { type Doubt, listDoubts } from "../../src/views/doubts.ts";
import type { Workplace } from "../../src/workplace/workplace.ts";
import type { Evidence } from "./evidence.ts";

/** For doubts; held payments are rare, and their reasons vary. */
const IN_DOUBT_MAX = 3;

export async function judgeWaysOut(
  { stored, verdict, world }: Evidence,
  workplace: Workplace,
): Promise<void> {
  const { payments } = await listDoubts(workplace);
  const held = payments.filter(({ instruction }) => instruction.standing === "held");
  const inDoubt = payments.filter(({ instruction }) => instruction.standing === "in doubt");
  const owners = new Set<unknown>(stored.instructions().map(({ payoutId }) => payoutId));
  const isSeen = (reference: string) => !world.network.sent.neverShown.has(reference);
  const created = Map.groupBy(world.service.creations(), ({ reference }) => reference);
  for (const doubt of [...held, ...inDoubt.slice(0, IN_DOUBT_MAX)]) {
    const { reference } = doubt.instruction.fields;
    if (whyOf(doubt) === "") verdict.break(`nobody says why ${reference} is ${doubt.instruction.standing}`);
    const accepting = (created.get(reference) ?? []).map(
      ({ payoutId }) => ({ by: "accept", payoutId }) as const,
    );
    const isItsOwn = isSeen(reference) && accepting.length === 1 && !owners.has(accepting[0]?.payoutId);
    const refusals = await refusalsOf(workplace, reference, [...accepting, GIVEN_UP]);
    if (isItsOwn && refusals.length > 0)
      verdict.break(`${reference} cannot be given its payout: ${refusals.join("; ")}`);
    if (refusals.length > accepting.length)
      verdict.break(`${reference} is ${doubt.instruction.standing} for good: ${refusals.join("; ")}`);
  }
}

const GIVEN_UP = { by: "abandon", despiteIncompleteLook: true } as const;

function whyOf({ instruction, submission, looks }: Doubt): string {
  return instruction.reason ?? submission?.evidence ?? looks.at(-1)?.saw ?? "";
}

/** Tries them until one is carried out. */
async function refusalsOf(
  workplace: Workplace,
  reference: string,
  ways: readonly Resolving[],
): Promise<string[]> {
  const refusals: string[] = [];
  for (const way of ways) {
    try {
      await resolveDoubtStep(workplace, { reference, person: "tess", reason: "it must end" }, way);
      return refusals;
    } catch (error) {
      if (!(error instanceof Fault) || error.problem.code === "INVARIANT_BROKEN") throw error;
      refusals.push(`${way.by}: ${error.message}`);
    }
  }
  return refusals;
}
