/** The Bloom filter never holds back what was added, and lets little else pass. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BloomFilter } from "../../src/pipeline/screening/bloom-filter.ts";

const texts = fc.uniqueArray(fc.oneof(fc.string(), fc.string({ unit: "grapheme" })), { maxLength: 200 });

describe("a Bloom filter", () => {
  test("lets through every text that was added, also more of them than it was made for", () => {
    fc.assert(
      fc.property(texts, fc.nat(200), (added, capacity) => {
        const filter = filled(added, capacity);
        expect(added.filter((text) => !filter.mayHold(text))).toEqual([]);
        expect(filter.isEmpty).toBe(added.length === 0);
      }),
    );
  });

  test.each([
    ["numbers in a row", (number: number) => `INV-2026-${number}`],
    ["numbers in no order", (number: number) => Math.imul(number, 0x9e3779b1).toString(16)],
    [
      "texts that differ in the middle",
      (number: number) => `bc1q${number}w508d6qejxtdg4y5r3zarvary0c5xw7k 0.01`,
    ],
  ])("holds back nearly all others: %s", (_, textOf) => {
    const numbers = Array.from({ length: 20_000 }, (_, number) => 2 * number);
    const filter = filled(numbers.map(textOf), numbers.length);
    const passed = numbers.filter((number) => filter.mayHold(textOf(number + 1)));
    expect(passed.length).toBeLessThan(40);
  });
});

function filled(texts: readonly string[], capacity: number): BloomFilter {
  const filter = new BloomFilter(capacity);
  for (const text of texts) filter.add(text);
  return filter;
}
