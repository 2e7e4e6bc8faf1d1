/**
 * Many rows take few statements: each statement is a round trip to the server, during which all other machines wait.
 */
import { expect, test } from "vitest";
import { batchId, type InstructionId } from "../../src/model/index.ts";
import { insertInstructions, moveBatch } from "../../src/store/instructions.ts";
import { all, insertRows, sql } from "../../src/store/sql.ts";
import { drafts, NOW, openStore } from "./stored-batch.ts";

test("a batch of 500 rows takes ten statements", () => {
  const rows = drafts(500).map((draft) => ({
    ...draft,
    id: `i-${draft.row}` as InstructionId,
    line: draft.row + 1,
  }));
  const statements = insertInstructions(batchId("B-000001"), rows, NOW);
  let count = 0;
  while (statements.next([{ changed: 50 }]).done !== true) count += 1;
  expect(count).toBe(10);
});

test("a long batch is moved in several statements, of which none takes longer than a server waits", () => {
  const statements = moveBatch(batchId("B-000001"), "received", "approved", NOW);
  statements.next([]);
  const moved = [{ row: 120_000 }, { changed: 50_000 }, { changed: 50_000 }, { changed: 20_000 }].map((row) =>
    statements.next([row]),
  );
  expect(moved.map(({ done }) => done)).toEqual([false, false, false, true]);
  expect(moved.at(-1)?.value).toBe(120_000);
});

test.each([0, 1, 49, 50, 51, 120])("%i rows are all written, once, in their order", async (count) => {
  const store = openStore();
  const rows = Array.from({ length: count }, (_, index) => [`job-${index}`, NOW, NOW]);
  await store.write(() => insertRows("insert into run (job, due_at, started_at)", rows));
  const written = await store.read(() => all<{ job: string }>(sql`select job from run order by id`));
  expect(written.map(({ job }) => job)).toEqual(rows.map(([job]) => job));
});
