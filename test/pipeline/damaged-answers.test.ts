/**
 * Answers are damaged on their way, byte by byte, while payments are sent, tracked and reconciled; then the connection
 * is sound again. DAMAGE_RUNS and DAMAGE_FIRST_SEED choose the runs. A failure's title names the seed, which determines
 * the damage but not its timing.
 */
import { join } from "node:path";
import { describe, expect, type TestContext, test } from "vitest";
import { Fault } from "../../src/index.ts";
import { approveStep } from "../../src/pipeline/approve-step.ts";
import { resolveDoubtStep } from "../../src/pipeline/doubt-step.ts";
import { payStep } from "../../src/pipeline/pay-step.ts";
import { reconcileStep } from "../../src/pipeline/reconcile-step.ts";
import { submitFile } from "../../src/pipeline/submit-step.ts";
import { trackStep } from "../../src/pipeline/track-step.ts";
import type { Workplace } from "../../src/pipeline/workplace/workplace.ts";
import { demoSeed, type RunningSandbox, startSandbox } from "../../src/sandbox/index.ts";
import { getByReference } from "../../src/store/instructions.ts";
import { SAMPLES, SANDBOX_SECRETS } from "../cli/program.ts";
import { listInstructions } from "../read-all.ts";
import { Chance } from "../simulation/chance.ts";
import { type Passage, startTcpProxy } from "../tcp-proxy.ts";
import { damaged } from "./damage.ts";
import { openPlace } from "./workplace.ts";

const RUNS = Number.parseInt(process.env["DAMAGE_RUNS"] ?? "2", 10);
const FIRST_SEED = Number.parseInt(process.env["DAMAGE_FIRST_SEED"] ?? "1", 10);

// They spend most of their time waiting.
describe.concurrent("a service whose answers are damaged", () => {
  const seeds = Array.from({ length: RUNS }, (_, index) => FIRST_SEED + index);
  test.for(seeds)(
    "is paid at most once for each row, and what it has is known (DAMAGE_FIRST_SEED=%i DAMAGE_RUNS=1)",
    async (seed, context) => {
      const { workplace, sandbox, way } = await openDamagedWay(new Chance(seed), context);
      for (let round = 0; round < 2; round += 1)
        for (const step of [payStep, trackStep, reconcileStep]) await orFault(step(workplace));
      way.isDamaged = false;
      // Connections may still contain answers that nobody has read.
      for (const step of [payStep, payStep, trackStep]) await orFault(step(workplace));
      await followAdvice(workplace);
      expect(await contradictions(workplace, sandbox)).toEqual([]);
    },
  );
});

async function openDamagedWay(chance: Chance, context: TestContext) {
  const nonceRule = chance.pick(["unknown", "unique", "increasing"]);
  const share = chance.pick([0.05, 0.2, 0.5]);
  const serviceRule = nonceRule === "increasing" ? nonceRule : "unique";
  const sandbox = await startSandbox({ seed: demoSeed, stepMs: 3_600_000, nonce: { rule: serviceRule } });
  context.onTestFinished(() => sandbox.close());
  const way = { isDamaged: true };
  const passage = (): Passage => ({
    asked: (bytes, client, service) => {
      if (way.isDamaged && chance.happens(share / 5)) client.destroy();
      else service.write(bytes);
    },
    answered: (bytes, client) => {
      const arrives = way.isDamaged && chance.happens(share) ? damaged(bytes, chance) : [bytes];
      if (arrives === "cut off") client.destroy();
      else if (arrives !== "held back") for (const piece of arrives) client.write(piece);
    },
  });
  const url = await startTcpProxy(sandbox.url, passage, context);
  const { workplace } = openPlace({
    ...SANDBOX_SECRETS,
    PAYDROP_SERVICE_BASE_URL: url,
    PAYDROP_NONCE_RULE: nonceRule,
    PAYDROP_OTP_SINGLE_USE: "false",
    PAYDROP_HTTP_TIMEOUT_MS: "300",
    PAYDROP_HTTP_RATE_PER_SECOND: "10000",
  });
  const { digest = "" } = await submitFile(workplace, join(SAMPLES, "payouts.csv"), "alice");
  await approveStep(workplace, digest, "bob");
  const { released } = await approveStep(workplace, digest, "carol");
  expect(released).toBe(40);
  return { workplace, sandbox, way };
}

/** A step may fail only with a message for a user. */
async function orFault(step: Promise<unknown>): Promise<void> {
  try {
    await step;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
}

/**
 * Accepts payouts as the alarms say, each once, and none of that may be refused. Then looks up the doubts that result.
 */
async function followAdvice(workplace: Workplace): Promise<void> {
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
async function contradictions(workplace: Workplace, sandbox: RunningSandbox): Promise<string[]> {
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
