import { expect, test } from "vitest";
import { amountOf, Decimal } from "../../src/money/index.ts";
import { Spending, spentOn } from "../../src/store/spending.ts";
import type { Transaction } from "../../src/store/sql.ts";
import type { Store } from "../../src/store/store.ts";
import { openStore } from "./stored-batch.ts";

const LIMIT = Decimal.of("1.00000001");

function spend(store: Store, day: string, ...amounts: readonly (readonly [string, string])[]) {
  return store.write(function* (): Transaction<boolean[]> {
    const spending = new Spending(day);
    const added: boolean[] = [];
    for (const [amount, currency] of amounts)
      added.push(yield* spending.add(amountOf(amount, currency), LIMIT));
    yield* spending.save();
    return added;
  });
}

const sumOf = async (store: Store, day: string, currency: string) =>
  (await store.read(() => spentOn(day, currency))).toString();

test("what a day has spent adds up exactly, per currency and day, over transactions", async () => {
  const store = openStore();
  for (let count = 0; count < 5; count += 1) {
    await spend(store, "2026-11-20", ["0.1", "BTC"], ["0.1", "BTC"], ["0.05", "ETH"]);
  }
  await spend(store, "2026-11-21", ["0.3", "BTC"]);
  expect(await sumOf(store, "2026-11-20", "BTC")).toBe("1.0");
  expect(await sumOf(store, "2026-11-20", "ETH")).toBe("0.25");
  expect(await sumOf(store, "2026-11-21", "BTC")).toBe("0.3");
});

test("what goes to a destination adds up per destination, currency and day, over transactions", async () => {
  const store = openStore();
  const addAt = (day: string, destination: string, value: string, currency: string) =>
    store.write(function* (): Transaction<string> {
      const spending = new Spending(day);
      const sum = yield* spending.sumAt(destination, amountOf(value, currency));
      spending.addAt(destination, currency, sum);
      yield* spending.save();
      return sum.toString();
    });
  expect(await addAt("2026-11-20", "ann", "0.1", "BTC")).toBe("0.1");
  expect(await addAt("2026-11-20", "ann", "0.02", "ETH")).toBe("0.02");
  expect(await addAt("2026-11-20", "ben", "0.003", "BTC")).toBe("0.003");
  expect(await addAt("2026-11-21", "ann", "0.0004", "BTC")).toBe("0.0004");
  expect(await addAt("2026-11-20", "ann", "0.00005", "BTC")).toBe("0.10005");
  expect(await addAt("2026-11-20", "ann", "0.00005", "BTC")).toBe("0.10010");
});

test("an amount beyond the limit is not counted, and a smaller one still fits", async () => {
  const store = openStore();
  const added = await spend(store, "2026-11-20", ["1", "BTC"], ["0.1", "BTC"], ["0.00000001", "BTC"]);
  expect(added).toEqual([true, false, true]);
  expect(await sumOf(store, "2026-11-20", "BTC")).toBe("1.00000001");
});
