/** The journal for beancount, judged by bean-check. */
import { describe, expect, test } from "vitest";
import { beancountJournal } from "../../src/books/formats/beancount.ts";
import type { JournalEntry } from "../../src/model/index.ts";
import { amountOf, currencyScales } from "../../src/money/index.ts";
import { configured } from "../config/ledger-exports.ts";
import { deposits, payouts } from "./golden-books.ts";
import { beancountVerdict } from "./judges.ts";
import { book, btc, deposit, eur, funds, payout, policyWith, rateIntoEur } from "./movements.ts";
import { filesOf, trialBalance } from "./whole-files.ts";

const format = { functionalCurrency: "EUR", scales: currencyScales() };
const golden = book({ payouts, deposits }).entries;

function journalOf(entries: readonly JournalEntry[], more = "", functionalCurrency = "EUR"): string {
  const table = configured(`preset: beancount${more}`);
  const rendering = beancountJournal(table, "000042", trialBalance(entries), {
    ...format,
    functionalCurrency,
  });
  return filesOf(rendering, entries)[0] ?? "";
}

test("bean-check accepts the worked example, and refuses a copy one cent out in a cost or in a plain amount", () => {
  const journal = journalOf(golden);
  expect(beancountVerdict(journal)).toBeUndefined();
  for (const [right, wrong] of [
    ["@@ 4061.73 EUR", "@@ 4061.74 EUR"],
    ["Assets:Ar  -500.00 EUR", "Assets:Ar  -500.01 EUR"],
  ] as const) {
    expect(journal).toContain(right);
    expect(beancountVerdict(journal.replace(right, wrong))).toMatch(/does not balance/);
  }
});

test("it holds each line's account, side, value and quantity", () => {
  const journal = journalOf(golden);
  const postings = [...journal.matchAll(/^ {2}([A-Z]\S+) {2}(\S+) (\S+)(?: @@ (\S+) EUR)?$/gm)];
  const lines = golden.flatMap((entry) => entry.lines);
  const signedCost = (amount: string, cost: string | undefined) =>
    cost === undefined ? amount : `${amount.startsWith("-") ? "-" : ""}${cost}`;
  const read = postings.map(([, account, amount = "", currency, cost]) =>
    [
      account?.toLowerCase(),
      signedCost(amount, cost),
      cost === undefined ? "" : `${amount} ${currency}`,
    ].join(" "),
  );
  const booked = lines.map(({ account, debit, credit, quantity }) =>
    [
      account.name,
      (debit ?? credit?.negated())?.toString(),
      quantity === undefined ? "" : `${quantity.value.rounded(8)} ${quantity.currency}`,
    ].join(" "),
  );
  expect(read.toSorted()).toEqual(booked.toSorted());
  expect(journal).toContain('  entryid: "payout:0001:settle:1"');
  expect(journal).toContain('    project: "PRJ-ALPHA"');
});

test("odd quantities of three thousand entries stay within the stated tolerance, and a missing cent does not", () => {
  const quantity = (index: number) => btc(`0.0${(index * 7919 + 1) % 9_999_991}`);
  const many = Array.from({ length: 3_000 }, (_, index) =>
    payout(String(index).padStart(5, "0"), {
      requestedAmount: quantity(index),
      sentFunds: [
        funds({
          txHash: `t${index}`,
          amount: quantity(index),
          fee: btc("0.00000007"),
          rate: rateIntoEur(`${61_000 + (index % 977)}.${index % 100}`),
        }),
      ],
    }),
  );
  const journal = journalOf(book({ payouts: many }).entries);
  expect(journal.match(/^2026/gm)).toHaveLength(3_000);
  expect(beancountVerdict(journal)).toBeUndefined();
  const [line = "", cost = ""] = /@@ (\d+\.\d\d) EUR/.exec(journal) ?? [];
  const cent = cost.endsWith("1") ? `${cost.slice(0, -1)}2` : `${cost.slice(0, -1)}1`;
  expect(beancountVerdict(journal.replace(line, `@@ ${cent} EUR`))).toMatch(/does not balance/);
});

describe("it reads", () => {
  test("hostile texts, which forge nothing", () => {
    const hostile = ['"\n2026-01-01 open Assets:Evil', "a\\", '\\" #tag ^link', "*\t! ; comment", "東京 🙂"];
    const odd = hostile.map((text, index) =>
      payout(`e${index}`, {
        reference: text,
        requestedAmount: btc("0.01"),
        generalLedgerProject: text,
        sentFunds: [funds({ txHash: text, amount: btc("0.01"), rate: rateIntoEur("80000") })],
      }),
    );
    const journal = journalOf(book({ payouts: odd }).entries);
    expect(beancountVerdict(journal)).toBeUndefined();
    expect(journal.match(/^1970-01-01 open .*$/gm)?.join()).not.toContain("Evil");
    expect(journal.match(/^\d{4}-\d\d-\d\d \* /gm)).toHaveLength(hostile.length);
  });

  test("currencies of other names, dust, and a functional currency without decimals", () => {
    const rate = rateIntoEur("80000");
    const odd = [
      payout("d1", {
        requestedAmount: btc("0.00000001"),
        sentFunds: [funds({ amount: btc("0.00000001"), rate })],
      }),
      payout("d3", {
        requestedAmount: amountOf("5", "USDT.e"),
        sentFunds: [funds({ amount: amountOf("5", "USDT.e"), rate: { ...rate, from: "USDT.e" } })],
      }),
      payout("d4", { requestedAmount: eur("12.30"), sentFunds: [funds({ amount: eur("12.30") })] }),
    ];
    expect(beancountVerdict(journalOf(book({ payouts: odd }).entries))).toBeUndefined();
    const yen = policyWith({ functionalCurrency: "JPY" });
    const sentFunds = [funds({ amount: btc("0.05"), fee: btc("0.00001"), rate: { ...rate, to: "JPY" } })];
    const inYen = journalOf(book({ payouts: [payout("a1", { sentFunds })], policy: yen }).entries, "", "JPY");
    expect(inYen).toContain('"JPY:0.5"');
    expect(beancountVerdict(inYen)).toBeUndefined();
    const [cost = ""] = /@@ \d+ JPY/.exec(inYen) ?? [];
    expect(
      beancountVerdict(
        inYen.replace(
          cost,
          cost.replace(/\d JPY/, (last) => `${(Number.parseInt(last, 10) + 1) % 10} JPY`),
        ),
      ),
    ).toMatch(/does not balance/);
  });

  test("a reversal, which has the link of what it reverses", () => {
    const receipt = deposit("9", {
      receivedFunds: [funds({ transactionId: "r9", amount: btc("0.01"), rate: rateIntoEur("80000") })],
    });
    const [entry] = book({ deposits: [receipt] }).entries as [JournalEntry];
    const reversal = { ...entry, entryId: `${entry.entryId}:reverse`, reversalOf: entry.entryId };
    const journal = journalOf([entry, reversal]);
    expect(beancountVerdict(journal)).toBeUndefined();
    expect(new Set(journal.match(/\^\S+/g)).size).toBe(1);
  });

  test("accounts by the names that the target gives them", () => {
    const named = journalOf(golden, ', accounts: { "1200": "Assets:AccountsReceivable:Crypto" }');
    expect(named).toContain("1970-01-01 open Assets:AccountsReceivable:Crypto");
    expect(beancountVerdict(named)).toBeUndefined();
  });
});
