/**
 * Answers are damaged on their way, byte by byte, while payments are sent, tracked and reconciled; then the connection
 * is sound again. DAMAGE_RUNS and DAMAGE_FIRST_SEED choose the runs. A failure's title names the seed, which determines
 * the damage but not its timing.
 */
import { join } from "node:path";
import { describe, expect, type TestContext, test } from "vitest";
import { approveStep } from "../../src/pipeline/approve-step.ts";
import { payStep } from "../../src/pipeline/pay-step.ts";
import { reconcileStep } from "../../src/pipeline/reconcile-step.ts";
import { submitFile } from "../../src/pipeline/submit-step.ts";
import { trackStep } from "../../src/pipeline/track-step.ts";
import { demoSeed, startSandbox } from "../../src/sandbox/index.ts";
import { SAMPLES, SANDBOX_SECRETS } from "../cli/program.ts";
import { Chance } from "../simulation/chance.ts";
import { type Passage, startTcpProxy } from "../tcp-proxy.ts";
import { damaged } from "./damage.ts";
import { contradictions, followAdvice, orFault } from "./service-ledger.ts";
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
