/** What the simulation found in the code, kept as the shortest plan that shows it. */
import { expect, test } from "vitest";
import type { SeedPlan } from "./seed-plan.ts";
import { runSeeds } from "./seed-runs.ts";

const CALM: SeedPlan = {
  seed: 1,
  payroll: 0,
  rows: 50,
  nonceRule: "unique",
  serviceNonces: "unique",
  nonceWindow: undefined,
  clientKeys: 1,
  foreignLookUps: "empty",
  pageSize: 200,
  nonceBurnedByRefusal: false,
  memoryDays: 3650,
  codesTellTime: true,
  serviceClockOffMs: 0,
  singleUse: false,
  concurrency: 4,
  ratePerSecond: 200,
  visibilityLagMs: 0,
  onFiles: false,
  faults: [],
  people: "absent",
  fromInbox: false,
  droppedAgain: true,
};

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

async function brokenBy(changes: Partial<SeedPlan>): Promise<readonly string[]> {
  const broken: string[] = [];
  await runSeeds({
    plans: [{ ...CALM, ...changes }],
    processes: 1,
    onResult: (result) => {
      expect(result.faultsMet).toBe(changes.faults?.length ?? 0);
      broken.push(...result.broken);
      return false;
    },
  });
  return broken;
}

test("a clock that was years ahead for two minutes does not keep a paced run waiting for years", async () => {
  const effect = { kind: "clock-jump", byMs: 3 * YEAR_MS, backAfterMs: 113_000 } as const;
  const faults = [{ on: "creation", nth: 20, times: 1, effect }] as const;
  expect(await brokenBy({ singleUse: true, nonceRule: "unknown", faults })).toEqual([]);
});

test("a re-send that is answered with the payoutId of another payment stays in doubt and does not end the run", async () => {
  const faults = [
    { on: "creation", nth: 10, times: 1, effect: { kind: "lost", silent: false } },
    { on: "creation", nth: 51, times: 1, effect: { kind: "another-payout-id" } },
  ] as const;
  expect(await brokenBy({ faults })).toEqual([]);
});

test("what is paid again under another reference is not re-opened as well", async () => {
  const effect = { kind: "answer", status: 400, form: "errors", carriedOut: false } as const;
  const faults = [5, 15].map((nth) => ({ on: "creation", nth, times: 1, effect }) as const);
  expect(await brokenBy({ seed: 2, people: "careful", faults })).toEqual([]);
});

test("under rising nonces a payoutId that belongs to another payment pauses the lane at once", async () => {
  const faults = [{ on: "creation", nth: 20, times: 1, effect: { kind: "another-payout-id" } }] as const;
  expect(await brokenBy({ nonceRule: "increasing", serviceNonces: "increasing", faults })).toEqual([]);
});

test("a stop order that was lifted does not come back with the machine that stops afterwards", async () => {
  const faults = [
    { on: "creation", nth: 10, times: 1, effect: { kind: "stop-order", liftedAfterMs: 1_000 } },
    { on: "creation", nth: 30, times: 1, effect: { kind: "reboot", laterMs: 0 } },
  ] as const;
  expect(await brokenBy({ faults })).toEqual([]);
});

test("a clock that was days ahead when a payment left does not make the service's memory of its nonce longer", async () => {
  const byMs = 50 * HOUR_MS;
  const faults = [
    { on: "creation", nth: 10, times: 1, effect: { kind: "clock-jump", byMs, backAfterMs: 0.1 * HOUR_MS } },
    { on: "creation", nth: 30, times: 1, effect: { kind: "hidden", forMs: undefined, answered: false } },
  ] as const;
  expect(await brokenBy({ memoryDays: 1, codesTellTime: false, faults })).toEqual([]);
});
