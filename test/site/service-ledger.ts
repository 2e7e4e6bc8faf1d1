/** What a person does after a service answered wrongly, and whether the service's own ledger then says what we say. */
import { Fault, payStep, resolveDoubtStep, type Workplace } from "../../src/index.ts";
import { reconcileStep } from "../../src/nights/index.ts";
import type { RunningSandbox } from "../../src/sandbox/index.ts";
import { getByReference } from "../../src/store/instructions.ts";
import { listInstructions } from "../read-all.ts";

/** A step may fail only with a message for a user. */
export async function orFault(step: Promise<unknown>): Promise<void> {
  try {
    await step;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
}

/**
 * Accepts payouts as the alarms say, each once, and none of that may be refused. Then looks up the doubts that result.
 */
export async function followAdvice(workplace: Workplace): Promise<void> {
  const { openBreaks } = await reconcileStep(workplace);
  for (const { sentence } of openBreaks) {
    const [, reference, payoutId] = ADVICE.exec(sentence) ?? [];
    if (reference === undefined || payoutId === undefined) continue;
    // Of two alarms about each other, handling the first settles the second.
    const { payoutId: own } = await workplace.store.read(() => getByReference(reference));
    const decision = { reference, person: "tess", reason: "the alarm says so" };
    if (own !== payoutId) await resolveDoubtStep(workplace, decision, { by: "accept", payoutId });
    await payStep(workplace);
  }
}

const ADVICE = /`paydrop doubt resolve "(\S+)" --accept (\S+) --reason WHY`/;

/**
 * What we say that the service's own ledger contradicts. Reconciliation must report an accepted payment that was never
 * made.
 */
export async function contradictions(workplace: Workplace, sandbox: RunningSandbox): Promise<string[]> {
  const { openBreaks } = await reconcileStep(workplace);
  const isTold = (reference: string) => openBreaks.some((one) => one.reference === reference);
  const madeFor = Map.groupBy(sandbox.creations(), ({ reference }) => reference);
  const rows = await workplace.store.read(() => listInstructions());
  return rows.flatMap(({ fields: { reference }, standing, payoutId }) => {
    const payouts = madeFor.get(reference) ?? [];
    if (payouts.length > 1) return [`${reference} was paid ${payouts.length} times`];
    if (standing === "held") return [];
    const [made] = payouts;
    const isPaidSo = made === undefined ? isTold(reference) : made.payoutId === payoutId;
    const isRight = standing === "accepted" ? isPaidSo : made === undefined;
    return isRight ? [] : [`${reference} is ${standing}, and made ${payouts.length} times`];
  });
}
