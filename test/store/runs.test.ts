import { expect, test } from "vitest";
import { endRun, listLastRuns, startRun } from "../../src/store/runs.ts";
import { all, run, sql } from "../../src/store/sql.ts";
import { openPlace } from "../site/workplace.ts";

test("the newest 10,000 runs of each job are kept, since some run every minute for years", async () => {
  const { store } = openPlace().workplace;
  const at = "2026-11-22T10:00:00.000Z";
  await store.write(() =>
    run(sql`with recursive number (n) as (select 1 union all select n + 1 from number where n < 10000)
      insert into run (job, due_at, started_at) select 'intake', ${at}, ${at} from number`),
  );
  const reconciled = await store.write(() => startRun("reconcile", at, at));
  const started = await store.write(() => startRun("intake", at, at));
  await store.write(() => endRun(started, "{}", at));
  const counts = await store.read(() =>
    all<{ job: string; count: number; oldest: number }>(
      sql`select job, count(*) as count, min(id) as oldest from run group by job order by job`,
    ),
  );
  expect(counts).toEqual([
    { job: "intake", count: 10_000, oldest: 2 },
    { job: "reconcile", count: 1, oldest: reconciled },
  ]);
  expect((await store.read(() => listLastRuns())).map(({ job }) => job)).toEqual(["intake", "reconcile"]);
  expect((await store.read(() => listLastRuns({ isEnded: true }))).map(({ job }) => job)).toEqual(["intake"]);
});
