/** An own transfer is booked once, for any order in which its two sides are seen and any ids that they show. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { liveEntries } from "../../src/books/rules/journal-entries.ts";
import type { JournalEntry, ObservedDeposit, ObservedFunds, ObservedPayout } from "../../src/model/index.ts";
import { currencyScales, Decimal } from "../../src/money/index.ts";
import { runsOf } from "../slice.ts";
import { judgeRuns, judges, verdict } from "./judges.ts";
import { book, btc, COLD, codesOf, deposit, eur, funds, payout, rateIntoEur } from "./movements.ts";
import { hledgerJournal } from "./whole-files.ts";

const rate = rateIntoEur("80000");
const ids = fc.record({ txHash: fc.boolean(), transactionId: fc.boolean() });
type Ids = Readonly<Record<"txHash" | "transactionId", boolean>>;

const transfers = fc.record({
  subtractFee: fc.boolean(),
  byAddress: fc.boolean(),
  /** In two transactions. */
  inParts: fc.boolean(),
  fails: fc.boolean(),
  sentIds: ids,
  receivedIds: ids.filter(({ txHash, transactionId }) => txHash || transactionId),
  /** The order in which the two sides move on, a step a night: true for the payout. */
  order: fc.array(fc.boolean(), { maxLength: 8 }),
});

const named = (shown: Ids, transaction: string) => ({
  ...(shown.txHash && { txHash: `a${transaction}` }),
  ...(shown.transactionId && { transactionId: `t${transaction}` }),
});

/** What arrives by each transaction. */
const amountsOf = ({ subtractFee, inParts }: Story) =>
  inParts ? ["0.02", subtractFee ? "0.0299" : "0.03"] : [subtractFee ? "0.0499" : "0.05"];

/** A payout as the service shows it from night to night; undefined while it is not shown. */
function sendingSide(story: Story): (ObservedPayout | undefined)[] {
  const { subtractFee, byAddress, fails, sentIds } = story;
  const sent = amountsOf(story).map((amount, index) =>
    funds({
      ...named(sentIds, `${index}`),
      amount: btc(amount),
      fee: btc(index === 0 ? "0.0001" : "0"),
      rate,
    }),
  );
  const unconfirmed = sent.map(({ confirmedAt: _, ...part }) => ({ ...part, state: "UNCONFIRMED" }));
  const shown = (state: string, sentFunds: ObservedFunds[] = []) =>
    payout("0001", {
      state,
      sentFunds,
      subtractFee,
      ...(byAddress ? { destinationAddress: "bc1qcold" } : { destinationAccountId: COLD }),
    });
  return fails
    ? [undefined, shown("CREATED"), shown("SENDING"), shown("SEND_FAILED")]
    : [undefined, shown("SENDING"), shown("SENT", unconfirmed), shown("COMPLETED", sent)];
}

function receivingSide(story: Story): ObservedDeposit[] {
  const parts = amountsOf(story).map((amount, index) =>
    funds({ ...named(story.receivedIds, `${index}`), amount: btc(amount), rate }),
  );
  const unconfirmed = parts.map(({ confirmedAt: _, ...part }) => ({ ...part, state: "UNCONFIRMED" }));
  const shown = (state: string, receivedFunds: ObservedFunds[]) =>
    deposit("2001", {
      custodyAccountId: COLD,
      receiverAddress: "bc1qcold",
      requestedInFiat: eur("4000"),
      state,
      receivedFunds,
    });
  return [
    shown("CREATED", []),
    shown("RECEIVING_FUNDS", unconfirmed),
    shown("RECEIVING_FUNDS", parts),
    shown("COMPLETED", parts),
  ];
}

type Story = typeof transfers extends fc.Arbitrary<infer Value> ? Value : never;

/** A customer's payment into the same custody account; it is never held up. */
const customers = deposit("2002", {
  custodyAccountId: COLD,
  receiverAddress: "bc1qcustomer",
  receivedFunds: [funds({ txHash: "cc", amount: btc("0.07"), rate })],
});

/** Posts each night; returns the books and the problems of every night. */
function nightsOf(story: Story) {
  const [paying, receiving] = [sendingSide(story), receivingSide(story)];
  const steps = [...story.order, ...Array<boolean>(4).fill(true), ...Array<boolean>(4).fill(false)];
  let [sent, received] = [0, 0];
  let posted: JournalEntry[] = [];
  const nights = [];
  for (const isPayout of steps) {
    if (isPayout) sent = Math.min(sent + 1, paying.length - 1);
    else received = Math.min(received + 1, receiving.length - 1);
    const payouts = [paying[sent]].flatMap((one) => one ?? []);
    const deposits = [receiving[received]].flatMap((one) => one ?? []);
    const { entries, problems, held } = book({ payouts, deposits: [...deposits, customers], posted });
    posted = [...posted, ...entries];
    nights.push({ posted, told: codesOf([...problems, ...held]) });
  }
  return nights;
}

const cold = (posted: readonly JournalEntry[]) =>
  Decimal.sum(
    posted
      .filter(({ sourceId }) => sourceId !== "2002")
      .flatMap(({ lines }) => lines)
      .flatMap(({ account, quantity }) =>
        account.name === "assets:crypto:cold" ? (quantity?.value ?? []) : [],
      ),
  );

const areComparable = ({ sentIds, receivedIds }: Story) =>
  (sentIds.txHash && receivedIds.txHash) || (sentIds.transactionId && receivedIds.transactionId);

test("never stands in the books twice on any night, unless nothing connects its sides, and then that is told", () => {
  fc.assert(
    fc.property(transfers, (story) => {
      const arrived = Decimal.of(story.subtractFee ? "0.0499" : "0.05");
      for (const { posted, told } of nightsOf(story)) {
        const booked = cold(posted);
        // Of a transfer in parts one part may come before it is known as a part.
        const isOnce =
          booked.isZero() || booked.equals(arrived) || (story.inParts && booked.compare(arrived) < 0);
        expect(isOnce || (!areComparable(story) && told.includes("LEDGER_POSTED_FACT_GONE"))).toBe(true);
      }
    }),
    runsOf(166, 500),
  );
});

test("ends as a transfer if it was sent and as the customer's payment if it was not", () => {
  fc.assert(
    fc.property(transfers, (story) => {
      const last = nightsOf(story).at(-1);
      const kinds = [...liveEntries(last?.posted ?? []).values()]
        .filter(({ sourceId }) => sourceId !== "2002")
        .map(({ kind }) => kind)
        .sort();
      if (story.fails) expect([...new Set(kinds)]).toEqual(["deposit-apply", "deposit-receipt"]);
      else if (areComparable(story)) expect(kinds).toEqual(["transfer"]);
      else {
        expect(kinds).toContain("transfer");
        expect([...new Set(last?.told)].join()).toMatch(/^(LEDGER_FACT_UNCLEAR|LEDGER_POSTED_FACT_GONE)$/);
      }
    }),
    runsOf(166, 500),
  );
});

test("holds up no other payment into the account", () => {
  fc.assert(
    fc.property(transfers, (story) => {
      const [first] = nightsOf(story);
      const kinds = first?.posted.filter(({ sourceId }) => sourceId === "2002").map(({ kind }) => kind);
      expect(kinds).toEqual(["deposit-receipt", "deposit-apply"]);
    }),
  );
});

test.each(judges.filter(({ name }) => judgeRuns(name)))(
  "$name accepts the books in which a customer's payment turned out to be our own transfer",
  (judge) => {
    const story = {
      subtractFee: false,
      byAddress: true,
      inParts: false,
      fails: false,
      order: [false, false, false],
    };
    const ids = {
      sentIds: { txHash: true, transactionId: false },
      receivedIds: { txHash: true, transactionId: true },
    };
    const { posted = [] } = nightsOf({ ...story, ...ids }).at(-1) ?? {};
    expect(posted.map(({ kind }) => kind)).toContain("deposit-reverse");
    const journal = hledgerJournal(posted, { functionalCurrency: "EUR", scales: currencyScales() });
    expect(verdict(judge, journal)).toBeUndefined();
  },
);
