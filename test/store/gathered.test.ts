/** Items that share a transaction: each caller gets its own result, or all get the same error. */
import { expect, test } from "vitest";
import { gathered } from "../../src/store/gathered.ts";
import { allocateNonce } from "../../src/store/nonces.ts";
import type { Transaction } from "../../src/store/sql.ts";
import { NOW, openStore } from "./stored-batch.ts";

/** The items that each "transaction" received. */
function gathering(store = openStore()) {
  const groups: (readonly string[])[] = [];
  const write = gathered(store, function* (items: readonly string[]): Transaction<bigint[]> {
    groups.push(items);
    if (items.includes("bad")) throw new Error("bad item");
    const first = yield* allocateNonce("key-1", NOW, 0n, items.length);
    return items.map((_, index) => first + BigInt(index));
  });
  return { groups, write };
}

test("callers of one commit share a transaction, and each gets its own result", async () => {
  const { groups, write } = gathering();
  const [one = 0n, two = 0n, three = 0n] = await Promise.all([write("a"), write("b"), write("c")]);
  expect([two - one, three - two]).toEqual([1n, 1n]);
  expect(await write("d")).toBe(three + 1n);
  expect(groups).toEqual([["a", "b", "c"], ["d"]]);
});

test("items handed over after a transaction has begun are neither lost nor written twice", async () => {
  const { groups, write } = gathering();
  const numbers = await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      for (let turn = 0; turn < index % 7; turn += 1) await new Promise(setImmediate);
      return write(`item ${index}`);
    }),
  );
  expect(new Set(numbers).size).toBe(40);
  expect(groups.flat()).toHaveLength(40);
});

test("an item that cannot be written fails its whole transaction, but not later ones", async () => {
  const { write } = gathering();
  const before = await write("a");
  const results = await Promise.allSettled([write("b"), write("bad"), write("c")]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(await write("d")).toBe(before + 1n);
});

test("a store that cannot write reports later items too", async () => {
  const store = openStore();
  let refusals = 2;
  const { groups, write } = gathering({
    ...store,
    read: store.read,
    close: () => store.close(),
    write: (transaction) => {
      refusals -= 1;
      return refusals >= 0 ? Promise.reject(new Error("the disk is gone")) : store.write(transaction);
    },
  });
  await expect(write("a")).rejects.toThrow("the disk is gone");
  await expect(write("b")).rejects.toThrow("the disk is gone");
  await write("c");
  expect(groups).toEqual([["c"]]);
});
