/** Defects that the simulation has found in the code, each kept as the shortest plan that shows it. */
import { beforeAll, expect, test } from "vitest";
import { sliceOf } from "../slice.ts";
import type { SeedPlan } from "./seed-plan.ts";
import type { SeedResult } from "./seed-result.ts";
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

/** The plans, by the broken promise. */
const FOUND: Readonly<Record<string, Partial<SeedPlan>>> = {
  "a clock that was years ahead for two minutes does not keep a paced run waiting for years": {
    singleUse: true,
    nonceRule: "unknown",
    faults: [
      {
        on: "creation",
        nth: 20,
        times: 1,
        effect: { kind: "clock-jump", byMs: 3 * YEAR_MS, backAfterMs: 113_000 },
      },
    ],
  },
  "a re-send that is answered with the payoutId of another payment stays in doubt and does not end the run": {
    faults: [
      { on: "creation", nth: 10, times: 1, effect: { kind: "lost", silent: false } },
      { on: "creation", nth: 51, times: 1, effect: { kind: "another-payout-id" } },
    ],
  },
  "a re-send by a person that is answered with a payoutId shown as another payment's stays in doubt too": {
    seed: 9300970,
    nonceRule: "unknown",
    people: "erring",
    faults: [
      {
        on: "creation",
        nth: 37,
        times: 1,
        effect: { kind: "answer", status: 409, form: "html", carriedOut: false },
      },
      { on: "creation", nth: 49, times: 4, effect: { kind: "another-payout-id" } },
      { on: "creation", nth: 34, times: 1, effect: { kind: "lost", silent: true } },
    ],
  },
  "a process that dies while a doubt leaves again does not shorten the settle window of that send": {
    faults: [
      { on: "creation", nth: 10, times: 1, effect: { kind: "lost", silent: false } },
      { on: "creation", nth: 51, times: 1, effect: { kind: "lost", silent: false } },
      { on: "creation", nth: 51, times: 1, effect: { kind: "crash", moment: "after", laterMs: 0 } },
    ],
  },
  "what is paid again under another reference is not re-opened as well": {
    seed: 2,
    people: "careful",
    faults: [5, 15].map((nth) => ({
      on: "creation",
      nth,
      times: 1,
      effect: { kind: "answer", status: 400, form: "errors", carriedOut: false },
    })),
  },
  "what was submitted again in a file of its own is not re-opened as well": {
    seed: 92002825,
    payroll: 10,
    rows: 51,
    nonceBurnedByRefusal: true,
    memoryDays: 1,
    serviceClockOffMs: -2 * HOUR_MS,
    concurrency: 16,
    ratePerSecond: 10_000,
    visibilityLagMs: 90_000,
    clientKeys: 2,
    foreignLookUps: "refused",
    people: "careful",
    takesBack: true,
    droppedAgain: false,
    faults: [
      { on: "creation", nth: 50, times: 1, effect: { kind: "outage", forMs: 12_000, how: "503" } },
      {
        on: "creation",
        nth: 8,
        times: 1,
        effect: { kind: "hidden", forMs: 41 * HOUR_MS, answered: false },
      },
      {
        on: "creation",
        nth: 17,
        times: 1,
        effect: { kind: "clock-jump", byMs: -26 * HOUR_MS, backAfterMs: HOUR_MS },
      },
    ],
  },
  "under rising nonces a payoutId that belongs to another payment pauses the lane at once": {
    nonceRule: "increasing",
    serviceNonces: "increasing",
    faults: [{ on: "creation", nth: 20, times: 1, effect: { kind: "another-payout-id" } }],
  },
  "a stop order that was lifted does not come back with the machine that stops afterwards": {
    faults: [
      { on: "creation", nth: 10, times: 1, effect: { kind: "stop-order", liftedAfterMs: 1_000 } },
      { on: "creation", nth: 30, times: 1, effect: { kind: "reboot", laterMs: 0 } },
    ],
  },
  "a clock that was days ahead while a batch was approved does not keep the batch waiting": {
    fromInbox: true,
    faults: [
      {
        on: "write",
        nth: 2,
        times: 1,
        effect: { kind: "clock-jump", byMs: 41 * HOUR_MS, backAfterMs: 0.1 * HOUR_MS },
      },
      { on: "change", nth: 4, times: 1, effect: { kind: "crash", moment: "before", laterMs: 0 } },
    ],
  },
  "a clock that was days ahead when a payment left does not make the service's memory of its nonce longer": {
    memoryDays: 1,
    codesTellTime: false,
    faults: [
      {
        on: "creation",
        nth: 10,
        times: 1,
        effect: { kind: "clock-jump", byMs: 50 * HOUR_MS, backAfterMs: 0.1 * HOUR_MS },
      },
      { on: "creation", nth: 30, times: 1, effect: { kind: "hidden", forMs: undefined, answered: false } },
    ],
  },
  "an anchor is as far as the later of its two slots, also where only nonces have moved between them": {
    seed: 39,
    clientKeys: 2,
    fromInbox: true,
    visibilityLagMs: 90_000,
    faults: [
      { on: "change", nth: 22, times: 1, effect: { kind: "crash", moment: "before", laterMs: 0 } },
      {
        on: "write",
        nth: 10,
        times: 1,
        effect: { kind: "lying-flush", writes: 3, anchorSurvives: true },
      },
    ],
  },
};

const found = sliceOf(Object.entries(FOUND), 2);
const results: SeedResult[] = [];

beforeAll(async () => {
  const plans = found.map(([, changes]) => ({ ...CALM, ...changes }));
  await runSeeds({ plans, processes: 1, onResult: (result) => results.push(result) < 0 });
});

test.each(
  found.map(([promise, { faults = [] }], place) => {
    const times = faults.reduce((sum, fault) => sum + fault.times, 0);
    return [promise, times, place] as const;
  }),
)("%s", (_promise, faultsMet, place) => {
  expect(results[place]).toMatchObject({ broken: [], faultsMet });
});
