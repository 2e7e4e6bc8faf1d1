/**
 * A service whose answers have the interface's form but are untrue, while payouts are tracked, reconciled, booked and
 * exported; then it tells the truth again. UNTRUTH_RUNS and UNTRUTH_FIRST_SEED choose the runs; a failure's title names
 * the seed.
 */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { exportStep, ledgerStep } from "../../src/books/index.ts";
import { approveStep, payStep, submitFile, trackStep } from "../../src/index.ts";
import { baselineStep, reconcileStep } from "../../src/nights/index.ts";
import { workplaceIn } from "../../src/workplace/workplace.ts";
import { faultsOfFiles } from "../books/ledger-files.ts";
import { SAMPLES, SANDBOX_SECRETS } from "../cli/program.ts";
import { startOddService } from "../gateway/odd-service.ts";
import { livingLater } from "../quiet-seed.ts";
import { Chance } from "../simulation/chance.ts";
import { mutatedJson } from "../simulation/json-mutations.ts";
import { comparesTheSameInParts } from "../site/all-at-once.ts";
import { orFault } from "../site/service-ledger.ts";
import { contradictions } from "../site/truth.ts";
import { Untruths } from "../site/untruths.ts";
import { openPlace } from "../site/workplace.ts";

const RUNS = Number.parseInt(process.env["UNTRUTH_RUNS"] ?? "1", 10);
const FIRST_SEED = Number.parseInt(process.env["UNTRUTH_FIRST_SEED"] ?? "1", 10);

const MINUTE_MS = 60_000;
const LOOKS = [trackStep, reconcileStep, ledgerStep, exportStep] as const;

describe("a service that says what is not true", () => {
  const seeds = Array.from({ length: RUNS }, (_, index) => FIRST_SEED + index);
  test.each(seeds)(
    "is seen through, or told of, once it tells the truth, and a baseline ends what is left (UNTRUTH_FIRST_SEED=%i UNTRUTH_RUNS=1)",
    async (seed) => {
      const chance = new Chance(seed);
      const { workplace, truth, service, way, pass } = await openUntrueWay(chance);
      for (let round = chance.between(2, 4); round > 0; round -= 1) {
        pass(chance.pick([0, 1, 2, 10]) * MINUTE_MS);
        for (const step of LOOKS) if (chance.happens(0.8)) await orFault(step(workplace));
        if (chance.happens(0.3)) await orFault(payStep(workplace));
        await orFault(comparesTheSameInParts(workplace));
      }
      way.isUntrue = false;
      for (let round = 0; round < 3; round += 1) {
        pass(10 * MINUTE_MS);
        for (const step of [payStep, ...LOOKS]) await step(workplace);
      }
      expect(await contradictions(workplace, truth)).toEqual([]);
      expect(await faultsOfFiles(workplace)).toEqual([]);
      const created = service.creations().filter((reference) => reference.startsWith("PAY-"));
      expect(created).toEqual([...new Set(created)]);
      await baselineStep(workplace, "alice");
      pass(MINUTE_MS);
      await comparesTheSameInParts(workplace);
      const { balanceProof, openBreaks } = await reconcileStep(workplace);
      expect(balanceProof.map(({ ties }) => ties)).toEqual([true, true]);
      expect(openBreaks.filter(({ kind }) => kind === "not-shown" || kind === "balance")).toEqual([]);
    },
  );
});

async function openUntrueWay(chance: Chance) {
  const way = { isUntrue: false };
  let aheadMs = 0;
  const untruths = new Untruths(chance);
  const share = chance.pick([0.1, 0.3, 0.6, 1]);
  const state = chance.pick<"SEND_FAILED" | "CANCELLED">(["SEND_FAILED", "CANCELLED"]);
  const failing = { reference: "PAY-2026-00.[15]", state };
  const seed = livingLater(MINUTE_MS);
  const service = await startOddService(
    ({ path, honest, answer }) => {
      if (!way.isUntrue || !/find|balance/.test(path) || !chance.happens(share)) return false;
      const { statusCode, body } = honest();
      answer(
        statusCode,
        chance.happens(0.75) ? untruths.untrue(body) : mutatedJson(body, chance, ANYWHERE).text,
      );
      return true;
    },
    {
      seed: { ...seed, payoutOutcomes: [...(seed.payoutOutcomes ?? []), failing] },
      stepMs: MINUTE_MS,
      clock: () => Date.now() + aheadMs,
    },
  );
  // Both sides use one clock, which the test can move.
  const openWorkplace = () => {
    const place = openPlace({
      ...SANDBOX_SECRETS,
      PAYDROP_SERVICE_BASE_URL: service.url,
      PAYDROP_OTP_SINGLE_USE: "false",
      PAYDROP_HTTP_RATE_PER_SECOND: "10000",
      PAYDROP_PAGING_SIZE: String(chance.pick([7, 20, 200])),
    });
    const { context, config, store } = place.workplace;
    const clock = { ...context.clock, now: () => new Date(Date.now() + aheadMs).toISOString() };
    return workplaceIn(config, place.environment, { ...context, clock }, store);
  };
  const workplace = openWorkplace();
  await baselineStep(workplace, "alice");
  const { digest = "" } = await submitFile(workplace, join(SAMPLES, "payouts.csv"), "alice");
  await approveStep(workplace, digest, "bob");
  await approveStep(workplace, digest, "carol");
  way.isUntrue = chance.happens(0.2);
  await orFault(payStep(workplace));
  way.isUntrue = true;
  const pass = (durationMs: number) => {
    aheadMs += durationMs;
  };
  return { workplace, truth: openWorkplace, service, way, pass };
}

const ANYWHERE = { seldom: /pageable|\.sort|filters|authorization/, elsewhere: () => undefined };
