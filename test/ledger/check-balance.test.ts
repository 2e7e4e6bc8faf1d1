/** The last guard before an entry is written: what does not balance stops the run. */
import { expect, test } from "vitest";
import { checkBalance } from "../../src/ledger/index.ts";
import type { JournalEntry, JournalLine } from "../../src/model/index.ts";
import { Decimal } from "../../src/money/index.ts";
import { book, btc, funds, payout, rateIntoEur } from "./movements.ts";

const sentFunds = [funds({ txHash: "aa", amount: btc("0.05"), rate: rateIntoEur("80000") })];
const [entry] = book({ payouts: [payout("0001", { sentFunds })] }).entries as [JournalEntry];
const [first, ...others] = entry.lines as [JournalLine, ...JournalLine[]];
const value = Decimal.of("4000");

test("an entry that balances passes", () => {
  expect(() => checkBalance(entry)).not.toThrow();
});

test.each<[string, readonly JournalLine[]]>([
  ["a cent too much", [{ ...first, debit: Decimal.of("4000.01") }, ...others]],
  ["a line with both sides", [{ ...first, credit: value }, ...others]],
  ["a line with neither side", [{ ...first, debit: undefined }, ...others]],
  ["negative sides", entry.lines.map((line) => ({ ...line, ...negated(line) }))],
  [
    "a negative credit",
    [
      { ...first, debit: value },
      { ...first, debit: undefined, credit: value.negated() },
      ...others,
      ...others,
    ],
  ],
  ["nothing", []],
])("%s stops the run", (_what, lines) => {
  expect(() => checkBalance({ ...entry, lines })).toThrow(
    expect.objectContaining({ problem: expect.objectContaining({ code: "LEDGER_UNBALANCED" }) }),
  );
});

function negated({ debit, credit }: JournalLine) {
  return { debit: debit?.negated(), credit: credit?.negated() };
}
