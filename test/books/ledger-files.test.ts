import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { exceptionsCsv } from "../../src/books/formats/exceptions-csv.ts";
import { hledgerJournal as hledgerRendering } from "../../src/books/formats/hledger-journal.ts";
import { trialBalanceCsv } from "../../src/books/formats/ledger-csv.ts";
import type { JournalEntry } from "../../src/model/index.ts";
import { currencyScales, Decimal } from "../../src/money/index.ts";
import { configured } from "../config/ledger-exports.ts";
import { deposits, payouts } from "./golden-books.ts";
import { book, btc, funds, payout, policyWith, rateIntoEur } from "./movements.ts";
import { hledgerJournal, ledgerCsv, ledgerTables, trialBalance } from "./whole-files.ts";

const format = { functionalCurrency: "EUR", scales: currencyScales() };
const { entries } = book({ payouts, deposits });

/** The first entry, altered. */
function spoiled(change: (lines: JournalEntry["lines"]) => JournalEntry["lines"]): JournalEntry[] {
  return entries.map((entry, index) => (index === 0 ? { ...entry, lines: change(entry.lines) } : entry));
}

test("what only waits is separate from what needs somebody", () => {
  const unconfirmed = payout("0001", { sentFunds: [funds({ state: "UNCONFIRMED" })] });
  const without = payout("0002", { sentFunds: [funds({ amount: btc("0.05") })] });
  const { held, problems } = book({ payouts: [unconfirmed, without] });
  const rows: unknown[] = parse([...exceptionsCsv([...held, ...problems], [])].join(""), {
    columns: true,
    bom: true,
  });
  expect(rows).toMatchObject([
    { kind: "waits", sourceId: "0001", code: "LEDGER_NOT_SETTLED" },
    { kind: "needs attention", sourceId: "0002", code: "LEDGER_RATE_MISSING" },
  ]);
});

describe("no file holds an entry that does not balance", () => {
  const cent = Decimal.of("0.01");
  test.each<[string, JournalEntry[]]>([
    [
      "a cent out",
      spoiled(([first, ...rest]) => [{ ...first, debit: first?.debit?.plus(cent) } as never, ...rest]),
    ],
    [
      "a line with both sides",
      spoiled((lines) => [...lines, { ...lines[0], debit: cent, credit: cent } as never]),
    ],
    ["a line with neither side", spoiled((lines) => [...lines, { ...lines[0], debit: undefined } as never])],
    [
      "a negative debit",
      spoiled(([first, ...rest]) => [
        { ...first, debit: first?.debit?.plus(cent) } as never,
        { ...first, debit: cent.negated() } as never,
        ...rest,
      ]),
    ],
    [
      "a negative credit",
      spoiled(([first, ...rest]) => [
        { ...first, debit: first?.debit?.minus(cent) } as never,
        { ...first, debit: undefined, credit: cent.negated() } as never,
        ...rest,
      ]),
    ],
    ["no lines", spoiled(() => [])],
  ])("%s", (_what, wrong) => {
    for (const render of [
      () => hledgerRendering(trialBalance(entries), format).add(wrong),
      () => ledgerCsv(wrong, format),
      () => ledgerTables(wrong, configured("preset: odoo, settings: { journal: Bitcoin }"), "000001", format),
      () => trialBalance(wrong),
    ]) {
      expect(render).toThrow(/INVARIANT_BROKEN: .* entry payout:0001:settle:1 does not balance/);
    }
  });
});

describe("the hledger journal", () => {
  const journal = hledgerJournal(entries, format);

  test("says that gain and loss is not booked", () => {
    expect(journal.split("\n")[0]).toMatch(/^; .*gain and loss on holdings is not booked here/);
  });

  test("shows an entry as an accountant reads it", () => {
    expect(journal).toContain(`2026-11-20 Payout INV-77  ; entryId:payout:0001:settle:1
    ; sourceState:COMPLETED, txHash:aa11, rate:81234.56 BTC/EUR funds
    expenses:contractors  0.05000000 BTC @@ 4061.73 EUR  ; memo:INV-77, project:PRJ-ALPHA, distribution:DIST-OPS
    expenses:networkfees  0.00002150 BTC @@ 1.75 EUR  ; memo:network fee of INV-77
    assets:crypto:btc  -0.05002150 BTC @@ 4063.48 EUR
`);
  });

  test("has no line that is too long for ledger, whatever the service calls a payout", () => {
    const long = "東;".repeat(5000);
    const { entries: odd } = book({
      payouts: [
        payout("0001", {
          reference: long,
          debitOrderId: long,
          generalLedgerProject: long,
          generalLedgerDistribution: long,
          sentFunds: [
            funds({ txHash: long, amount: btc("0.05"), rate: rateIntoEur(`80000.${"1".repeat(900)}`) }),
          ],
        }),
      ],
    });
    const lengths = hledgerJournal(odd, format)
      .split("\n")
      .map((line) => Buffer.byteLength(line));
    expect(Math.max(...lengths)).toBeLessThan(4096);
    expect(Math.max(...lengths)).toBeGreaterThan(1000);
  });

  test("names the true day where a closed period moved the entry", () => {
    const moved = book({ payouts, policy: policyWith({ closedThrough: "2026-11-30" }) }).entries;
    expect(hledgerJournal(moved, format)).toMatch(
      /^2026-12-01 Payout INV-77 .*\n {4}; .*documentDay:2026-11-20/m,
    );
  });
});

describe("the ledger CSV", () => {
  test("has one row per posting", () => {
    const rows = parse(ledgerCsv(entries, format));
    expect(rows[0]?.join()).toBe(
      "entryId,bookDate,documentDate,accountCode,accountName,debit,credit,currency,quantity,quantityCurrency,reference,project,distribution,memo,txHash,sourceId,dimensions,party",
    );
    expect(rows[1]?.join("|")).toBe(
      "payout:0001:settle:1|2026-11-20|2026-11-20|6200|expenses:contractors|4061.73||EUR|0.05000000|BTC|INV-77|PRJ-ALPHA|DIST-OPS|INV-77|aa11|0001||",
    );
    expect(rows[3]?.slice(5, 9)).toEqual(["", "4063.48", "EUR", "-0.05002150"]);
  });

  test.each(["=1+1", "+1", "-1+1", "@SUM(A1)", "\t=1", "\r\n=1", "\u200b=1", " =1", "'=1"])(
    "does not start a formula with the reference %j, and leaves negative numbers numbers",
    (reference) => {
      const sentFunds = [funds({ amount: btc("0.05"), rate: rateIntoEur("80000") })];
      const booked = book({ payouts: [payout("0001", { reference, sentFunds })] }).entries;
      const rows: Record<string, string>[] = parse(ledgerCsv(booked, format), { columns: true });
      const visible = reference.replace(/[\s\u200b]/g, "");
      expect(rows[0]?.["reference"]).toBe(`'${visible}`);
      expect(rows[1]?.["quantity"]).toBe("-0.05000000");
    },
  );
});

describe("the trial balance CSV", () => {
  test("adds up to zero and shows quantities per cryptocurrency", () => {
    expect(trialBalanceCsv(trialBalance(entries), format).split("\r\n")).toEqual([
      "accountCode,accountName,debit,credit,balance,currency,quantity BTC",
      "1200,assets:ar,0.00,1797.00,-1797.00,EUR,",
      "1510,assets:crypto:btc,1817.25,5688.17,-3870.92,EUR,-0.04727150",
      "2210,liabilities:depositclearing,1817.25,1817.25,0.00,EUR,0.00000000",
      "2290,liabilities:overpayments,0.00,20.25,-20.25,EUR,-0.00025000",
      "6200,expenses:contractors,5686.42,0.00,5686.42,EUR,0.07000000",
      "6810,expenses:networkfees,1.75,0.00,1.75,EUR,0.00002150",
      ",Total,9322.67,9322.67,0.00,EUR,",
      "",
    ]);
  });

  test("of no entries is a total of zero", () => {
    expect(trialBalanceCsv(trialBalance([]), format)).toContain(",Total,0.00,0.00,0.00,EUR");
  });
});
