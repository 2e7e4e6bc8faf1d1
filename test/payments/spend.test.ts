/** A payment counts against a day's limits once for all its sends that were intended on that day. */
import { expect, test } from "vitest";
import { Decimal } from "../../src/money/index.ts";
import { spend } from "../../src/payments/sending/spend.ts";
import { getByReference } from "../../src/store/instructions.ts";
import { Spending, spentOn } from "../../src/store/spending.ts";
import type { Transaction } from "../../src/store/sql.ts";
import { openLane } from "./lane.ts";

const TODAY = "2026-11-20";
const [YESTERDAY_NOON, NOON, TOMORROW_NOON] = [19, 20, 21].map((day) => `2026-11-${day}T12:00:00.000Z`) as [
  string,
  string,
  string,
];

test.each([
  ["nothing was sent", [], "0.001"],
  ["it was sent yesterday", [{ intendedAt: YESTERDAY_NOON }], "0.001"],
  ["it was sent yesterday and today", [{ intendedAt: YESTERDAY_NOON, resentAt: NOON }], "0"],
  ["it was sent today", [{ intendedAt: NOON }], "0"],
  [
    "it was sent today and, before a clock was set back, tomorrow",
    [{ intendedAt: NOON, resentAt: TOMORROW_NOON }],
    "0",
  ],
  ["an earlier attempt was sent today", [{ intendedAt: NOON }, { intendedAt: YESTERDAY_NOON }], "0"],
])("if %s", async (_what, attempts, spent) => {
  const lane = openLane("http://127.0.0.1:9");
  await lane.approve(1);
  const instruction = await lane.store.read(() => getByReference("PAY-1"));
  await lane.store.write(function* (): Transaction<void> {
    const spending = new Spending(TODAY);
    expect(yield* spend(instruction, attempts, spending, lane.tools.policy)).toBeUndefined();
    yield* spending.save();
  });
  const sum = await lane.store.read(() => spentOn(TODAY, "BTC"));
  expect(sum.equals(Decimal.of(spent))).toBe(true);
});
