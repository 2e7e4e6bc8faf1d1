import { describe, expect, test } from "vitest";
import { sameDestination } from "../../src/model/index.ts";

describe("a destination", () => {
  test.each([
    // BIP 173's own example, which is written in upper case there.
    ["BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
    ["6F1CBB7E-0000-4000-8000-0000000000AA", "6f1cbb7e-0000-4000-8000-0000000000aa"],
  ])("is the same in either case: %s", (left, right) => expect(sameDestination(left, right)).toBe(true));

  test.each([
    ["1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", "1bvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"],
    ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5"],
    ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", ""],
  ])("is another one: %s against %s", (left, right) => expect(sameDestination(left, right)).toBe(false));
});
