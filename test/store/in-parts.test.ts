/** A run that posts or marks very many rows does it in parts: a server cancels a statement that takes long. */
import { expect, test } from "vitest";
import type { JournalEntry } from "../../src/model/index.ts";
import { insertEntries } from "../../src/store/ledger-entries.ts";
import { markBeforeBaseline } from "../../src/store/observed.ts";
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
  for (let step = transaction.next([]); !step.done; ) {
    counts.push(inWords);
    inWords = 0;
    // Of each row inserted: id, body, source and time.
    step = transaction.next([{ changed: step.value.values.length / 4 }]);
  }
  expect(counts.reduce((sum, count) => sum + count)).toBe(2_500);
  expect(Math.max(...counts)).toBe(1_000);
});

const IDS = Array.from({ length: 2_500 }, (_, index) => `id-${index}`);

test("however many are marked by a baseline, a statement is about a thousand at most", () => {
  const counts: number[] = [];
  const transaction = markBeforeBaseline("payout", IDS, "gone");
  for (let step = transaction.next([]); !step.done; ) {
    const list = String(step.value.values.at(-1));
    const count = step.value.text.startsWith("update") ? JSON.parse(list).length : 0;
    counts.push(count);
    step = transaction.next([{ changed: count }]);
  }
  expect(counts.reduce((sum, count) => sum + count)).toBe(2_500);
  expect(Math.max(...counts)).toBe(1_000);
});
