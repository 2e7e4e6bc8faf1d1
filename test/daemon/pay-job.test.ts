/** The result of a run, as the job `pay` reports it. */
import { expect, test } from "vitest";
import { outcomeOf } from "../../jobs/pay.ts";
import { problem } from "../../src/faults/index.ts";

const stopOrder = problem("SENDING_STOPPED", { reason: "fire" });
const runOut = problem("APPROVAL_EXPIRED", { batch: "B-000001" }, { reference: "R-1" });
const service = problem("SERVICE_TIMEOUT", { timeoutMs: 15_000 });

test("a stop order and approvals that have run out, which are told as such, hide no other problem", () => {
  const run = { accepted: 1, inDoubt: 0, stopped: stopOrder };
  expect(outcomeOf({ ...run, problems: [runOut] })).not.toHaveProperty("code");
  expect(outcomeOf({ ...run, problems: [runOut, service] })).toMatchObject({ code: "SERVICE_TIMEOUT" });
});

test("approvals of hundreds of thousands of payments that have run out fail no job", () => {
  const problems = Array.from({ length: 200_000 }, () => runOut);
  const { message, code } = outcomeOf({ accepted: 0, inDoubt: 0, problems });
  expect(code).toBeUndefined();
  expect(message).toContain("problems: 200000, first: R-1: ");
});
