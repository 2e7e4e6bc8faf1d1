import { describe, expect, test } from "vitest";
import { amountOf, currencyScales } from "../../src/money/index.ts";
import { deposits, payouts } from "./golden-books.ts";
import { hledger, judgeRuns, judges, verdict } from "./judges.ts";
import { book, btc, COLD, deposit, eur, funds, payout, policyWith, rateIntoEur } from "./movements.ts";
import { hledgerJournal } from "./whole-files.ts";

const format = { functionalCurrency: "EUR", scales: currencyScales() };
const rate = rateIntoEur("81234.56");
const hostile = [
  "INV-1\n2020-01-01 forged\n    assets:ar  1.00 EUR\n    expenses:x",
  "x  ; date:2020-01-01, entryId:forged",
  "[2020/01/01] [=2020-02-30] | :tag: key: value, key:: 1/0",
  "* ! (code) = @ @@ {1 EUR}\t;\u2028\u0085\u202e\u0000",
  "ü % ' \" \\ 你好 ; ; ;",
];

const example = () => hledgerJournal(book({ payouts, deposits }).entries, format);

function withHostileTexts(): string {
  const hostilePayouts = hostile.map((text, index) =>
    payout(`e${index}`, {
      reference: text,
      generalLedgerProject: text,
      generalLedgerDistribution: text,
      debitOrderId: text,
      destinationAddress: text,
      requestedAmount: btc("0.01"),
      sentFunds: [funds({ txHash: text, amount: btc("0.01"), fee: btc("0.00001"), rate })],
    }),
  );
  const hostileDeposits = hostile.map((text, index) =>
    deposit(`f${index}`, {
      reference: text,
      customerId: text,
      receivedFunds: [funds({ transactionId: text, amount: btc("0.01"), rate })],
    }),
  );
  return hledgerJournal(book({ payouts: hostilePayouts, deposits: hostileDeposits }).entries, format);
}

function inSeveralCurrencies(): string {
  const dust = { amount: btc("0.00000001"), rate };
  return hledgerJournal(
    book({
      payouts: [
        payout("d1", { requestedAmount: dust.amount, sentFunds: [funds(dust)] }),
        payout("d2", {
          requestedAmount: eur("12.30"),
          sentFunds: [
            funds({
              amount: eur("12.30"),
              fee: amountOf("0.000000000000000001", "ETH"),
              rate: { ...rate, from: "ETH" },
            }),
          ],
        }),
        payout("d3", {
          requestedAmount: amountOf("5", "USDT.e"),
          sentFunds: [funds({ amount: amountOf("5", "USDT.e"), rate: { ...rate, from: "USDT.e" } })],
        }),
        payout("d4", { destinationAccountId: COLD, sentFunds: [funds({ amount: btc("0.05"), rate })] }),
      ],
    }).entries,
    format,
  );
}

function inYen(): string {
  const policy = policyWith({ functionalCurrency: "JPY" });
  const sentFunds = [funds({ amount: btc("0.05"), fee: btc("0.00001"), rate: { ...rate, to: "JPY" } })];
  const { entries } = book({ payouts: [payout("a1", { sentFunds })], policy });
  return hledgerJournal(entries, { ...format, functionalCurrency: "JPY" });
}

describe.each(judges)("$name as the judge", (judge) => {
  const runs = judgeRuns(judge.name);
  const title = (promise: string) =>
    runs ? promise : `${promise} (skipped: ${judge.name} is not installed)`;

  test.runIf(runs)(title("accepts the worked example"), () => {
    expect(verdict(judge, example())).toBeUndefined();
  });

  test.runIf(runs)(title("accepts dust, other currencies and fiat-only lines"), () => {
    expect(verdict(judge, inSeveralCurrencies())).toBeUndefined();
  });

  test.runIf(runs)(title("accepts a functional currency without decimals"), () => {
    expect(verdict(judge, inYen())).toBeUndefined();
  });

  test.runIf(runs)(title("accepts hostile texts"), () => {
    expect(verdict(judge, withHostileTexts())).toBeUndefined();
  });

  test.runIf(runs)(title("accepts an empty journal"), () => {
    expect(verdict(judge, hledgerJournal([], format))).toBeUndefined();
  });

  test.runIf(runs).each([
    ["a cost", "@@ 4061.73 EUR", "@@ 4061.74 EUR"],
    ["a fiat-only line", "assets:ar  -500.00 EUR", "assets:ar  -500.01 EUR"],
  ])(title("refuses a copy one cent out in %s"), (_where, right, wrong) => {
    const journal = example();
    expect(journal).toContain(right);
    expect(verdict(judge, journal.replace(right, wrong))).toMatch(/balance/i);
  });

  test.runIf(runs)(title("refuses an account that is not declared"), () => {
    expect(verdict(judge, example().replace("account assets:ar\n", ""))).toMatch(/assets:ar/);
  });
});

describe("what hledger reads out of the journal", () => {
  const runs = judgeRuns("hledger");
  const title = (promise: string) => (runs ? promise : `${promise} (skipped: hledger is not installed)`);

  test.runIf(runs)(title("the balances of the worked example"), () => {
    const balances = hledger(example(), "bal", "--cost", "--flat", "-O", "csv");
    expect(balances.trim().split("\n").slice(1)).toEqual([
      '"assets:ar","-1797.00 EUR"',
      '"assets:crypto:btc","-3870.92 EUR"',
      '"expenses:contractors","5686.42 EUR"',
      '"expenses:networkfees","1.75 EUR"',
      '"liabilities:overpayments","-20.25 EUR"',
      '"total","0"',
    ]);
    expect(hledger(example(), "bal", "assets:crypto", "--flat", "-O", "csv")).toContain("-0.04727150 BTC");
  });

  test.runIf(runs)(title("hostile texts forge no entry, no date and no tag"), () => {
    const journal = withHostileTexts();
    const entries: PrintedEntry[] = JSON.parse(hledger(journal, "print", "-O", "json"));
    expect(entries).toHaveLength(hostile.length * 3);
    for (const entry of entries) {
      expect(entry.tdate).toBe("2026-11-20");
      expect(entry.tpostings.map((posting) => posting.pdate)).toEqual(entry.tpostings.map(() => null));
      const names = [entry, ...entry.tpostings].flatMap((one) =>
        (one.ttags ?? one.ptags ?? []).map(([name]) => name),
      );
      expect(names.filter((name) => !OUR_TAGS.includes(name))).toEqual([]);
    }
    expect(new Set(hledger(journal, "tags", "entryId", "--values").trim().split("\n")).size).toBe(
      entries.length,
    );
  });
});

interface PrintedEntry {
  readonly tdate: string;
  readonly ttags?: readonly [string, string][];
  readonly ptags?: readonly [string, string][];
  readonly tpostings: readonly {
    readonly pdate: string | null;
    readonly ttags?: readonly [string, string][];
    readonly ptags?: readonly [string, string][];
  }[];
}

const OUR_TAGS = ["entryId", "sourceState", "orderId", "txHash", "rate", "memo", "project", "distribution"];
