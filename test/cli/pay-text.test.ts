import pc from "picocolors";
import { expect, test } from "vitest";
import { pacedText, pauseText, payText } from "../../src/cli/render/pay-text.ts";
import { problem } from "../../src/faults/index.ts";

test("payments of two keys, each with codes of its own, are not said to share a time step", () => {
  // Two payments per key, so that each lane needs one time step between its two codes.
  expect(pacedText(4, 30_000, "2026-11-22T08:16:00.000Z")).toBe(
    "4 due, one for each one-time code: until 2026-11-22 08:16 UTC or later",
  );
});

test("a pause is told unless it is short", () => {
  const now = "2026-11-22T08:16:00.000Z";
  expect(pauseText({ why: "service asks for it", milliseconds: 9_000 }, now)).toBeUndefined();
  expect(pauseText({ why: "service asks for it", milliseconds: 600_000 }, now)).toBe(
    "The service asks for a pause (Retry-After): the next payment is sent at 2026-11-22 08:26 UTC.",
  );
  expect(pauseText({ why: "service is out", milliseconds: 60_000 }, now)).toBe(
    "The service does not answer. Nothing is sent until it does; the run waits until 2026-11-22 08:17 UTC at most.",
  );
});

test("a run that stopped says how many of the due payments it did not come to", () => {
  const figures = { accepted: 5, refused: 0, inDoubt: 1, notSent: 1, held: 0, postponed: 2 };
  const stopped = problem("CREATIONS_UNANSWERED", { evidence: "no answer" });
  const report = { due: 43, ...figures, doubtedOnTheWay: 1, resolutions: [], problems: [], stopped };
  const [first] = payText(report, pc.createColors(false)).split("\n");
  expect(first).toBe("43 due: 5 accepted, 1 in doubt, 2 postponed, 35 not sent");
});
