/**
 * An installation of a released version continues with this one: the upgrade books, opens, sends and forgets
 * nothing.
 */
import { describe, expect, test } from "vitest";
import {
  breaksStep,
  exportAgainStep,
  ledgerExportStep,
  listDoubts,
  reconcileStep,
  showBreakStep,
  statusOfBatches,
  type Workplace,
} from "../../src/index.ts";
import type { Instant } from "../../src/model/index.ts";
import { listExportBatches } from "../../src/store/export-batches.ts";
import { listEntriesAfter } from "../../src/store/ledger-entries.ts";
import { finds, sql } from "../../src/store/sql.ts";
import { byClock } from "../site/service.ts";
import { sliceOf } from "../slice.ts";
import { thaw } from "./frozen.ts";

describe.each(sliceOf(["0.1.0/sqlite", "0.1.0/postgresql"], 2))(
  "the installation %s, opened by this version,",
  (name) => {
    test("has every payment where it stood, and in doubt what was in doubt", async () => {
      const installation = await thaw(name);
      const before = await installation.rows(
        "select batch_id, standing, count(*) as count from instruction group by batch_id, standing order by batch_id, standing",
      );
      const workplace = installation.open();
      expect(await standingsOf(workplace)).toEqual(
        before.map(({ batch_id, standing, count }) => `${batch_id} ${standing} ${count}`),
      );
      const { payments, changes, underWay } = await listDoubts(workplace);
      expect(payments.map(({ instruction }) => instruction.fields.reference).sort()).toEqual([
        "HELD-1",
        "URG-2",
      ]);
      expect(changes.map(({ change }) => change.subject)).toEqual(["DEP-OWN-2"]);
      expect(underWay.map(({ fields }) => fields.reference)).toEqual(["KILL-1"]);
    });

    test("has approvals that still hold, so that nothing must be approved again", async () => {
      // The approvals hold for thirty days.
      const workplace = byClock((await thaw(name)).open(), () => "2026-11-28T19:00:00.000Z" as Instant);
      const batches = await statusOfBatches(workplace);
      const [first, ...others] = batches.map(({ batch, approvedBy, runOut }) => [
        batch.id,
        approvedBy,
        runOut,
      ]);
      expect(first).toEqual(["B-000001", ["ben"], []]);
      expect(others).toContainEqual(["B-000007", ["ben"], []]);
    });

    test("keeps open breaks open with their dates, and settled ones with their people", async () => {
      const installation = await thaw(name);
      const before = await installation.rows(
        "select id, opened_at from break where closed_at is null order by id",
      );
      const [settlement] = await installation.rows("select person, reason from break_settlement");
      const { open, settled } = await breaksStep(installation.open());
      expect([...open, ...settled].map(({ id, openedAt }) => `${id} ${openedAt}`).sort()).toEqual(
        before.map(({ id, opened_at }) => `${id} ${opened_at}`),
      );
      expect(settled).toMatchObject([settlement]);
    });

    test("keeps what was ever seen of each payout and deposit, and when", async () => {
      const installation = await thaw(name);
      const seen = (table: string) =>
        installation.rows(`select kind, id, seen_at, raw from ${table} order by kind, id, seq`);
      const before = await seen("observation");
      expect(before.length).toBeGreaterThan(10);
      await installation.open().store.read(() => finds(sql`select 1 from observed`));
      expect(await seen("history")).toEqual(before);
      const [twice] = await installation.rows(
        "select count(*) as count from observed, observation where observed.kind = observation.kind and observed.id = observation.id and observed.said_at = seen_at",
      );
      expect(Number(twice?.["count"])).toBe(0);
    });

    test("keeps who settled what says something else by now, and what was settled before it was found", async () => {
      const installation = await thaw(name);
      const [open] = await installation.rows(
        "select id, opened_at from break where closed_at is null and id not in (select break_id from break_settlement) order by id",
      );
      const planted = `'["warning",null,null,"something else"]', '2999-01-01T00:00:00.000Z', 'dave', 'known'`;
      const stranger = "unexpected:payout:0d5d6e8a-0000-4000-8000-000000000010";
      await installation.change(`insert into break_settlement (break_id, said, settled_at, person, reason)
        values ('${String(open?.["id"])}', ${planted}), ('${stranger}', ${planted})`);
      const workplace = installation.open();
      const { open: after, settled } = await breaksStep(workplace);
      expect(after).toContainEqual(
        expect.objectContaining({ id: open?.["id"], openedAt: open?.["opened_at"] }),
      );
      expect(settled).toContainEqual(
        expect.objectContaining({ id: stranger, kind: "unexpected", person: "dave" }),
      );
      const [story] = await showBreakStep(workplace, String(open?.["id"]));
      expect(story?.earlier).toMatchObject([{ person: "dave", reason: "known", found: "something else" }]);
    });

    test("opens by its first night only what came since its last one", async () => {
      const installation = await thaw(name);
      const before = await breaksStep(installation.open());
      const { openBreaks } = await reconcileStep(installation.open());
      const known = new Set([...before.open, ...before.settled].map(({ id }) => id));
      expect(openBreaks.filter(({ id }) => !known.has(id)).map(({ reference }) => reference)).toEqual([]);
      expect(openBreaks.map(({ id }) => id)).toEqual(expect.arrayContaining(before.open.map(({ id }) => id)));
      expect(installation.service.changes).toEqual([]);
    });

    test("reverses and books nothing again, keeps its entries' ids, and goes on with its export numbers", async () => {
      const installation = await thaw(name);
      const entries = await installation.rows("select id, export_batch from entry order by seq");
      const exports = await installation.rows("select number from export_batch order by number");
      const workplace = installation.open();
      await reconcileStep(workplace);
      const { issued } = await ledgerExportStep(workplace);
      const after = await entriesOf(workplace);
      expect(after.slice(0, entries.length)).toEqual(entries.map(({ id }) => id));
      // Only the entries since: for payments made after its last night.
      expect(after.slice(entries.length).filter((id) => /reverse/.test(id))).toEqual([]);
      expect(issued.map((batch) => batch.entries)).toEqual(
        after.length > entries.length ? [after.length - entries.length] : [],
      );
      const numbers = await workplace.store.read(() => listExportBatches(100));
      expect(numbers.map(({ number }) => number).sort()).toEqual([
        ...exports.map(({ number }) => Number(number)),
        ...(after.length > entries.length ? [exports.length + 1] : []),
      ]);
      const handedOut = await installation.rows(
        "select entry.id, number from entry join exported_entry on entry = entry.seq join export_batch on batch = export_batch.id order by entry.seq",
      );
      expect(handedOut.slice(0, entries.length).map(({ id, number }) => [id, Number(number)])).toEqual(
        entries.map(({ id, export_batch }) => [id, Number(export_batch)]),
      );
      await expect(exportAgainStep(workplace, Number(exports[0]?.["number"]))).rejects.toMatchObject({
        problem: { code: "EXPORT_BYTES_NOT_KEPT" },
      });
    });
    test("issues a batch again that was begun and whose process died, under its number and with its entries", async () => {
      const installation = await thaw(name);
      const [last] = await installation.rows("select max(number) as number from export_batch");
      const number = Number(last?.["number"]);
      const before = await installation.rows(
        `select id from entry where export_batch = ${number} order by seq`,
      );
      await installation.change(`update export_batch set written_at = null where number = ${number}`);
      const workplace = installation.open();
      await reconcileStep(workplace);
      const { issued } = await ledgerExportStep(workplace);
      expect(issued[0]).toMatchObject({ target: "journal", number, entries: before.length });
      expect((await exportAgainStep(workplace, number)).problems).toEqual([]);
    });
  },
);

async function standingsOf(workplace: Workplace): Promise<string[]> {
  const batches = await statusOfBatches(workplace);
  return batches
    .flatMap(({ batch, standings }) =>
      standings.map(
        ({ standing, totals }) =>
          `${batch.id} ${standing} ${totals.reduce((sum, { count }) => sum + count, 0)}`,
      ),
    )
    .sort();
}

async function entriesOf({ store }: Workplace): Promise<string[]> {
  const posted = await store.read(() => listEntriesAfter(0, 10_000));
  return posted.map(({ entry }) => entry.entryId);
}
