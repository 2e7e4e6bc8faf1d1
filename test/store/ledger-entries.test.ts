/** Journal entries, of which one run may post very many. */
import { expect, test } from "vitest";
import type { JournalEntry } from "../../src/model/index.ts";
import { insertEntries } from "../../src/store/ledger-entries.ts";
import { NOW } from "./stored-batch.ts";

test("however many entries are posted, no more than a thousand are put into words between two statements", () => {
  let inWords = 0;
  const entries = Array.from({ length: 2_500 }, (_, index) => ({
    entryId: `entry-${index}`,
    get narration() {
      inWords += 1;
      return "";
    },
  })) as readonly object[] as readonly JournalEntry[];
  const counts: number[] = [];
  const transaction = insertEntries(entries, NOW);
  for (let step = transaction.next([]); !step.done; step = transaction.next([])) {
    counts.push(inWords);
    inWords = 0;
  }
  expect(counts.reduce((sum, count) => sum + count)).toBe(2_500);
  expect(Math.max(...counts)).toBe(1_000);
});
