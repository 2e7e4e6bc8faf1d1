/** Payments by payee, in books where an own transfer was corrected. */
import { expect, test } from "vitest";
import { booksReportStep } from "../../src/books/index.ts";
import { openPlace } from "../site/workplace.ts";
import { atNoon, post } from "./booked-month.ts";
import { book, btc, CHART_TEXT, COLD, funds, payout, rateIntoEur } from "./movements.ts";

test("an own transfer whose treasury the chart did not know is no payment, nor is its reversal", async () => {
  const transfer = (rate: string) =>
    payout("0001", {
      destinationAccountId: COLD,
      sentFunds: [funds({ txHash: "aa", amount: btc("0.05"), rate: rateIntoEur(rate) })],
    });
  const chartText = CHART_TEXT.replace(/^treasury,cold-btc.*\n/m, "");
  const before = book({ payouts: [transfer("80000")], chartText }).entries;
  const after = book({ payouts: [transfer("81000")], chartText, posted: before }).entries;
  expect(after.map(({ kind }) => kind)).toEqual(["payout-reverse", "transfer"]);
  const { workplace } = openPlace();
  await post(workplace, before, "2026-11-21T02:30:00.000Z");
  await post(workplace, after, "2026-11-22T02:30:00.000Z");
  const { tables } = await booksReportStep(atNoon(workplace), { name: "payees", from: "2026-11-20" });
  expect(tables.map(({ rows }) => rows)).toEqual([[], []]);
});
