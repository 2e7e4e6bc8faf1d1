import { describe, expect, test } from "vitest";
import { LedgerSums } from "../../src/books/index.ts";
import type { JournalEntry, ObservedDeposit, ObservedFunds, ObservedPayout } from "../../src/model/index.ts";
import { readExact, writeExact } from "../../src/model/index.ts";
import {
  book,
  btc,
  CHART_TEXT,
  codesOf,
  deposit,
  eur,
  funds,
  linesOf,
  payout,
  policyWith,
  rateIntoEur,
} from "./movements.ts";
import { trialBalance } from "./whole-files.ts";

const rate = rateIntoEur("80000");
const sent = funds({ txHash: "aa", amount: btc("0.05"), fee: btc("0.0001"), rate });
const paid = (changes: Partial<ObservedFunds> = {}, others: Partial<ObservedPayout> = {}) =>
  payout("0001", { sentFunds: [{ ...sent, ...changes }], ...others });

const idsOf = (entries: readonly JournalEntry[]) => entries.map(({ entryId }) => entryId);

test("books keep the currency of their entries", () => {
  const posted = book({ payouts: [paid()] }).entries;
  expect(() => new LedgerSums("EUR").add(posted)).not.toThrow();
  expect(() => new LedgerSums("USD").add(posted)).toThrow("payout:0001:settle:1 was booked in EUR");
});

test("a reversal does not repeat the questions of its entry, but says that what accounting rebooked must be undone", () => {
  const first = book({ payouts: [paid({}, { generalLedgerName: "nowhere" })] }).entries;
  const changed = paid({ txHash: "ab" }, { generalLedgerName: "nowhere" });
  const { entries, problems } = book({ payouts: [changed], posted: first });
  const codes = [...first, ...entries].map(({ questions }) => questions?.map(({ code }) => code));
  expect(codes).toEqual([["LEDGER_UNMAPPED"], ["LEDGER_QUESTION_REVERSED"], ["LEDGER_UNMAPPED"]]);
  expect(problems).toMatchObject([
    {
      code: "LEDGER_QUESTION_REVERSED",
      payoutId: "0001",
      message: expect.stringContaining("settle:1 was reversed"),
    },
    { code: "LEDGER_UNMAPPED" },
  ]);
});

describe("a fact is posted once", () => {
  const first = book({ payouts: [paid()] });

  test("and not again after the entries were stored and read back", () => {
    const posted = readExact<JournalEntry[]>(writeExact(first.entries));
    expect(book({ payouts: [paid()], posted }).entries).toEqual([]);
  });

  test("and not again when only its state, its confirmations or the writing of a number change", () => {
    const later = paid(
      { confirmations: 9, amount: btc("0.0500"), rate: rateIntoEur("80000.00") },
      { state: "SENT" },
    );
    expect(book({ payouts: [later], posted: first.entries }).entries).toEqual([]);
  });

  test("and must not be passed in twice", () => {
    expect(() => book({ payouts: [paid(), paid()] })).toThrow(/each fact is given once/);
    const posted = first.entries.flatMap((entry) => [entry, { ...entry, entryId: `${entry.entryId}-twice` }]);
    expect(() => book({ payouts: [paid()], posted })).toThrow(/at most one live entry/);
  });
});

describe("a posted fact that changes", () => {
  const first = book({ payouts: [paid()] });

  test.each<[string, Partial<ObservedFunds>]>([
    ["a new transaction after a raised fee", { txHash: "ab", fee: btc("0.0002") }],
    ["another rate", { rate: rateIntoEur("80001") }],
    ["another date", { confirmedAt: "2026-11-20T12:00:00.001Z" }],
  ])("is reversed and posted anew: %s", (_what, changes) => {
    const second = book({ payouts: [paid(changes)], posted: first.entries });
    expect(second.entries).toMatchObject([
      { entryId: "payout:0001:settle:1:reverse", kind: "payout-reverse", reversalOf: "payout:0001:settle:1" },
      { entryId: "payout:0001:settle:2", revision: 2 },
    ]);
    expect(second.entries.flatMap(({ questions = [] }) => questions)).toEqual([]);
    const [original] = first.entries;
    const [reversal] = second.entries;
    expect(
      trialBalance([original, reversal].filter((entry) => entry !== undefined)).rows.map((row) =>
        row.balance.isZero(),
      ),
    ).toEqual([true, true, true]);
    expect(reversal?.lines.map(({ memo }) => memo)).toEqual(
      original?.lines.map(({ memo }) => `Reversal: ${memo}`),
    );
    const all = [...first.entries, ...second.entries];
    expect(book({ payouts: [paid(changes)], posted: all }).entries).toEqual([]);
  });

  test("and changes back gets a third revision, not the first again", () => {
    const second = book({ payouts: [paid({ txHash: "ab" })], posted: first.entries }).entries;
    const third = book({ payouts: [paid()], posted: [...first.entries, ...second] }).entries;
    expect(idsOf(third)).toEqual(["payout:0001:settle:2:reverse", "payout:0001:settle:3"]);
  });

  test.each<[string, ObservedPayout, string]>([
    ["cannot be valued any more", paid({ rate: rateIntoEur("0") }), "no rate from BTC"],
    ["failed after all", paid({}, { state: "SEND_FAILED" }), "ended SEND_FAILED"],
    ["is not confirmed any more", paid({ state: "UNCONFIRMED" }), "UNCONFIRMED"],
    ["is in doubt", paid({}, { state: "CREATE_TIMEOUT" }), "CREATE_TIMEOUT"],
  ])("and %s stays as booked, and nobody is told to book it by hand", (_what, now, reason) => {
    const { entries, held, problems } = book({ payouts: [now], posted: first.entries });
    expect(entries).toEqual([]);
    expect(held).toEqual([]);
    expect(problems).toMatchObject([{ code: "LEDGER_POSTED_FACT_GONE", payoutId: "0001" }]);
    expect(problems[0]?.message).toContain(reason);
    expect(problems[0]?.fix).not.toContain("by hand");
  });

  test.each<[string, ObservedPayout]>([
    ["failed with nothing that moved", payout("0001", { state: "SEND_FAILED" })],
    ["on its way again", paid({}, { state: "SENDING" })],
    ["in a state that nobody knows", payout("0001", { state: "TELEPORTED" })],
  ])("and is %s is said each time, and stays as it was booked", (_what, now) => {
    const { entries, problems } = book({ payouts: [now], posted: first.entries });
    expect(entries).toEqual([]);
    expect(problems).toMatchObject([{ code: "LEDGER_POSTED_FACT_GONE", payoutId: "0001" }]);
    expect(problems[0]?.message).toContain("payout:0001:settle:1");
  });

  test("keeps out of a closed period, and keeps its true day", () => {
    const policy = policyWith({ closedThrough: "2026-11-30" });
    const { entries } = book({ payouts: [paid({ txHash: "ab" })], posted: first.entries, policy });
    expect(entries.map(({ bookDay, documentDay }) => [bookDay, documentDay])).toEqual([
      ["2026-12-01", "2026-11-20"],
      ["2026-12-01", "2026-11-20"],
    ]);
  });
});

describe("a deposit that changes", () => {
  const receipt = (transactionId: string, amount: string, hour: number) =>
    funds({
      transactionId,
      amount: btc(amount),
      rate,
      confirmedAt: `2026-11-20T${String(hour).padStart(2, "0")}:00:00.000Z`,
    });
  const fixed = (receivedFunds: ObservedFunds[]): ObservedDeposit =>
    deposit("1001", {
      requestedInFiat: eur("1000"),
      requestedInCrypto: btc("0.0125"),
      fixedRate: rate,
      receivedFunds,
    });

  test.each([
    ["and the chart has renamed the accounts since stays as it was booked", {}, []],
    [
      "and it is another customer's now is applied to that one",
      { customerId: "C2" },
      ["deposit:1001:apply:1:reverse", "deposit:1001:apply:2"],
    ],
  ])("of which a receipt has another market rate %s", (_what, changes, expected) => {
    const customers = `${CHART_TEXT}receivable,C2,,,,1202,assets:ar:two\n`;
    const now = { ...receipt("t1", "0.0125", 10), rate: rateIntoEur("81000") };
    const first = book({ deposits: [{ ...fixed([receipt("t1", "0.0125", 10)]), customerId: "C1" }] });
    const { entries, problems } = book({
      deposits: [{ ...fixed([now]), customerId: "C1", ...changes }],
      posted: first.entries,
      chartText: customers.replaceAll(":", ":renamed:"),
    });
    expect(idsOf(entries)).toEqual(expected);
    expect(problems).toEqual([]);
  });

  test("in nothing that decides its booking stays as it was booked before the chart mapped its treasury", () => {
    const chartText = CHART_TEXT.replace(/^treasury,treasury-btc.*\n/m, "");
    const row = receipt("t1", "0.0125", 10);
    const first = book({ deposits: [{ ...fixed([row]), customerId: "C1" }], chartText });
    const requoted = { ...fixed([{ ...row, rate: rateIntoEur("81000") }]), customerId: "C1" };
    const { entries, problems } = book({ deposits: [requoted], posted: first.entries });
    expect([entries, problems]).toEqual([[], []]);
  });

  test("by a later overpayment is applied anew, and its receipts stay", () => {
    const first = book({ deposits: [fixed([receipt("t1", "0.0125", 10)])] });
    const more = fixed([receipt("t1", "0.0125", 10), receipt("t2", "0.001", 11)]);
    const { entries } = book({ deposits: [more], posted: first.entries });
    expect(idsOf(entries).toSorted()).toEqual([
      "deposit:1001:apply:1:reverse",
      "deposit:1001:apply:2",
      "deposit:1001:receipt:t2:1",
    ]);
    expect(linesOf(entries.find(({ entryId }) => entryId === "deposit:1001:apply:2"))).toEqual([
      "liabilities:depositclearing 0.0135 BTC 1080.00",
      "assets:ar -1000.00",
      "liabilities:overpayments -0.001 BTC -80.00",
    ]);
  });

  test("by a payment on top of it stays applied until that is confirmed, and nobody is told to reverse it", () => {
    const first = book({ deposits: [fixed([receipt("t1", "0.0125", 10)])] });
    const onTop = { ...receipt("t2", "0.001", 11), state: "UNCONFIRMED" };
    const more = fixed([receipt("t1", "0.0125", 10), onTop]);
    const { entries, problems, held } = book({ deposits: [more], posted: first.entries });
    expect(entries).toEqual([]);
    expect(problems).toEqual([]);
    expect(codesOf(held)).toEqual(["LEDGER_NOT_SETTLED"]);
  });

  test("in something irrelevant stays as booked: a market rate, until it counts", () => {
    const later = (rows: ObservedFunds[]) =>
      fixed(rows.map((row) => ({ ...row, rate: rateIntoEur("91000") })));
    const exact = [receipt("t1", "0.005", 10), receipt("t2", "0.0075", 11)];
    const first = book({ deposits: [fixed(exact)] });
    expect(book({ deposits: [later(exact)], posted: first.entries }).entries).toEqual([]);
    const over = [receipt("t1", "0.005", 10), receipt("t2", "0.008", 11)];
    const second = book({ deposits: [fixed(over)] });
    const { entries } = book({ deposits: [later(over)], posted: second.entries });
    expect(idsOf(entries).toSorted()).toEqual([
      "deposit:1001:apply:1:reverse",
      "deposit:1001:apply:2",
      "deposit:1001:receipt:t2:1:reverse",
      "deposit:1001:receipt:t2:2",
    ]);
  });

  test("by a receipt that turns out to be the earlier one moves the fixed rate to it", () => {
    const open = (rows: ObservedFunds[]) => ({ ...fixed(rows), state: "RECEIVING_FUNDS" });
    const late = { ...receipt("t1", "0.0125", 10), rate: rateIntoEur("90000") };
    const first = book({ deposits: [open([late])] });
    const { entries } = book({ deposits: [open([late, receipt("t0", "0.0025", 9)])], posted: first.entries });
    expect(entries.map((entry) => [entry.entryId, linesOf(entry)[0]])).toEqual([
      ["deposit:1001:receipt:t0:1", "assets:crypto:btc 0.0025 BTC 200.00"],
      ["deposit:1001:receipt:t1:1:reverse", "assets:crypto:btc -0.0125 BTC -1000.00"],
      ["deposit:1001:receipt:t1:2", "assets:crypto:btc 0.0125 BTC 1025.00"],
    ]);
  });

  test("by losing its receipts or its completion is reported each time, and its entries stay", () => {
    const rows = [receipt("t1", "0.01", 10), receipt("t2", "0.0025", 11)];
    const first = book({ deposits: [fixed(rows)] });
    const gone = (now: ObservedDeposit) => {
      const { entries, problems } = book({ deposits: [now], posted: first.entries });
      expect(entries).toEqual([]);
      return problems.map(({ code, message }) => [code, /booked as ([^; ]*)/.exec(message)?.[1]]);
    };
    const [apply, one, other] = ["apply:1", "receipt:t1:1", "receipt:t2:1"].map((key) => [
      "LEDGER_POSTED_FACT_GONE",
      `deposit:1001:${key}`,
    ]);
    expect(gone({ ...fixed([]), state: "CREATED" })).toEqual([one, other, apply]);
    expect(gone({ ...fixed(rows), state: "RECEIVING_FUNDS" })).toEqual([apply]);
    expect(gone({ ...fixed(rows.slice(0, 1)), state: "RECEIVING_FUNDS" })).toEqual([other, apply]);
  });

  test("by expiring after it was applied is not told to be applied in the ERP", () => {
    const rows = [receipt("t1", "0.0125", 10)];
    const first = book({ deposits: [fixed(rows)] });
    const { held, problems } = book({
      deposits: [{ ...fixed(rows), state: "EXPIRED" }],
      posted: first.entries,
    });
    expect(held).toEqual([]);
    expect(problems).toMatchObject([
      { code: "LEDGER_POSTED_FACT_GONE", message: expect.stringContaining("the deposit is EXPIRED") },
    ]);
  });

  test("by losing a posted receipt is held, so that the same money under another key is not booked twice", () => {
    const first = book({ deposits: [fixed([receipt("t1", "0.0125", 10)])] });
    const { entries, problems } = book({
      deposits: [fixed([receipt("t9", "0.0125", 10)])],
      posted: first.entries,
    });
    expect(entries).toEqual([]);
    expect(problems).toMatchObject([{ code: "LEDGER_POSTED_FACT_GONE", depositId: "1001" }]);
  });
});
