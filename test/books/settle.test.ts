/**
 * A controller's signature, with a reason, ends what the books report every night: a held movement, or an export
 * without an answer. An entry that the ERP refuses after its month was closed goes to the first open day.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  answerStep,
  booksReportStep,
  booksStep,
  closePeriodStep,
  excuseExportStep,
  exportStep,
  ledgerStep,
  ledgerVerifyStep,
  type PeriodClosed,
  settleHeldStep,
} from "../../src/books/index.ts";
import type { Environment, Workplace } from "../../src/index.ts";
import { listEntriesAfter } from "../../src/store/ledger-entries.ts";
import { auditStep } from "../../src/views/audit-step.ts";
import { depositOf, nightAt, OPENING, receiptOf, scriptedNights } from "../site/scripted-nights.ts";
import { byClock } from "../site/service.ts";
import { temporaryFolder } from "../store/stored-batch.ts";

const A1 = "6f1cbb7e-0000-4000-8000-0000000000a1";
const REASON = "treasury books it by hand";
const NETSUITE = {
  PAYDROP_LEDGER_EXPORTS:
    '[{ preset: netsuite, answers: { entry: "External ID", status: Result, reason: Message, posted: [ok], refused: [no] } }]',
};

/** A receipt of April 2031, and its night; then the second of May. */
async function april(changes: object, settings: Environment = {}) {
  const { shown, workplace } = await scriptedNights({ settings });
  const show = (more: object) => {
    const instants = { createdDate: "2031-04-20T11:00:00.000Z", confirmedDate: "2031-04-20T12:00:00.000Z" };
    shown.deposits = [depositOf(A1, [receiptOf("aa", 0.5, { ...instants, ...more })])];
  };
  show(changes);
  shown.balance = OPENING + 0.5;
  const at = (time: string) => byClock(workplace, () => time);
  await nightAt(at("2031-05-01T10:00:00.000Z"));
  return { show, at, may: at("2031-05-02T10:00:00.000Z") };
}

const unproven = async (workplace: Workplace) => (await auditStep(workplace)).unproven;
const openPoints = ({ points }: PeriodClosed) =>
  points.filter(({ state }) => state === "open").map(({ point }) => point);
const checkApril = (workplace: Workplace) =>
  closePeriodStep(workplace, { month: "2031-04", person: "tess", checkOnly: true });

describe("a held movement that is settled", () => {
  const settle = (workplace: Workplace, name = A1) =>
    settleHeldStep(workplace, { names: [name], person: "tess", reason: REASON });

  test("is told no more while its confirmedDate is still to come", async () => {
    const { at, may } = await april({ confirmedDate: "2031-12-24T12:00:00.000Z" });
    expect((await ledgerStep(may)).problems).toMatchObject([{ code: "LEDGER_FACT_UNCLEAR" }]);
    await settle(may);
    for (const day of ["03", "04"])
      expect(await nightAt(at(`2031-05-${day}T10:00:00.000Z`))).toMatchObject({ held: [] });
  });

  test("is told no more and keeps no month open, but stays out of the books and in the report", async () => {
    const { may } = await april({ rate: undefined });
    expect((await ledgerStep(may)).problems).toMatchObject([{ code: "LEDGER_RATE_MISSING" }]);
    expect(openPoints(await checkApril(may))).toContain("held");
    expect(await settle(may, "ORDER-a1")).toMatchObject([
      { id: A1, settledBy: "tess", settledReason: REASON },
    ]);
    expect(await unproven(may)).toEqual([]);
    expect(await ledgerStep(may)).toMatchObject({ posted: 0, problems: [] });
    expect(openPoints(await checkApril(may))).not.toContain("held");
    const report = await booksReportStep(may, { name: "held" });
    expect(report.tables[0]?.rows[0]?.cells).toMatchObject({ settled: `tess: ${REASON}`, waits: "nobody" });
    expect(await ledgerVerifyStep(may)).toMatchObject({ differences: [] });
    await expect(settle(may)).rejects.toMatchObject({ problem: { code: "NAME_UNKNOWN" } });
  });

  test("is booked once it can be, and told again once it is held for another reason", async () => {
    const { show, at, may } = await april({ rate: undefined });
    await settle(may);
    show({ state: "UNCONFIRMED" });
    await nightAt(at("2031-05-03T10:00:00.000Z"));
    const [other] = (await ledgerStep(at("2031-05-03T11:00:00.000Z"))).problems;
    expect(other).toMatchObject({ depositId: A1 });
    expect(other?.code).not.toBe("LEDGER_RATE_MISSING");
    show({});
    await nightAt(at("2031-05-04T10:00:00.000Z"));
    const books = await booksStep(at("2031-05-04T11:00:00.000Z"), 10);
    expect([books.held, books.entries > 0]).toEqual([[], true]);
  });

  test("is not settled beside a name that is unknown", async () => {
    const { may } = await april({ rate: undefined });
    const both = settleHeldStep(may, { names: [A1, "ORDER-none"], person: "tess", reason: REASON });
    await expect(both).rejects.toMatchObject({ problem: { code: "NAME_UNKNOWN" } });
    expect((await ledgerStep(may)).problems).toHaveLength(1);
  });
});

describe("an export that the ERP does not answer", () => {
  test("is excused by a controller, so that its month can be closed; an answer still counts", async () => {
    const { may } = await april({}, NETSUITE);
    await exportStep(may);
    expect(openPoints(await checkApril(may))).toEqual(["answered"]);
    const excuse = () => excuseExportStep(may, { number: 1, person: "tess", reason: "imported by hand" });
    expect(await excuse()).toMatchObject({ target: "netsuite", number: 1, excusedBy: "tess" });
    expect(await unproven(may)).toEqual([]);
    expect(openPoints(await checkApril(may))).toEqual([]);
    await expect(excuse()).rejects.toMatchObject({ message: expect.stringMatching(/is excused already/) });
    const [entry] = await may.store.read(() => listEntriesAfter(0, 1));
    const path = join(temporaryFolder(), "answer.csv");
    writeFileSync(path, `External ID,Result,Message\n${entry?.entry.entryId},ok,\n`);
    expect(await answerStep(may, path, "netsuite")).toMatchObject({ posted: 1, problems: [] });
  });

  test("cannot be excused before it is issued", async () => {
    const { may } = await april({}, NETSUITE);
    const excuse = (number: number) =>
      excuseExportStep(may, { number, person: "tess", reason: "imported by hand" });
    await expect(excuse(1)).rejects.toMatchObject({ problem: { code: "NAME_UNKNOWN" } });
  });
});

test("an entry that is refused once its month is closed goes to the first open day", async () => {
  const { may, at } = await april({}, NETSUITE);
  await exportStep(may);
  await excuseExportStep(may, { number: 1, person: "tess", reason: "the answer comes in a week" });
  const closed = await closePeriodStep(may, { month: "2031-04", person: "tess" });
  expect(closed.isClosed).toBe(true);
  const [entry] = await may.store.read(() => listEntriesAfter(0, 1));
  const path = join(temporaryFolder(), "answer.csv");
  writeFileSync(path, `External ID,Result,Message\n${entry?.entry.entryId},no,the period is closed\n`);
  await answerStep(may, path, "netsuite");
  const later = at("2031-05-03T10:00:00.000Z");
  expect(await exportStep(later)).toMatchObject([{ target: "netsuite", number: 2, entries: 1 }]);
  const row = readFileSync(join(later.config.folders.ledger, "000002-netsuite.csv"), "utf8").split("\n")[1];
  expect(row).toContain(`${entry?.entry.entryId},05/01/2031`);
  // The closed month stays as signed.
  const [kept] = await later.store.read(() => listEntriesAfter(0, 1));
  expect(kept?.entry.bookDay).toBe("2031-04-20");
});
