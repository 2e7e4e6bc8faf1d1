/**
 * Answers are damaged on their way, byte by byte, while payments are sent, tracked and reconciled; then the
 * connection is sound again. DAMAGE_RUNS and DAMAGE_FIRST_SEED choose the runs. A failure's title names the seed,
 * which determines the damage but not its timing.
 */
import { describe, expect, type TestContext, test } from "vitest";
import { payStep, trackStep } from "../../src/index.ts";
import { reconcileStep } from "../../src/nights/index.ts";
import { Chance } from "../simulation/chance.ts";
import { openBehindProxy } from "../site/behind-proxy.ts";
import { damaged } from "../site/damage.ts";
import { contradictions, followAdvice, orFault } from "../site/service-ledger.ts";
import type { Passage } from "../tcp-proxy.ts";

const RUNS = Number.parseInt(process.env["DAMAGE_RUNS"] ?? "1", 10);
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
      // Connections may still contain unread answers.
      for (const step of [payStep, payStep, trackStep]) await orFault(step(workplace));
      await followAdvice(workplace);
      expect(await contradictions(workplace, sandbox)).toEqual([]);
    },
  );
});

async function openDamagedWay(chance: Chance, context: TestContext) {
  const nonceRule = chance.pick(["unknown", "unique", "increasing"] as const);
  const share = chance.pick([0.05, 0.2, 0.5]);
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
  return { ...(await openBehindProxy(nonceRule, passage, context)), way };
}
