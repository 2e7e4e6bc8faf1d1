/** Books of a month whose figures were worked out by hand, and a payout of the next one. */
import { LedgerSums } from "../../src/books/index.ts";
import type { Workplace } from "../../src/index.ts";
import type { JournalEntry } from "../../src/model/index.ts";
import { insertEntries } from "../../src/store/ledger-entries.ts";
import { addToLedgerSums } from "../../src/store/ledger-sums.ts";
import { openPlace } from "../site/workplace.ts";
import { deposits, payouts } from "./golden-books.ts";
import { book, btc, funds, payout, rateIntoEur } from "./movements.ts";

export const FORMULA = "=1+1";
const DECEMBER = payout("0005", {
  requestedAmount: btc("0.01"),
  reference: FORMULA,
  destinationAddress: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  sentFunds: [
    funds({
      amount: btc("0.01"),
      fee: btc("0.00001"),
      rate: rateIntoEur("80000"),
      confirmedAt: "2026-12-01T12:00:00.000Z",
    }),
  ],
});
const NOVEMBER = book({ payouts, deposits }).entries;
const ENTRIES = book({ payouts: [...payouts, DECEMBER], deposits }).entries;

export async function post(
  workplace: Workplace,
  entries: readonly JournalEntry[],
  at: string,
): Promise<void> {
  const sums = new LedgerSums("EUR");
  sums.add(entries);
  await workplace.store.write(function* () {
    yield* insertEntries(entries, at);
    yield* addToLedgerSums(sums.sums());
  });
}

/** November's payouts posted on 21 November, its deposits on the 25th, a payout of December on 2 December. */
export async function booked(): Promise<Workplace> {
  const { workplace } = openPlace();
  const isOf = (kind: string) => (entry: JournalEntry) => entry.kind.startsWith(kind);
  await post(workplace, NOVEMBER.filter(isOf("payout")), "2026-11-21T02:30:00.000Z");
  await post(workplace, NOVEMBER.filter(isOf("deposit")), "2026-11-25T02:30:00.000Z");
  const ids = new Set(NOVEMBER.map(({ entryId }) => entryId));
  await post(
    workplace,
    ENTRIES.filter(({ entryId }) => !ids.has(entryId)),
    "2026-12-02T02:30:00.000Z",
  );
  return atNoon(workplace);
}

export function atNoon(workplace: Workplace): Workplace {
  const clock = { ...workplace.context.clock, now: () => "2026-12-03T11:00:00.000Z" };
  return { ...workplace, context: { ...workplace.context, clock } };
}
