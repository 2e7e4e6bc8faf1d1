import { expect, test } from "vitest";
import { pacedText } from "../../src/cli/render/pay-text.ts";

test("payments of two keys, each with codes of its own, are not said to share a time step", () => {
  // Two of each key: both lanes need one time step between their two.
  expect(pacedText(4, 30_000, "2026-11-22T08:16:00.000Z")).toBe(
    "4 due, one for each one-time code: until 2026-11-22 08:16 UTC or later",
  );
});
