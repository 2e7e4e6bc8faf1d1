/**
 * Months are closed in order by a checklist and a signature, and opened again; a movement that settles late is
 * booked on the first open day.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  answerStep,
  booksReportStep,
  closePeriodStep,
  exportStep,
  ledgerVerifyStep,
  type PeriodClosed,
  periodsStep,
  reopenPeriodStep,
} from "../../src/books/index.ts";
import type { Environment, Workplace } from "../../src/index.ts";
import { baselineStep, breaksStep, reportStep, settleStep } from "../../src/nights/index.ts";
import { listEntriesAfter } from "../../src/store/ledger-entries.ts";
import { run, sql } from "../../src/store/sql.ts";
import { auditStep } from "../../src/views/audit-step.ts";
import { alter, openProvenDesk } from "../site/proven-desk.ts";
import { depositOf, nightAt, OPENING, receiptOf, scriptedNights } from "../site/scripted-nights.ts";
import { byClock } from "../site/service.ts";
import { temporaryFolder } from "../store/stored-batch.ts";

const A1 = "6f1cbb7e-0000-4000-8000-0000000000a1";
const A2 = "6f1cbb7e-0000-4000-8000-0000000000a2";
const A3 = "6f1cbb7e-0000-4000-8000-0000000000a3";

const confirmedOn = (name: string, amount: number, day: string, changes: object = {}) =>
  receiptOf(name, amount, {
    createdDate: `${day}T11:00:00.000Z`,
    confirmedDate: `${day}T12:00:00.000Z`,
    ...changes,
  });

/** A deposit of April 2031, and the night and the books of 1 May. */
async function april(changes: object = {}, settings: Environment = {}) {
  const { shown, night, workplace } = await scriptedNights({ settings });
  const first = confirmedOn("aa", 0.5, "2031-04-20", changes);
  shown.deposits = [depositOf(A1, [first])];
  shown.balance = OPENING + 0.5;
  await night("2031-05-01T10:00:00.000Z");
  const at = (time: string) => byClock(workplace, () => time);
  return { shown, first, night, workplace, at, may: at("2031-05-02T10:00:00.000Z") };
}

const states = ({ points }: PeriodClosed) =>
  Object.fromEntries(
    points.filter(({ state }) => state !== "done").map(({ point, state }) => [point, state]),
  );

const closeApril = (workplace: Workplace, more: object = {}) =>
  closePeriodStep(workplace, { month: "2031-04", person: "tess", ...more });

async function daysOf(workplace: Workplace, sourceId: string) {
  const posted = await workplace.store.read(() => listEntriesAfter(0, 1_000));
  const own = posted.filter(({ entry }) => entry.sourceId === sourceId && entry.kind === "deposit-receipt");
  return own.map(({ entry }) => [entry.bookDay, entry.documentDay]);
}

const USAGE = (message: RegExp) => ({ message: expect.stringMatching(message) });

test("a month is closed once every point is done, and takes nothing more: a late fact keeps its document date", async () => {
  const { shown, first, may, at, workplace } = await april();
  const before = await closeApril(may);
  expect(before.isClosed).toBe(false);
  expect(states(before)).toEqual({ exported: "open", answered: "not kept" });
  await exportStep(may);
  expect(await closeApril(may, { checkOnly: true })).toMatchObject({ isClosed: false });
  expect(await periodsStep(may)).toMatchObject({ next: "2031-04", closings: [] });
  const closed = await closeApril(may);
  expect(closed.isClosed).toBe(true);
  expect(states(closed)).toEqual({ answered: "not kept" });
  expect(await periodsStep(may)).toMatchObject({
    closedThrough: "2031-04-30",
    next: "2031-05",
    closings: [{ month: "2031-04", closedBy: "tess", state: "closed" }],
  });
  shown.deposits = [depositOf(A1, [first]), depositOf(A2, [confirmedOn("bb", 0.25, "2031-04-25")])];
  shown.balance = OPENING + 0.75;
  await nightAt(at("2031-05-03T10:00:00.000Z"));
  expect(await daysOf(workplace, A1)).toEqual([["2031-04-20", "2031-04-20"]]);
  expect(await daysOf(workplace, A2)).toEqual([["2031-05-01", "2031-04-25"]]);
  expect(await ledgerVerifyStep(at("2031-05-03T11:00:00.000Z"))).toMatchObject({ differences: [] });
});

test("opened again, with those after it, it takes facts of its days", async () => {
  const { shown, first, may, at, workplace } = await april();
  await exportStep(may);
  await closeApril(may);
  const june = at("2031-06-02T10:00:00.000Z");
  await nightAt(june);
  const next = await closePeriodStep(june, { month: "2031-05", person: "tess" });
  expect(next.isClosed).toBe(true);
  const reason = "an invoice was forgotten";
  expect(await reopenPeriodStep(june, { month: "2031-04", person: "tess", reason })).toEqual([
    "2031-04",
    "2031-05",
  ]);
  expect((await periodsStep(june)).closedThrough).toBeUndefined();
  shown.deposits = [depositOf(A1, [first]), depositOf(A2, [confirmedOn("bb", 0.25, "2031-04-25")])];
  shown.balance = OPENING + 0.75;
  await nightAt(at("2031-06-03T10:00:00.000Z"));
  expect(await daysOf(workplace, A2)).toEqual([["2031-04-25", "2031-04-25"]]);
  await expect(reopenPeriodStep(june, { month: "2031-04", person: "tess", reason })).rejects.toMatchObject(
    USAGE(/no closed month 2031-04/),
  );
});

test("months are closed in order, each once, and none that is not over", async () => {
  const { may, at, night, shown, first } = await april();
  shown.deposits = [depositOf(A1, [first]), depositOf(A2, [confirmedOn("bb", 0.25, "2031-05-25")])];
  shown.balance = OPENING + 0.75;
  await night("2031-06-01T10:00:00.000Z");
  const june = at("2031-06-02T10:00:00.000Z");
  const close = (workplace: Workplace, month: string) =>
    closePeriodStep(workplace, { month, person: "tess" });
  await expect(close(june, "2031-05")).rejects.toMatchObject(USAGE(/closed in order, and 2031-04 is open/));
  await expect(close(may, "2031-05")).rejects.toMatchObject(USAGE(/2031-05 is not over/));
  await exportStep(june);
  expect((await close(june, "2031-04")).isClosed).toBe(true);
  await expect(close(june, "2031-04")).rejects.toMatchObject(USAGE(/2031-04 is closed already/));
});

test("held movements, breaks and a proof that is off keep a month open; the proof may tie later", async () => {
  const { shown, first, may, at, night } = await april({ rate: undefined });
  shown.balance = OPENING + 0.4;
  await night("2031-05-01T11:00:00.000Z");
  const open = await closeApril(may);
  expect(states(open)).toMatchObject({ held: "open" });
  expect(open.points.find(({ point }) => point === "held")?.said).toContain("ORDER-a1");
  shown.deposits = [depositOf(A1, [{ ...first, rate: receiptOf("aa", 1).rate }])];
  shown.balance = OPENING + 0.5;
  await night("2031-05-02T11:00:00.000Z");
  const later = at("2031-05-02T12:00:00.000Z");
  await exportStep(later);
  expect((await closeApril(later)).isClosed).toBe(true);
});

test("a first proof that is off is named, and a break of the month has to be settled", async () => {
  const { shown, night, workplace } = await scriptedNights();
  shown.deposits = [depositOf(A1, [confirmedOn("aa", 0.5, "2031-04-20")])];
  shown.balance = OPENING + 0.4;
  await night("2031-04-29T10:00:00.000Z");
  await night("2031-05-01T10:00:00.000Z");
  const may = byClock(workplace, () => "2031-05-02T10:00:00.000Z");
  await exportStep(may);
  const open = await closeApril(may);
  expect(states(open)).toMatchObject({ proof: "open", breaks: "open" });
  expect(open.points.find(({ point }) => point === "proof")?.said).toContain("treasury-btc did not tie");
  await settleStep(may, { names: ["treasury-btc"], person: "tess", reason: "the bank holds 0.1" });
  expect(states(await closeApril(may))).not.toHaveProperty("breaks");
  shown.balance = OPENING + 0.5;
  await night("2031-05-02T11:00:00.000Z");
  expect((await closeApril(byClock(workplace, () => "2031-05-02T12:00:00.000Z"))).isClosed).toBe(true);
});

test("money of a deposit that expired is booked to deposits clearing, and keeps no month open", async () => {
  const { shown, first, night, at } = await april();
  shown.deposits = [
    depositOf(A1, [first]),
    depositOf(A2, [confirmedOn("bb", 0.25, "2031-04-25")], { depositState: "EXPIRED" }),
  ];
  shown.balance = OPENING + 0.75;
  expect((await night("2031-05-02T10:00:00.000Z")).held).toEqual(["LEDGER_DEPOSIT_UNAPPLIED a2"]);
  const later = at("2031-05-02T11:00:00.000Z");
  expect(states(await closeApril(later))).not.toHaveProperty("held");
});

test("what is left on suspense is accepted for a reason, or the month stays open", async () => {
  const { may, workplace } = await april();
  await workplace.store.write(() =>
    run(sql`update entry set body = replace(body, '"accountKey":"receivable', '"accountKey":"suspense')`),
  );
  await workplace.store.write(() =>
    run(sql`update entry set body = replace(body, '"accountKey":"deposits-clearing', '"accountKey":"suspense')
      where body like '%deposit-receipt%'`),
  );
  await exportStep(may);
  const left = await closeApril(may);
  expect(states(left)).toMatchObject({ suspense: "open" });
  const accepted = await closeApril(may, { acceptSuspense: "asked the customer" });
  expect(accepted.isClosed).toBe(true);
  expect(accepted.points.find(({ point }) => point === "suspense")?.said).toContain("asked the customer");
});

test("an entry of a closed month that leaves its export batch is exported on the first open day", async () => {
  const { may, workplace } = await april();
  await exportStep(may);
  await closeApril(may);
  for (const gone of [sql`delete from exported_entry`, sql`delete from exported_until`])
    await workplace.store.write(() => run(gone));
  await exportStep(may);
  expect(await daysOf(workplace, A1)).toEqual([["2031-05-01", "2031-04-20"]]);
});

test("of `ledger.closedThrough` and the closed months the later one holds, and it says that a command replaces it", async () => {
  const { shown, night, workplace } = await scriptedNights({
    settings: { PAYDROP_LEDGER_CLOSED_THROUGH: "2026-11-30" },
  });
  const notices = workplace.config.remarks.map(({ code, key }) => [code, key]);
  expect(notices).toEqual([["CONFIG_KEY_REPLACED", "ledger.closedThrough"]]);
  shown.deposits = [depositOf(A1, [confirmedOn("aa", 0.5, "2026-12-20")])];
  shown.balance = OPENING + 0.5;
  await night("2027-01-01T10:00:00.000Z");
  const january = byClock(workplace, () => "2027-01-02T10:00:00.000Z");
  expect(await periodsStep(january)).toMatchObject({ closedThrough: "2026-11-30", next: "2026-12" });
  await exportStep(january);
  expect(await closePeriodStep(january, { month: "2026-12", person: "tess" })).toMatchObject({
    isClosed: true,
  });
  expect(await periodsStep(january)).toMatchObject({ closedThrough: "2026-12-31" });
});

test("only controllers close and open, what they signed is in the record, and a forged entry is found", async () => {
  const desk = await openProvenDesk();
  const { workplace } = desk;
  await baselineStep(workplace, "ben");
  const now = () => new Date(Date.now() + 45 * 86_400_000).toISOString();
  const later = byClock(workplace, now);
  await nightAt(later);
  const month = new Date().toISOString().slice(0, 7);
  const close = (person: string) => closePeriodStep(later, { month, person });
  await expect(close("ann")).rejects.toMatchObject({ problem: { code: "ROLE_LACKING" } });
  expect(await close("carol")).toMatchObject({ isClosed: true });
  const verified = await auditStep(later);
  expect(verified.unproven).toEqual([]);
  await reopenPeriodStep(later, { month, person: "carol", reason: "one more invoice" });
  expect((await auditStep(later)).unproven).toEqual([]);
  await alter(desk, () => run(sql`update audit set person = 'mallory' where action = 'close period'`));
  expect((await auditStep(later)).unproven.map(({ action }) => action)).toEqual(["close period"]);
});

test("open breaks and the proof are shown as they were known on another day", async () => {
  const { shown, night, workplace } = await scriptedNights();
  shown.balance = OPENING + 0.5;
  await night("2031-05-01T10:00:00.000Z");
  await settleStep(
    byClock(workplace, () => "2031-05-03T10:00:00.000Z"),
    {
      ...{ names: ["treasury-btc"], person: "tess", reason: "the bank knows" },
    },
  );
  shown.balance = OPENING;
  await night("2031-05-05T10:00:00.000Z");
  const counts = async (asOf: string) => {
    const { open, settled } = await breaksStep(workplace, { asOf, kind: "balance" });
    return [open.length, settled.length];
  };
  expect(await counts("2031-04-30")).toEqual([0, 0]);
  expect(await counts("2031-05-02")).toEqual([1, 0]);
  expect(await counts("2031-05-04")).toEqual([0, 1]);
  expect(await counts("2031-05-05")).toEqual([0, 0]);
  expect((await reportStep(workplace, { asOf: "2031-05-04" })).night.day).toBe("2031-05-01");
  expect((await reportStep(workplace, { asOf: "2031-05-05" })).night.day).toBe("2031-05-05");
  const then = byClock(workplace, () => "2031-05-06T10:00:00.000Z");
  const tie = await booksReportStep(then, { name: "tie-out", asOf: "2031-05-04" });
  expect(tie.tables[0]?.note).toContain("2031-05-01");
});

test("a month stays open until each target has its entries and has answered for them, not for later ones", async () => {
  const answers = 'answers: { entry: "External ID", status: Result, posted: [Posted], refused: [Error] }';
  const { may, shown, first } = await april(
    {},
    { PAYDROP_LEDGER_EXPORTS: `[{ preset: netsuite, ${answers} }]` },
  );
  const inApril = await may.store.read(() => listEntriesAfter(0, 100));
  await exportStep(may, { target: "journal" });
  const unissued = await closeApril(may);
  expect(states(unissued)).toEqual({ exported: "open" });
  expect(unissued.points.map(({ said }) => said)).toContainEqual(
    expect.stringMatching(/^2 entries are in no export batch of netsuite: /),
  );
  await exportStep(may);
  const before = await closeApril(may);
  expect(states(before)).toEqual({ answered: "open" });
  expect(before.points.map(({ said }) => said)).toContain(
    "2 entries of export 000001 of netsuite have no answer.",
  );
  const file = join(temporaryFolder(), "answer.csv");
  const lines = inApril.map(({ entry }) => `${entry.entryId},Posted`);
  writeFileSync(file, ["External ID,Result", ...lines, ""].join("\n"));
  expect(await answerStep(may, file)).toMatchObject({ mistakes: [], problems: [] });
  // Worth 0.00 EUR, so that NetSuite's file leaves it out.
  const dust = confirmedOn("cc", 0.00000001, "2031-04-25");
  const inMay = confirmedOn("bb", 0.25, "2031-05-01");
  shown.deposits = [depositOf(A1, [first]), depositOf(A2, [inMay]), depositOf(A3, [dust])];
  shown.balance = OPENING + 0.75000001;
  await nightAt(may);
  expect(await exportStep(may, { target: "netsuite" })).toMatchObject([{ number: 2, entries: 4 }]);
  await exportStep(may);
  expect((await closeApril(may)).isClosed).toBe(true);
});
