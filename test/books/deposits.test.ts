import { describe, expect, test } from "vitest";
import type { ObservedDeposit } from "../../src/model/index.ts";
import { custodyAccountId, depositId } from "../../src/model/index.ts";
import { amountOf } from "../../src/money/index.ts";
import {
  book,
  btc,
  COLD,
  codesOf,
  deposit,
  eur,
  fixed,
  funds,
  linesOf,
  market,
  policyWith,
  rateIntoEur,
  receipt,
} from "./movements.ts";

/** The booked value of 0.0125 BTC that came in time. */
const IN_TIME = ["liabilities:depositclearing 0.0125 BTC 1000.00", "assets:ar -1000.00"];

function bookOne(changes: Partial<ObservedDeposit>, policy = policyWith()) {
  const booked = book({ deposits: [deposit("1001", changes)], policy });
  return { ...booked, applied: linesOf(booked.entries.find(({ kind }) => kind === "deposit-apply")) };
}

describe("a completed deposit", () => {
  test("that was under-paid leaves the rest of the receivable open and says so", () => {
    const { applied, problems } = bookOne({ ...fixed, receivedFunds: [receipt("t1", "0.012")] });
    expect(applied).toEqual(["liabilities:depositclearing 0.012 BTC 960.00", "assets:ar -960.00"]);
    expect(codesOf(problems)).toEqual(["LEDGER_SHORT"]);
    expect(problems[0]?.message).toContain(
      "only 0.012 BTC was received, so 40.00 EUR of 0.0125 BTC = 1000 EUR is missing",
    );
  });

  test("that was under-paid is written off where the company does so", () => {
    const policy = policyWith({ depositShort: "write-off" });
    const { applied, problems } = bookOne({ ...fixed, receivedFunds: [receipt("t1", "0.012")] }, policy);
    expect(applied).toEqual([
      "liabilities:depositclearing 0.012 BTC 960.00",
      "expenses:writeoff 40.00",
      "assets:ar -1000.00",
    ]);
    expect(problems[0]?.message).toContain("was written off");
  });

  test("counts money in time at the fixed rate and money after it at market", () => {
    const late = receipt("t2", "0.005", {
      createdAt: "2026-11-20T13:00:00.001Z",
      rate: rateIntoEur("79200"),
    });
    const { applied, problems, entries } = bookOne({
      ...fixed,
      receivedFunds: [receipt("t1", "0.0075"), late],
    });
    const receipts = entries.filter(({ kind }) => kind === "deposit-receipt");
    expect(receipts.map(({ rateUsed }) => rateUsed?.origin)).toEqual(["fixed", "funds"]);
    expect(applied).toEqual(["liabilities:depositclearing 0.0125 BTC 996.00", "assets:ar -996.00"]);
    expect(codesOf(problems)).toEqual(["LEDGER_SHORT"]);
  });

  test("owes nothing back for more crypto that came late and is worth less", () => {
    const late = { createdAt: "2026-11-20T14:00:00.000Z", rate: rateIntoEur("70000") };
    const { applied, problems } = bookOne({ ...fixed, receivedFunds: [receipt("t1", "0.013", late)] });
    expect(applied).toEqual(["liabilities:depositclearing 0.013 BTC 910.00", "assets:ar -910.00"]);
    expect(codesOf(problems)).toEqual(["LEDGER_SHORT"]);
  });

  test("counts a receipt at the very expiry as in time", () => {
    const atExpiry = receipt("t1", "0.0125", { createdAt: fixed.expiresAt, confirmedAt: fixed.expiresAt });
    for (const depositLateBy of ["createdDate", "confirmedDate"] as const)
      expect(bookOne({ ...fixed, receivedFunds: [atExpiry] }, policyWith({ depositLateBy })).applied).toEqual(
        IN_TIME,
      );
  });

  test("counts a receipt that was confirmed in time as in time, also where it does not say when it came", () => {
    const { createdAt: _, ...undated } = receipt("t1", "0.0125");
    expect(bookOne({ ...fixed, receivedFunds: [undated] }).applied).toEqual(IN_TIME);
  });

  test("counts in parts no more than was requested, though each part is rounded up", () => {
    const terms = {
      ...fixed,
      requestedInFiat: eur("0.02"),
      requestedInCrypto: btc("4"),
      fixedRate: rateIntoEur("0.005"),
    };
    const receivedFunds = ["t1", "t2", "t3", "t4"].map((id) => receipt(id, "1"));
    const { entries, applied } = bookOne({ ...terms, receivedFunds });
    const booked = entries.filter(({ kind }) => kind === "deposit-receipt").map((entry) => linesOf(entry)[0]);
    expect(booked.map((line) => line?.split(" ").at(-1))).toEqual(["0.01", "0.01", "0.00", "0.00"]);
    expect(applied).toEqual(["liabilities:depositclearing 4 BTC 0.02", "assets:ar -0.02"]);
  });

  test("judges lateness by confirmation where the company does so", () => {
    const slow = receipt("t1", "0.0125", { confirmedAt: "2026-11-20T14:00:00.000Z" });
    expect(bookOne({ ...fixed, receivedFunds: [slow] }).applied).toEqual(IN_TIME);
    const strict = policyWith({ depositLateBy: "confirmedDate" });
    expect(bookOne({ ...fixed, receivedFunds: [slow] }, strict).applied).toEqual([
      "liabilities:depositclearing 0.0125 BTC 1012.50",
      "assets:ar -1000.00",
      "liabilities:overpayments -12.50",
    ]);
  });

  test("that was requested in crypto is booked at market, what is beyond it as an overpayment", () => {
    // An expiry binds only a rate that was promised.
    const terms = { requestedInCrypto: btc("0.01"), expiresAt: "2026-11-19T13:00:00.000Z" };
    const { applied, problems } = bookOne({
      ...terms,
      receivedFunds: [receipt("t1", "0.006"), receipt("t2", "0.005")],
    });
    expect(applied).toEqual([
      "liabilities:depositclearing 0.011 BTC 891.00",
      "assets:ar -810.00",
      "liabilities:overpayments -0.001 BTC -81.00",
    ]);
    expect(problems).toEqual([]);
    const under = bookOne({ ...terms, receivedFunds: [receipt("t1", "0.006")] });
    expect(under.problems[0]?.message).toContain("so 0.004 BTC of 0.01 BTC is missing");
  });

  test("that nobody put an amount to is booked at market", () => {
    expect(bookOne({ receivedFunds: [receipt("t1", "0.01")] }).applied).toEqual([
      "liabilities:depositclearing 0.01 BTC 810.00",
      "assets:ar -810.00",
    ]);
  });

  test("waits with the receivable until all its money is settled", () => {
    const waiting = receipt("t2", "0.005", { state: "UNCONFIRMED" });
    const { entries, held } = bookOne({ ...fixed, receivedFunds: [receipt("t1", "0.0075"), waiting] });
    expect(entries.map(({ kind }) => kind)).toEqual(["deposit-receipt"]);
    expect(codesOf(held)).toEqual(["LEDGER_NOT_SETTLED"]);
  });

  test("is applied on the day of its last receipt", () => {
    const nextDay = receipt("t2", "0.005", { confirmedAt: "2026-11-21T09:00:00.000Z" });
    const { entries } = bookOne({ ...fixed, receivedFunds: [nextDay, receipt("t1", "0.0075")] });
    expect(entries.map(({ kind, bookDay }) => [kind, bookDay])).toEqual([
      ["deposit-receipt", "2026-11-20"],
      ["deposit-receipt", "2026-11-21"],
      ["deposit-apply", "2026-11-21"],
    ]);
  });
});

describe("money of a deposit that is not complete", () => {
  test("is booked to clearing as it comes", () => {
    const { entries, held } = bookOne({
      ...fixed,
      state: "RECEIVING_FUNDS",
      receivedFunds: [receipt("t1", "0.0075")],
    });
    expect(entries.map(({ kind }) => kind)).toEqual(["deposit-receipt"]);
    expect(held).toEqual([]);
  });

  test.each(["EXPIRED", "VOID"])("stays on clearing when the deposit is %s, and is reported", (state) => {
    const { entries, held } = bookOne({ ...fixed, state, receivedFunds: [receipt("t1", "0.0075")] });
    expect(entries.map(({ kind }) => kind)).toEqual(["deposit-receipt"]);
    expect(held).toMatchObject([{ code: "LEDGER_DEPOSIT_UNAPPLIED", depositId: "1001" }]);
    expect(held[0]?.message).toContain("0.0075 BTC was received");
  });
});

describe("which receipt is which", () => {
  const output = (amount: string) => funds({ txHash: "aa", amount: btc(amount), rate: market });
  const keysOf = (rows: ReturnType<typeof output>[]) =>
    bookOne({ receivedFunds: rows }).entries.flatMap(({ factId, kind, lines }) =>
      kind === "deposit-receipt" ? [`${factId.split(":").pop()} ${lines[0]?.quantity?.value}`] : [],
    );

  test("two outputs of one transaction are two receipts, in whatever order they are listed", () => {
    expect(keysOf([output("0.002"), output("0.001")])).toEqual(["aa#1 0.001", "aa#2 0.002"]);
    expect(keysOf([output("0.001"), output("0.002")])).toEqual(["aa#1 0.001", "aa#2 0.002"]);
  });

  test.each([
    ["ids that a key cannot tell apart", [receipt("t\ud800", "0.001"), receipt("t\udfff", "0.002")]],
    [
      "transactions that a key cannot tell apart",
      ["a\ud800", "a\udfff"].map((txHash) => funds({ txHash, amount: btc("0.001"), rate: market })),
    ],
  ])("%s are held, never dropped and never booked twice", (_what, receivedFunds) => {
    const { entries, held } = bookOne({ receivedFunds });
    expect(entries).toEqual([]);
    expect(codesOf(held)).toEqual(["LEDGER_FACT_UNCLEAR", "LEDGER_FACT_UNCLEAR"]);
  });

  test("equal outputs of one transaction, and several with one transactionId, are as many receipts", () => {
    expect(keysOf([output("0.001"), output("0.001")])).toEqual(["aa#1 0.001", "aa#2 0.001"]);
    const named = [receipt("t1", "0.002"), receipt("t1", "0.001"), receipt("t1", "0.001")];
    const keys = ["t1#1 0.001", "t1#2 0.001", "t1#3 0.002"];
    expect(keysOf(named)).toEqual(keys);
    expect(keysOf(named.toReversed())).toEqual(keys);
  });

  test("an id of any length makes a key that an index can hold, and its own", () => {
    const [long, longer] = ["東".repeat(900), "東".repeat(901)];
    const keys = keysOf([receipt(long, "0.001"), receipt(longer, "0.002")]);
    expect(new Set(keys).size).toBe(2);
    for (const key of keys) expect(key.length).toBeLessThan(600);
  });

  test("a row without any identity is held", () => {
    expect(codesOf(bookOne({ receivedFunds: [funds({ amount: btc("1"), rate: market })] }).held)).toEqual([
      "LEDGER_FACT_UNCLEAR",
    ]);
  });

  test("a duplicated deposit books only what its original does not list", () => {
    const original = deposit("1001", { receivedFunds: [receipt("t0", "0.03"), receipt("t1", "0.01")] });
    const copy = deposit("1002", {
      duplicatedFromDepositId: depositId("1001"),
      receivedFunds: [receipt("t1", "0.01"), receipt("t2", "0.02")],
    });
    const { entries, notBooked } = book({ deposits: [original, copy] });
    expect(entries.map(({ factId }) => factId)).toEqual([
      "deposit:1001:receipt:t0",
      "deposit:1001:receipt:t1",
      "deposit:1002:receipt:t2",
      "deposit:1001:apply",
      "deposit:1002:apply",
    ]);
    expect(notBooked).toMatchObject([
      { sourceId: "1002", reason: "deposit 1001 lists this receipt already" },
    ]);
    expect(codesOf(book({ deposits: [copy] }).held)).toEqual(["LEDGER_FACT_UNCLEAR", "LEDGER_FACT_UNCLEAR"]);
  });

  test("a duplicated deposit books another amount of a transaction that its original lists too", () => {
    const inOne = (amount: string) => funds({ txHash: "aa", amount: btc(amount), rate: market });
    const original = deposit("1001", { receivedFunds: [inOne("0.01")] });
    const copy = deposit("1002", {
      duplicatedFromDepositId: depositId("1001"),
      receivedFunds: [inOne("0.01"), inOne("0.02")],
    });
    const { entries, notBooked } = book({ deposits: [original, copy] });
    const receipts = entries.filter(({ kind }) => kind === "deposit-receipt");
    expect(receipts.map(({ sourceId, lines }) => [sourceId, lines[0]?.quantity?.value.toString()])).toEqual([
      ["1001", "0.01"],
      ["1002", "0.02"],
    ]);
    expect(notBooked).toHaveLength(1);
  });
});

test("a receipt that two deposits list is held in both, not booked twice", () => {
  const receivedFunds = [receipt("t1", "0.01")];
  const [one, two] = [deposit("1001", { receivedFunds }), deposit("1002", { receivedFunds })];
  const { entries, held } = book({ deposits: [one, two] });
  expect(entries).toEqual([]);
  expect(held).toMatchObject([
    { code: "LEDGER_FACT_UNCLEAR", depositId: "1001", message: expect.stringContaining("1002") },
    { code: "LEDGER_FACT_UNCLEAR", depositId: "1002", message: expect.stringContaining("1001") },
  ]);
  const more = { ...two, receivedFunds: [receipt("t2", "0.02"), ...receivedFunds] };
  expect(book({ deposits: [one, more] }).held.map(({ depositId }) => depositId)).toEqual(["1001", "1002"]);
  const elsewhere = { ...two, custodyAccountId: COLD };
  expect(book({ deposits: [one, elsewhere] }).entries).toHaveLength(4);
  const shown = (txHash: string, amount = "0.01") => [{ ...receipt("t1", amount), txHash }];
  const hashed = { ...one, receivedFunds: shown("aa") };
  for (const unlike of [shown("aa", "0.02"), shown("bb")])
    expect(book({ deposits: [hashed, { ...two, receivedFunds: unlike }] }).entries).toHaveLength(4);
  // An id that only one of them shows does not make it a second movement.
  expect(book({ deposits: [one, { ...two, receivedFunds: shown("aa") }] }).entries).toEqual([]);
  const [here, there] = ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "1BoatSLRHtKNngkdXEeobR76b53LETtpyT"];
  const twoOutputs = [
    { ...one, receiverAddress: here },
    { ...two, receiverAddress: there },
  ];
  expect(book({ deposits: twoOutputs }).entries).toHaveLength(4);
});

test("deposits that each duplicate the other are held, not booked twice", () => {
  const receivedFunds = [receipt("t1", "0.01")];
  const one = deposit("1001", { duplicatedFromDepositId: depositId("1002"), receivedFunds });
  const two = deposit("1002", { duplicatedFromDepositId: depositId("1001"), receivedFunds });
  const { entries, held } = book({ deposits: [one, two] });
  expect(entries).toEqual([]);
  expect(codesOf(held)).toEqual(["LEDGER_FACT_UNCLEAR", "LEDGER_FACT_UNCLEAR"]);
});

describe("what cannot be valued is held", () => {
  test.each<[string, Partial<ObservedDeposit>, string]>([
    [
      "a request in a foreign currency",
      { ...fixed, requestedInFiat: amountOf("1000", "USD") },
      "LEDGER_RATE_MISSING: .* from USD into EUR",
    ],
    [
      "a fixed rate into a foreign currency",
      { ...fixed, fixedRate: { ...fixed.fixedRate, to: "USD" } },
      "LEDGER_RATE_MISSING: .* from BTC into EUR",
    ],
    ["a request below zero", { requestedInCrypto: btc("-0.0125") }, "LEDGER_FACT_UNCLEAR"],
    ["a fiat request below zero", { requestedInFiat: eur("-1000") }, "LEDGER_FACT_UNCLEAR"],
    ["a request in another crypto", { requestedInCrypto: amountOf("1", "LTC") }, "LEDGER_FACT_UNCLEAR"],
    [
      "a fixed amount without its rate",
      { requestedInFiat: eur("1"), requestedInCrypto: btc("0.0000125") },
      "LEDGER_FACT_UNCLEAR",
    ],
  ])("%s", (_what, terms, said) => {
    const { entries, problems } = bookOne({ ...terms, receivedFunds: [receipt("t1", "0.0125")] });
    expect(entries).toEqual([]);
    expect(problems).toHaveLength(2);
    for (const { code, message } of problems) expect(`${code}: ${message}`).toMatch(new RegExp(said));
  });

  test("a receipt of which nobody can say whether it came in time", () => {
    const { createdAt: _, ...undated } = receipt("t1", "0.0125", { confirmedAt: "2026-11-20T14:00:00.000Z" });
    const { entries, problems } = bookOne({ ...fixed, receivedFunds: [undated] });
    expect(entries).toEqual([]);
    expect(codesOf(problems)).toEqual(["LEDGER_FACT_UNCLEAR", "LEDGER_FACT_UNCLEAR"]);
  });

  test("receipts in several currencies, of which only that of the custody account is booked", () => {
    const rate = { ...rateIntoEur("2000"), from: "LTC" };
    const other = { ...receipt("t2", "1"), amount: amountOf("1", "LTC"), rate };
    const receivedFunds = [receipt("t1", "0.01"), other];
    const { entries, held } = bookOne({ receivedFunds });
    expect(entries.map(({ kind }) => kind)).toEqual(["deposit-receipt"]);
    expect(held).toMatchObject([
      { message: expect.stringContaining("1 LTC moved on custody account treasury-btc, which is in BTC") },
    ]);
    const elsewhere = custodyAccountId("elsewhere");
    const original = deposit("1000", { custodyAccountId: elsewhere, receivedFunds: [receipt("t0", "0.02")] });
    const copy = deposit("1001", {
      custodyAccountId: elsewhere,
      duplicatedFromDepositId: original.depositId,
      receivedFunds: [receipt("t0", "0.02"), ...receivedFunds],
    });
    const both = book({ deposits: [original, copy] });
    expect(both.entries.filter(({ sourceId }) => sourceId === "1001")).toEqual([]);
    expect(both.held).toMatchObject([{ code: "LEDGER_FACT_UNCLEAR", depositId: "1001" }]);
    expect(both.notBooked).toMatchObject([{ sourceId: "1001" }]);
  });
});

describe("a fee shown on a receipt", () => {
  const receivedFunds = [receipt("t1", "0.01", { fee: btc("0.0001") })];

  test("is a memo", () => {
    const [entry] = bookOne({ receivedFunds }).entries;
    expect(entry?.narration).toContain("fee shown 0.0001 BTC");
    expect(linesOf(entry)).toHaveLength(2);
  });

  test("is deducted from what the treasury received if the company says so", () => {
    const [entry] = bookOne({ receivedFunds }, policyWith({ depositFee: "deducted" })).entries;
    expect(linesOf(entry)).toEqual([
      "assets:crypto:btc 0.0099 BTC 801.90",
      "expenses:networkfees 0.0001 BTC 8.10",
      "liabilities:depositclearing -0.01 BTC -810.00",
    ]);
  });

  test.each([
    ["beyond what came", { fee: btc("0.0125") }, "LEDGER_FACT_UNCLEAR"],
    ["beyond what the receipt is worth at the fixed rate", { fee: btc("0.0124") }, "LEDGER_FACT_UNCLEAR"],
    ["without a rate", { fee: btc("0.0001"), rate: undefined }, "LEDGER_RATE_MISSING"],
  ])(
    "is not deducted %s, and a deposit is not applied before its receipt is booked",
    (_what, shown, code) => {
      const { entries, problems } = bookOne(
        { ...fixed, receivedFunds: [receipt("t1", "0.0125", shown)] },
        policyWith({ depositFee: "deducted" }),
      );
      expect(entries).toEqual([]);
      expect(codesOf(problems)).toEqual([code]);
    },
  );
});
