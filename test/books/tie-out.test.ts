/**
 * The ledger's treasury against the balance proof of a night, held movements, and who was paid, with a service that
 * shows them.
 */
import { expect, test } from "vitest";
import { type BooksReport, booksReportStep, isFigure, ledgerStep } from "../../src/books/index.ts";
import { createPayoutStep, trackStep, type Workplace } from "../../src/index.ts";
import type { BooksReportName } from "../../src/model/index.ts";
import { baselineStep, reconcileStep } from "../../src/nights/index.ts";
import { run, sql } from "../../src/store/sql.ts";
import { depositOf, OPENING, receiptOf, scriptedNights } from "../site/scripted-nights.ts";
import { ADDRESS, byClock, openSite } from "../site/service.ts";

const FIRST = "6f1cbb7e-0000-4000-8000-0000000000a1";
const SECOND = "6f1cbb7e-0000-4000-8000-0000000000a2";

function rowsOf({ tables }: BooksReport, table: number, keys: readonly string[]): string[] {
  return (tables[table]?.rows ?? []).map(({ cells }) =>
    keys
      .map((key) => {
        const cell = cells[key];
        return isFigure(cell) ? cell.value.normalized().toString() : String(cell ?? "");
      })
      .join(" | "),
  );
}

const reportOf = (workplace: Workplace, name: BooksReportName, asOf?: string) =>
  booksReportStep(workplace, { name, ...(asOf !== undefined && { asOf }) });

const treasuryIn = (report: BooksReport, keys: readonly string[]) =>
  rowsOf(report, 0, keys).find((row) => row.startsWith("treasury-btc"));

const ACCOUNT = ["account", "moved", "ledger", "difference", "explained", "unexplained", "ties"];
const ITEM = ["account", "quantity", "reference", "source"];

/** Received after the opening balance; without a rate nothing can be booked. */
const since = (name: string, amount: number, changes: object = {}) => {
  const at = new Date(Date.now() + 1_000).toISOString();
  return receiptOf(name, amount, { createdDate: at, confirmedDate: at, ...changes });
};

test("the ledger ties to the proof once everything is booked", async () => {
  const { shown, night, workplace } = await scriptedNights();
  shown.deposits = [depositOf(FIRST, [since("aa", 0.5)])];
  shown.balance = OPENING + 0.5;
  await night(new Date(Date.now() + 3_600_000).toISOString());
  const report = await reportOf(workplace, "tie-out");
  expect(treasuryIn(report, ACCOUNT)).toBe("treasury-btc | 0.5 | 0.5 | 0 | 0 | 0 | ties");
  expect(rowsOf(report, 1, ITEM)).toEqual([]);
});

test("a receipt in whose place another one came explains nothing", async () => {
  const { shown, night, workplace } = await scriptedNights();
  const replaced = since("aa", 0.5, { state: "UNCONFIRMED", confirmedDate: undefined });
  shown.deposits = [depositOf(FIRST, [replaced, since("bb", 0.5)])];
  shown.balance = OPENING + 0.5;
  await night(new Date(Date.now() + 3_600_000).toISOString());
  const report = await reportOf(workplace, "tie-out");
  expect(treasuryIn(report, ACCOUNT)).toBe("treasury-btc | 0.5 | 0.5 | 0 | 0 | 0 | ties");
  expect(rowsOf(report, 1, ITEM)).toEqual([]);
});

test("a deposit with the id of a payout is booked beside it, and neither is said to be gone", async () => {
  const { shown, night, workplace } = await scriptedNights({ pays: ["PAY-1"] });
  const pay = (fee: number) => {
    shown.payout = ({ payoutId = "" }) => {
      shown.deposits = [depositOf(String(payoutId), [since("bb", 0.25)])];
      const sentFunds = { ...since("aa", 0.05), fee: { currency: "BTC", amount: fee } };
      return { payoutState: "COMPLETED", sentFunds };
    };
    shown.balance = OPENING + 0.2 - fee;
  };
  for (const fee of [0.001, 0.002]) {
    pay(fee);
    for (const hours of [1, 2]) {
      const { held } = await night(new Date(Date.now() + hours * 3_600_000).toISOString());
      expect(held).toEqual([]);
    }
    const report = await reportOf(workplace, "tie-out");
    const moved = fee === 0.001 ? "0.199" : "0.198";
    expect(treasuryIn(report, ACCOUNT)).toBe(`treasury-btc | ${moved} | ${moved} | 0 | 0 | 0 | ties`);
  }
});

test.each([
  ["its amount", { payoutState: "COMPLETED" }, { currency: "ETH", amount: 0.05 }],
  ["its request", { requestedAmount: { currency: "ETH", amount: 0.05 } }, { currency: "BTC", amount: 0.05 }],
])("explains a booked payout that now shows %s in another currency", async (_what, changes, amount) => {
  const { shown, night, workplace } = await scriptedNights({ pays: ["PAY-1"] });
  const sentFunds = { ...since("aa", 0.05), fee: { currency: "BTC", amount: 0.001 } };
  shown.payout = { payoutState: "COMPLETED", sentFunds };
  const inOneHour = new Date(Date.now() + 3_600_000).toISOString();
  await night(inOneHour);
  shown.payout = { payoutState: "COMPLETED", sentFunds: { ...sentFunds, amount }, ...changes };
  await night(inOneHour);
  expect(treasuryIn(await reportOf(workplace, "tie-out"), ACCOUNT)).toMatch(/ 0 \| explained$/);
});

test("explains a held receipt less its fee where the treasury receives it so", async () => {
  const settings = { PAYDROP_LEDGER_DEPOSIT_FEE: "deducted" };
  const { shown, night, workplace } = await scriptedNights({ settings });
  const fee = { currency: "BTC", amount: 0.01 };
  shown.deposits = [depositOf(FIRST, [since("aa", 0.5, { fee, rate: undefined })])];
  shown.balance = OPENING + 0.49;
  await night(new Date(Date.now() + 3_600_000).toISOString());
  const report = await reportOf(workplace, "tie-out");
  expect(treasuryIn(report, ACCOUNT)).toBe("treasury-btc | 0.49 | 0 | -0.49 | -0.49 | 0 | explained");
});

test("names what is held, item by item, and what no item explains", async () => {
  const { shown, night, workplace } = await scriptedNights();
  shown.deposits = [
    depositOf(FIRST, [since("aa", 0.5)]),
    depositOf(SECOND, [since("bb", 0.25, { rate: undefined })]),
  ];
  shown.balance = OPENING + 0.75;
  await night(new Date(Date.now() + 3_600_000).toISOString());
  const report = await reportOf(workplace, "tie-out");
  expect(treasuryIn(report, ACCOUNT)).toBe("treasury-btc | 0.75 | 0.5 | -0.25 | -0.25 | 0 | explained");
  expect(rowsOf(report, 1, ITEM)[0]).toBe(`treasury-btc | -0.25 | ORDER-a2 | ${SECOND}`);
  await workplace.store.write(() =>
    run(sql`update ledger_sum set quantity = '0.6' where custody_account <> ''`),
  );
  expect(treasuryIn(await reportOf(workplace, "tie-out"), ACCOUNT)).toBe(
    "treasury-btc | 0.75 | 0.6 | -0.15 | -0.25 | 0.1 | off",
  );
});

test("a night says by how much the ledger is off, whatever is held beside it, until it is not", async () => {
  const { shown, night, workplace } = await scriptedNights();
  shown.deposits = [
    depositOf(FIRST, [since("aa", 0.5)]),
    depositOf(SECOND, [since("bb", 0.25, { rate: undefined })]),
  ];
  shown.balance = OPENING + 0.75;
  await night(new Date(Date.now() + 3_600_000).toISOString());
  const ledger = async () => {
    const { openBreaks } = await reconcileStep(workplace);
    return openBreaks.filter(({ kind }) => kind === "ledger-treasury");
  };
  expect(await ledger()).toEqual([]);
  const setSum = (quantity: string) =>
    workplace.store.write(() =>
      run(sql`update ledger_sum set quantity = ${quantity} where custody_account <> ''`),
    );
  await setSum("0.6");
  const [off, ...others] = await ledger();
  expect(others).toEqual([]);
  expect(off).toMatchObject({ severity: "alarm", found: "0.1" });
  expect(off?.sentence).toContain("treasury-btc has 0.1 BTC more than the booked movements");
  // While payments are on their way, the balance is another one at each look.
  let seen = OPENING + 0.8;
  Object.defineProperty(shown, "balance", { get: () => (seen += 0.001), configurable: true });
  expect(await ledger()).toMatchObject([{ opening: off?.opening, found: "0.1" }]);
  Object.defineProperty(shown, "balance", { value: OPENING + 0.75, writable: true });
  await setSum("0.5");
  expect(await ledger()).toEqual([]);
});

test("what was held then is said of that day, and is gone once it is booked", async () => {
  const { shown, night, workplace } = await scriptedNights();
  shown.deposits = [depositOf(SECOND, [since("bb", 0.25, { rate: undefined })])];
  shown.balance = OPENING + 0.25;
  const [first, second] = ["2031-05-01T10:00:00.000Z", "2031-05-03T10:00:00.000Z"];
  await night(first);
  const later = byClock(workplace, () => second);
  const HELD = ["reference", "code", "waits"];
  expect(rowsOf(await reportOf(later, "held"), 0, HELD)).toEqual([
    "ORDER-a2 | LEDGER_RATE_MISSING | a person",
  ]);
  shown.deposits = [depositOf(SECOND, [since("bb", 0.25)])];
  await night(second);
  expect(rowsOf(await reportOf(later, "held"), 0, HELD)).toEqual([]);
  const then = await reportOf(later, "held", "2031-05-02");
  expect(rowsOf(then, 0, HELD)).toEqual(["ORDER-a2 | LEDGER_RATE_MISSING | a person"]);
  expect(then.tables).toHaveLength(1);
  expect(rowsOf(await reportOf(later, "held", "2031-04-30"), 0, HELD)).toEqual([]);
});

test("payments go by the payee of the approved file; without one, by a shortened address", async () => {
  const { workplace } = await openSite({ stepMs: 1 });
  await baselineStep(workplace, "ann");
  const cells = { destinationAddress: ADDRESS, generalLedgerName: "Contractors" };
  for (const more of [
    { reference: "PAY-1", amount: "0.001", customerId: "Ada Lovelace" },
    { reference: "PAY-2", amount: "0.002" },
  ])
    await createPayoutStep(workplace, {
      cells: { ...cells, ...more },
      submittedBy: "alice",
      approvedBy: ["bob"],
    });
  await expect.poll(async () => (await trackStep(workplace)).open).toBe(0);
  expect(await ledgerStep(workplace)).toMatchObject({ posted: 2 });
  const report = await reportOf(workplace, "payees");
  expect(rowsOf(report, 0, ["payee", "payments", "paid"]).slice(0, 2)).toEqual([
    "Ada Lovelace | 1 | 0.001",
    "bc1qw508...f3t4 | 1 | 0.002",
  ]);
  expect(rowsOf(report, 1, ["destination"])[0]).toBe("bc1qw508...f3t4");
  await reconcileStep(workplace);
  const tie = await reportOf(workplace, "tie-out");
  expect(treasuryIn(tie, ["account", "unexplained"])).toBe("treasury-btc | 0");
});
