/** A history of years is read in windows, while the process goes on with its other work. */
import { expect, test } from "vitest";
import { countOf, sql } from "../../src/store/sql.ts";
import { inWindows } from "../../src/store/windows.ts";
import { openStore } from "./stored-batch.ts";

test("between two windows others have their turn", async () => {
  let turns = 0;
  let isRead = false;
  const takeTurn = () => {
    turns += 1;
    if (!isRead) setImmediate(takeTurn);
  };
  setImmediate(takeTurn);
  const windows = inWindows<number>(openStore(), function* (last = 0) {
    const next = yield* countOf(sql`select ${last} + 1 as count`);
    return next <= 5 ? [next] : [];
  });
  const turnsBefore: number[] = [];
  for await (const _ of windows) turnsBefore.push(turns);
  isRead = true;
  expect(new Set(turnsBefore).size).toBe(5);
});
