/** The last guard before an entry is written: an entry that does not balance stops the run. */
import { expect, test } from "vitest";
import { checkBalance } from "../../src/books/index.ts";
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

const side = (debit: Decimal | undefined, credit: Decimal | undefined) => ({ ...first, debit, credit });

test.each<[string, readonly JournalLine[]]>([
  ["a cent too much", [side(Decimal.of("4000.01"), undefined), ...others]],
  ["a line with both sides", [...entry.lines, side(value, value)]],
  ["a line with neither side", [...entry.lines, side(undefined, undefined)]],
  ["a negative debit", [...entry.lines, side(value, undefined), side(value.negated(), undefined)]],
  ["a negative credit", [...entry.lines, side(undefined, value), side(undefined, value.negated())]],
  ["nothing", []],
])("%s stops the run", (_what, lines) => {
  expect(() => checkBalance({ ...entry, lines })).toThrow(
    expect.objectContaining({ problem: expect.objectContaining({ code: "INVARIANT_BROKEN" }) }),
  );
});
