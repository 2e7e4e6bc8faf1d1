/** Thousands of elements in one page of the service. */
import { expect, test } from "vitest";
import { reconcileStep } from "../../src/nights/index.ts";
import { depositOf, scriptedNights } from "../site/scripted-nights.ts";

test("8,000 deposits in one page are compared, and nothing is new as long as they stay the same", async () => {
  const { shown, workplace } = await scriptedNights();
  shown.deposits = Array.from({ length: 8_000 }, (_, index) =>
    depositOf(`6f1cbb7e-0000-4000-9000-${String(index).padStart(12, "0")}`, [], { depositState: "CREATED" }),
  );
  const changes = [];
  for (const _ of [1, 2, 3]) {
    const { breaks, depositSweep } = await reconcileStep(workplace);
    expect(breaks).toEqual([]);
    changes.push(depositSweep.changesCount);
  }
  expect(changes).toEqual([8_000, 0, 0]);
});
