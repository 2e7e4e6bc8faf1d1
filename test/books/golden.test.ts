import { describe, expect, test } from "vitest";
import { deposits, payouts } from "./golden-books.ts";
import {
  book,
  btc,
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

function golden(policy = policyWith()) {
  const booked = book({ payouts, deposits, policy });
  const entryOf = (id: string) => booked.entries.find((entry) => entry.entryId === id);
  return { ...booked, entryOf };
}

describe("the worked example on settlement basis", () => {
  const { entries, problems, held, notBooked, entryOf } = golden();

  test("a payout with the fee on us books payment and fee, and the treasury as their sum", () => {
    const entry = entryOf("payout:0001:settle:1");
    expect(linesOf(entry)).toEqual([
      "expenses:contractors 0.05 BTC 4061.73",
      "expenses:networkfees 0.0000215 BTC 1.75",
      "assets:crypto:btc -0.0500215 BTC -4063.48",
    ]);
    expect(entry).toMatchObject({
      kind: "payout-settle",
      bookDay: "2026-11-20",
      reference: "INV-77",
      txHash: "aa11",
    });
    expect(entry?.lines[0]).toMatchObject({ project: "PRJ-ALPHA", distribution: "DIST-OPS" });
  });

  test("a fee that the payee bore is a memo, not an expense", () => {
    const entry = entryOf("payout:0002:settle:1");
    expect(linesOf(entry)).toEqual([
      "expenses:contractors 0.02 BTC 1624.69",
      "assets:crypto:btc -0.02 BTC -1624.69",
    ]);
    expect(entry?.narration).toContain("payee got 0.019982 BTC and bore the fee of 0.000018 BTC");
  });

  test("a deposit in two parts settles the receivable at its fixed rate", () => {
    expect(linesOf(entryOf("deposit:1001:receipt:bb21:1"))).toEqual([
      "assets:crypto:btc 0.0075 BTC 600.00",
      "liabilities:depositclearing -0.0075 BTC -600.00",
    ]);
    expect(linesOf(entryOf("deposit:1001:receipt:bb22:1"))).toEqual([
      "assets:crypto:btc 0.005 BTC 400.00",
      "liabilities:depositclearing -0.005 BTC -400.00",
    ]);
    expect(linesOf(entryOf("deposit:1001:apply:1"))).toEqual([
      "liabilities:depositclearing 0.0125 BTC 1000.00",
      "assets:ar -1000.00",
    ]);
  });

  test("what is paid over counts at the rate of the receipt that brought it", () => {
    expect(linesOf(entryOf("deposit:1002:receipt:bb31:1"))).toEqual([
      "assets:crypto:btc 0.0065 BTC 520.25",
      "liabilities:depositclearing -0.0065 BTC -520.25",
    ]);
    expect(linesOf(entryOf("deposit:1002:apply:1"))).toEqual([
      "liabilities:depositclearing 0.0065 BTC 520.25",
      "assets:ar -500.00",
      "liabilities:overpayments -0.00025 BTC -20.25",
    ]);
  });

  test("money after the expiry of the rate counts at market, and what is short stays open", () => {
    expect(linesOf(entryOf("deposit:1003:receipt:bb41:1"))).toEqual([
      "assets:crypto:btc 0.00375 BTC 297.00",
      "liabilities:depositclearing -0.00375 BTC -297.00",
    ]);
    expect(linesOf(entryOf("deposit:1003:apply:1"))).toEqual([
      "liabilities:depositclearing 0.00375 BTC 297.00",
      "assets:ar -297.00",
    ]);
    expect(codesOf(problems)).toEqual(["LEDGER_SHORT"]);
    expect(problems[0]?.message).toContain("3.00 EUR of 0.00375 BTC = 300 EUR is missing");
  });

  test("failed and cancelled payouts are reported, not booked", () => {
    expect(notBooked.map(({ sourceId, sourceState }) => [sourceId, sourceState])).toEqual([
      ["0003", "SEND_FAILED"],
      ["0004", "CANCELLED"],
    ]);
    expect(held).toEqual([]);
  });

  test("the trial balance has the example's totals and is zero", () => {
    const balance = trialBalance(entries);
    expect(
      balance.rows.map(({ name, balance: value, quantities }) =>
        [name, value, ...quantities.map((one) => one.value.normalized())].join(" "),
      ),
    ).toEqual([
      "assets:ar -1797.00",
      "assets:crypto:btc -3870.92 -0.0472715",
      "liabilities:depositclearing 0.00 0",
      "liabilities:overpayments -20.25 -0.00025",
      "expenses:contractors 5686.42 0.07",
      "expenses:networkfees 1.75 0.0000215",
    ]);
    expect(balance.debit.equals(balance.credit)).toBe(true);
  });

  test("at market the receipts keep their own rates and the rest is a valuation difference", () => {
    const { entryOf: atMarket } = golden(policyWith({ depositValuation: "market" }));
    expect(linesOf(atMarket("deposit:1001:receipt:bb21:1"))[0]).toBe("assets:crypto:btc 0.0075 BTC 607.50");
    expect(linesOf(atMarket("deposit:1001:receipt:bb22:1"))[0]).toBe("assets:crypto:btc 0.005 BTC 405.50");
    expect(linesOf(atMarket("deposit:1001:apply:1"))).toEqual([
      "liabilities:depositclearing 0.0125 BTC 1013.00",
      "assets:ar -1000.00",
      "income:valuation -13.00",
    ]);
  });
});

/** Independent of the code under test: satoshi times milli-euro rates as integers, rounded half up to cents. */
function cents(satoshi: bigint, milliEuro: bigint): bigint {
  const denominator = 100_000_000n * 10n;
  return (2n * satoshi * milliEuro + denominator) / (2n * denominator);
}
const asEur = (value: bigint) => `${value / 100n}.${(value % 100n).toString().padStart(2, "0")}`;
const asBtc = (satoshi: bigint) =>
  `${satoshi / 100_000_000n}.${(satoshi % 100_000_000n).toString().padStart(8, "0")}`;
const asRate = (milliEuro: bigint) =>
  rateIntoEur(`${milliEuro / 1000n}.${(milliEuro % 1000n).toString().padStart(3, "0")}`);

describe("the same rules with other ids, amounts and rates", () => {
  test.each([
    [12_345_678n, 4_321n, 67_890_123n],
    [1n, 1n, 99_999_999n],
    [250_000_000n, 99_999n, 12_345_005n],
  ])("payout of %d satoshi with a fee of %d at %d", (sent, fee, rate) => {
    const amount = btc(asBtc(sent));
    const sentFunds = [funds({ amount, fee: btc(asBtc(fee)), rate: asRate(rate) })];
    const [entry] = book({ payouts: [payout("77aa", { requestedAmount: amount, sentFunds })] }).entries;
    const [main, extra] = [cents(sent, rate), cents(fee, rate)];
    expect(entry?.lines.map(({ debit, credit }) => (debit ?? credit)?.toString())).toEqual(
      [main, extra, main + extra].map(asEur),
    );
  });

  test.each([
    [[3_333_333n, 3_333_333n, 3_333_334n], 71_234_567n],
    [[1n, 2n, 9_999_997n], 70_000_005n],
    [[3_333_331n, 3_333_331n, 3_333_331n], 70_000_001n],
  ])("a fixed-rate deposit in three odd parts adds up to the request", (parts, rate) => {
    const total = parts.reduce((sum, part) => sum + part, 0n);
    const claimed = cents(total, rate);
    const { entries, problems } = book({
      deposits: [
        deposit("9009", {
          requestedInFiat: eur(asEur(claimed)),
          requestedInCrypto: btc(asBtc(total)),
          fixedRate: asRate(rate),
          receivedFunds: parts.map((part, index) =>
            funds({
              transactionId: `t${index}`,
              amount: btc(asBtc(part)),
              confirmedAt: `2026-11-2${index}T10:00:00.000Z`,
            }),
          ),
        }),
      ],
    });
    const [first = 0n, second = 0n] = parts.map((part) => cents(part, rate));
    expect(entries.map((entry) => entry.lines[0]?.debit?.toString())).toEqual(
      [first, second, claimed - first - second, claimed].map(asEur),
    );
    expect(problems).toEqual([]);
  });
});
