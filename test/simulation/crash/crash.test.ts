/**
 * A slice of `npm run test:crash`, which stops the way of a batch, from the inbox to the ledger files, at each of
 * its steps: every write, flush, rename, commit, and four steps of each request.
 */
import { describe, expect, test } from "vitest";
import { IS_WHOLE, sliceOf } from "../../slice.ts";
import { countUp, runCrashes } from "./count-up.ts";
import type { CrashOrder, CrashResult } from "./crash-run.ts";
import { CRASH_VIOLATIONS } from "./crash-violations.ts";

/** The distance between two stops. */
const EVERY = IS_WHOLE ? 90 : 240;

describe("stopped at a step and started again, a batch is paid, answered and booked once", () => {
  const RULES = [
    ["unknown", true, 1],
    ["unique", false, 6],
    ["increasing", true, 11],
  ] as const;
  test.each(sliceOf<(typeof RULES)[number]>(RULES, 3))(
    "under nonce.rule: %s",
    async (nonceRule, withMachine, first) => {
      const results: CrashResult[] = [];
      const counting = { nonceRule, withMachine, twice: true, first, every: EVERY, processes: 1 };
      const steps = await countUp({ ...counting, onResult: (result) => results.push(result) });
      const red = results.filter(({ broken }) => broken.length > 0);
      expect(red.map(({ stops, broken }) => `stopped at ${stops.join(" and ")}: ${broken[0]}`)).toEqual([]);
      expect(results.length, "how many runs there were").toBeGreaterThan(1);
      expect(steps, "how many steps an untouched run has").toBeGreaterThan(150);
    },
  );
});

describe("the proof can fail: a planted violation turns a stop red", () => {
  test.each(sliceOf(CRASH_VIOLATIONS, 3))("$name, against: $rule", async (violation) => {
    let isCaught = false;
    await runCrashes({
      orders: ordersFor(violation),
      processes: 1,
      violations: [violation],
      onResult: ({ broken }) => {
        isCaught ||= broken.length > 0;
        return isCaught;
      },
    });
    expect(isCaught, `no stop from ${violation.from} to ${violation.to} noticed`).toBe(true);
  });
});

function* ordersFor({ name, order, from, to }: (typeof CRASH_VIOLATIONS)[number]): Generator<CrashOrder> {
  for (let step = from; step <= to; step += 1) yield { ...order, stops: [step], violation: name };
}
