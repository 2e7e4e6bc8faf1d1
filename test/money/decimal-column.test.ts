import { expect, test } from "vitest";
import { Decimal, DecimalColumn } from "../../src/money/index.ts";

test("gives back every amount with all its digits, however long it is", () => {
  const texts = [
    "0.00000001",
    "1.50",
    "-3",
    "9223372036854775807",
    "9223372036854775808",
    `0.${"1".repeat(300)}`,
  ];
  // Enough that the column grows.
  const all = Array.from({ length: 50 }, () => texts).flat();
  const column = new DecimalColumn();
  const indexes = all.map((text) => column.add(Decimal.of(text)));
  expect(indexes.map((index) => column.at(index).toString())).toEqual(all);
  expect(() => column.at(all.length)).toThrow(RangeError);
});
