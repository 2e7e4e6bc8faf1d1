/**
 * Entries on suspense are booked again once the chart knows their value: shown first, then signed, and never by
 * posting alone.
 */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ledgerStep, ledgerVerifyStep, remapStep, unmappedValues } from "../../src/books/index.ts";
import { createPayoutStep, type Environment, trackStep, type Workplace } from "../../src/index.ts";
import { type Day, dayAfter, dayIn } from "../../src/model/index.ts";
import { reconcileStep } from "../../src/nights/index.ts";
import { listEntriesAfter } from "../../src/store/ledger-entries.ts";
import { run, sql } from "../../src/store/sql.ts";
import { auditStep } from "../../src/views/audit-step.ts";
import { alter, openProvenDesk } from "../site/proven-desk.ts";
import { depositOf, receiptOf, scriptedNights } from "../site/scripted-nights.ts";
import { ADDRESS, openSite } from "../site/service.ts";
import { CHART_TEXT, linesOf } from "./movements.ts";

/** Payouts to these GL accounts, paid and booked. */
async function booked(names: readonly string[], settings: Environment = {}) {
  const site = await openSite({ stepMs: 1 }, { PAYDROP_LEDGER_CHART: "chart.csv", ...settings });
  const chart = site.workplace.config.ledger.chart;
  writeFileSync(chart, CHART_TEXT);
  for (const [index, generalLedgerName] of names.entries()) {
    const cells = {
      reference: `PAY-${index}`,
      amount: `0.00${index + 1}`,
      destinationAddress: ADDRESS,
      generalLedgerName,
    };
    await createPayoutStep(site.workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
  }
  await expect.poll(async () => (await trackStep(site.workplace)).open).toBe(0);
  await ledgerStep(site.workplace);
  const add = (...lines: readonly string[]) => appendFileSync(chart, `${lines.join("\n")}\n`);
  return { ...site, chart, add };
}

const journal = async ({ store }: Workplace) =>
  (await store.read(() => listEntriesAfter(0, 1_000))).map(({ entry }) => entry);

const suspenseIn = async (workplace: Workplace) =>
  (await journal(workplace))
    .flatMap(({ lines }) => lines)
    .filter(({ account }) => account.code === "2999")
    .map(({ debit, credit }) => `${debit ?? `-${credit}`}`);

test("a new line of the chart changes nothing by itself; a remap shows what it would do, and does it", async () => {
  const { workplace, add } = await booked(["Hosting", "hosting", "Rent", "Contractors"]);
  expect((await unmappedValues(workplace)).map(({ what, entries }) => [what, entries])).toEqual([
    ['GL account "Hosting"', 1],
    ['GL account "hosting"', 1],
    ['GL account "Rent"', 1],
  ]);
  expect(await remapStep(workplace, { person: "tess" })).toMatchObject({ entries: [], isDone: false });
  add(
    "gl,Hosting,,,0.6,6310,expenses:hosting:production",
    "gl,Hosting,,,0.4,6320,expenses:hosting:development",
  );
  expect((await ledgerStep(workplace)).posted).toBe(0);
  const before = await journal(workplace);
  const shown = await remapStep(workplace, { person: "tess", checkOnly: true });
  expect(shown).toMatchObject({ isDone: false, held: [] });
  expect(shown.values.map(({ what, to, entries }) => [what, to, entries])).toEqual([
    ['GL account "Hosting"', "6310 expenses:hosting:production, 6320 expenses:hosting:development", 1],
    ['GL account "hosting"', "6310 expenses:hosting:production, 6320 expenses:hosting:development", 1],
  ]);
  expect(shown.unmapped.map(({ what }) => what)).toEqual(['GL account "Rent"']);
  expect(await journal(workplace)).toEqual(before);
  const done = await remapStep(workplace, { person: "tess" });
  expect(done).toEqual({ ...shown, isDone: true });
  const after = await journal(workplace);
  expect(after.slice(0, before.length)).toEqual(before);
  const fresh = after.slice(before.length);
  expect(fresh.map(({ kind, revision }) => `${kind} ${revision}`).sort()).toEqual([
    "payout-reverse 1",
    "payout-reverse 1",
    "payout-settle 2",
    "payout-settle 2",
  ]);
  const again = fresh.find(({ kind, reference }) => kind === "payout-settle" && reference === "PAY-0");
  expect(
    linesOf(again)
      .slice(0, 2)
      .map((line) => line.split(" ").slice(0, 3).join(" ")),
  ).toEqual(["expenses:hosting:production 0.0006 BTC", "expenses:hosting:development 0.0004 BTC"]);
  expect(again?.questions).toBeUndefined();
  expect(fresh.find(({ kind }) => kind === "payout-reverse")?.questions).toMatchObject([
    { code: "LEDGER_QUESTION_REVERSED" },
  ]);
  expect((await unmappedValues(workplace)).map(({ what }) => what)).toEqual(['GL account "Rent"']);
  expect(await remapStep(workplace, { person: "tess" })).toMatchObject({ entries: [], isDone: false });
  await ledgerStep(workplace);
  expect((await journal(workplace)).length).toBe(after.length);
  expect((await ledgerVerifyStep(workplace)).differences).toEqual([]);
});

test("reversal and new entry of a closed day go to the first open one, and keep their document day", async () => {
  const { add, openAgain, workplace: first } = await booked(["Hosting"]);
  const today = dayIn(first.config.ledger.timeZone, new Date().toISOString());
  const later = openAgain({ PAYDROP_LEDGER_CLOSED_THROUGH: today });
  add("gl,Hosting,,,,6300,expenses:hosting");
  const { entries } = await remapStep(later, { person: "tess" });
  const open: Day = dayAfter(today);
  expect(entries).toMatchObject([{ reversedOn: open, bookedAgainOn: open }]);
  const fresh = (await journal(later)).slice(1);
  expect(fresh.map(({ bookDay }) => bookDay)).toEqual([open, open]);
  for (const { documentDay } of fresh) expect(documentDay <= today).toBe(true);
  expect((await suspenseIn(later)).length).toBe(2);
});

test("what the file of an ERP could not hold stays on suspense, and why is told", async () => {
  const narrow =
    '[{ name: own, columns: [{ header: A, value: "{accountCode}", lengthMax: 4 }, { header: B, value: "{amount}" }] }]';
  const { workplace, add } = await booked(["Hosting"], { PAYDROP_LEDGER_EXPORTS: narrow });
  add("gl,Hosting,,,,63000,expenses:hosting");
  const found = await remapStep(workplace, { person: "tess" });
  expect(found).toMatchObject({ entries: [], isDone: false, held: [{ code: "LEDGER_CELL_TOO_LONG" }] });
  expect(found.unmapped.map(({ what }) => what)).toEqual(['GL account "Hosting"']);
});

test("a deposit of an account that the chart did not know is booked again as well", async () => {
  const { shown, night, workplace } = await scriptedNights({
    settings: { PAYDROP_LEDGER_CHART: "chart.csv" },
  });
  const line = "treasury,treasury-btc,,,,1510,assets:crypto:btc\n";
  writeFileSync(workplace.config.ledger.chart, CHART_TEXT.replace(line, ""));
  await night();
  shown.deposits = [depositOf("6f1cbb7e-0000-4000-8000-0000000000a1", [receiptOf("aa", 0.5)])];
  shown.balance += 0.5;
  await night();
  expect(await unmappedValues(workplace)).toMatchObject([{ what: "treasury of treasury-btc", entries: 1 }]);
  appendFileSync(workplace.config.ledger.chart, line);
  expect(await remapStep(workplace, { person: "tess" })).toMatchObject({
    values: [{ what: "treasury of treasury-btc", to: "1510 assets:crypto:btc", entries: 1 }],
    isDone: true,
  });
  const receipts = (await journal(workplace)).filter(({ factId }) => factId.includes(":receipt:"));
  expect(receipts.map((entry) => linesOf(entry)[0])).toEqual([
    "liabilities:suspense 0.5 BTC 40000.00",
    "liabilities:suspense -0.5 BTC -40000.00",
    "assets:crypto:btc 0.5 BTC 40000.00",
  ]);
  await night();
  expect((await ledgerVerifyStep(workplace)).differences).toEqual([]);
});

test("a controller signs it; the record holds it, and a forged one is found", async () => {
  const desk = await openProvenDesk({ PAYDROP_LEDGER_CHART: "chart.csv" });
  const { workplace } = desk;
  writeFileSync(workplace.config.ledger.chart, CHART_TEXT);
  const cells = {
    reference: "PAY-1",
    amount: "0.001",
    destinationAddress: ADDRESS,
    generalLedgerName: "Hosting",
  };
  await createPayoutStep(workplace, { cells, submittedBy: "ann", approvedBy: ["ben", "carol"] });
  await expect.poll(async () => (await trackStep(workplace)).open).toBe(0);
  await reconcileStep(workplace);
  await ledgerStep(workplace);
  appendFileSync(workplace.config.ledger.chart, "gl,Hosting,,,,6300,expenses:hosting\n");
  await expect(remapStep(workplace, { person: "ann" })).rejects.toMatchObject({
    problem: { code: "ROLE_LACKING" },
  });
  await expect(remapStep(workplace, { person: "mallory" })).rejects.toMatchObject({
    problem: { code: "PERSON_UNKNOWN" },
  });
  expect(await journal(workplace)).toHaveLength(1);
  const meddled = {
    ...workplace,
    sign: async (...asked: Parameters<Workplace["sign"]>) => {
      const signed = await workplace.sign(...asked);
      const text = readFileSync(workplace.config.ledger.chart, "utf8");
      writeFileSync(
        workplace.config.ledger.chart,
        text.replace("6300,expenses:hosting", "6666,expenses:other"),
      );
      return signed;
    },
  };
  await expect(remapStep(meddled, { person: "carol" })).rejects.toMatchObject({
    problem: { code: "STATEMENT_CHANGED" },
  });
  expect(await journal(workplace)).toHaveLength(1);
  expect(await remapStep(workplace, { person: "carol" })).toMatchObject({ isDone: true });
  expect((await auditStep(workplace)).unproven).toEqual([]);
  await alter(desk, () => run(sql`update audit set subject = 'another' where action = 'remap suspense'`));
  expect((await auditStep(workplace)).unproven.map(({ action }) => action)).toEqual(["remap suspense"]);
});
