import fc from "fast-check";
import { expect, test } from "vitest";
import { endsOf, markedDifference } from "../../src/model/index.ts";

test.each([
  ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "bc1qw508", "f3t4"],
  ["ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9", "ltc1qw508", "n4n9"],
  ["bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080", "bcrt1qw508", "t080"],
  ["1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", "1BvBM", "NVN2"],
  ["3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy", "3J98t", "WNLy"],
  ["0x52908400098527886e0f7030069857d2e4169ee7", "0x5290", "9ee7"],
])(
  "%s is known by four characters behind what all of its kind begin with, and its last four",
  (address, start, end) => {
    expect(endsOf(address)).toEqual({ start, end });
  },
);

test("an account is not an address and has no look-alikes", () => {
  expect(endsOf("6f1cbb7e-0000-4000-8000-000000000002")).toBeUndefined();
  expect(endsOf("")).toBeUndefined();
});

test("differences are in brackets, and without the brackets both addresses are intact", () => {
  expect(markedDifference("bc1qaaXbb", "bc1qaaYYbb")).toEqual(["bc1qaa[X]bb", "bc1qaa[YY]bb"]);
  fc.assert(
    fc.property(fc.stringMatching(/^[ab]{0,12}$/), fc.stringMatching(/^[ab]{0,12}$/), (one, other) => {
      const marked = markedDifference(one, other);
      expect(marked.map((text) => text.replace(/[[\]]/g, ""))).toEqual([one, other]);
    }),
  );
});
