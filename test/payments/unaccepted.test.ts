import { expect, test } from "vitest";
import { batchId } from "../../src/model/index.ts";
import { unaccepted } from "../../src/people/decide.ts";

const BATCH = batchId("B-000001");

test.each([
  [0, undefined, true],
  // An approver who expects repeats in a batch without any has still approved the batch as it is.
  [0, 3, true],
  [2, 2, true],
  [2, undefined, false],
  [2, 0, false],
  [2, 1, false],
  [2, 3, false],
])("%i repeats, of which %s were accepted: released %s", (count, accepted, isReleased) => {
  expect(unaccepted("REPEATS_NOT_ACCEPTED", BATCH, count, accepted) === undefined).toBe(isReleased);
});
