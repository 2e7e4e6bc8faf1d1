/**
 * A deposit that is applied leaves nothing on deposits clearing, and no more is taken from there than receipts put
 * there: after settings have changed, while a receipt cannot be booked, and after receipts have changed.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LedgerPolicy } from "../../src/books/index.ts";
import type { JournalEntry, ObservedDeposit, ObservedFunds } from "../../src/model/index.ts";
import { Decimal } from "../../src/money/index.ts";
import {
  type Books,
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
  payout,
  policyWith,
  rateIntoEur,
  receipt,
} from "./movements.ts";

const deducted = policyWith({ depositFee: "deducted" });
const NO_DEDUCTION = { fee: eur("1.50") };

/** Books each look on what was posted before it; returns what the last one has posted. */
function inLooks(looks: readonly Books[]) {
  const posted: JournalEntry[] = [];
  const nights = looks.map((look) => {
    const night = book({ ...look, posted });
    posted.push(...night.entries);
    return night;
  });
  return { ...nights.at(-1), posted, again: book({ ...looks.at(-1), posted }).entries };
}

const applied = (entries: readonly JournalEntry[] = []) =>
  linesOf(entries.findLast(({ kind }) => kind === "deposit-apply"));

/** What is left on deposits clearing. It is negative after an apply that took too much. */
function clearing(posted: readonly JournalEntry[]) {
  const lines = posted.flatMap((entry) => entry.lines).filter(({ account }) => account.code === "2210");
  return {
    value: Decimal.sum(lines.map(({ debit, credit }) => credit ?? debit?.negated() ?? Decimal.zero)),
    quantity: Decimal.sum(lines.flatMap(({ quantity }) => quantity?.value.negated() ?? [])),
  };
}

const leftOn = (posted: readonly JournalEntry[]) => {
  const { value, quantity } = clearing(posted);
  return `${quantity.normalized()} BTC ${value.normalized()}`;
};

const one = (changes: Partial<ObservedDeposit>) => [deposit("1001", { ...fixed, ...changes })];

describe("a deposit that is completed under another valuation than its receipt was booked under", () => {
  test.each<[LedgerPolicy["depositValuation"], LedgerPolicy["depositValuation"], string[]]>([
    ["fixed", "market", ["liabilities:depositclearing 0.0125 BTC 1000.00", "assets:ar -1000.00"]],
    [
      "market",
      "fixed",
      ["liabilities:depositclearing 0.0125 BTC 1012.50", "assets:ar -1000.00", "income:valuation -12.50"],
    ],
  ])("takes from clearing what was booked (%s, then %s)", (before, now, lines) => {
    const receivedFunds = [receipt("t1", "0.0125")];
    const { entries, posted, again } = inLooks([
      {
        deposits: one({ state: "RECEIVING_FUNDS", receivedFunds }),
        policy: policyWith({ depositValuation: before }),
      },
      { deposits: one({ receivedFunds }), policy: policyWith({ depositValuation: now }) },
    ]);
    expect(applied(entries)).toEqual(lines);
    expect(leftOn(posted)).toBe("0 BTC 0");
    expect(again).toEqual([]);
  });
});

describe("while a receipt cannot be booked", () => {
  test("an amount that it shows only now is not applied", () => {
    const { problems, posted } = inLooks([
      {
        deposits: one({ state: "RECEIVING_FUNDS", receivedFunds: [receipt("t1", "0.005")] }),
        policy: deducted,
      },
      { deposits: one({ receivedFunds: [receipt("t1", "0.0125", NO_DEDUCTION)] }), policy: deducted },
    ]);
    expect(applied(posted)).toEqual([]);
    expect(codesOf(problems ?? [])).toEqual(["LEDGER_POSTED_FACT_GONE"]);
    expect(leftOn(posted)).toBe("0.005 BTC 400");
  });

  test("the deposit is applied no longer once another receipt is the receiving side of an own transfer", () => {
    const brought = receipt("t1", "0.05", { txHash: "aa" });
    const transfer = payout("0001", {
      destinationAccountId: COLD,
      sentFunds: [funds({ txHash: "aa", amount: btc("0.05"), rate: market })],
    });
    const onCold = (receivedFunds: ObservedFunds[]) =>
      one({ custodyAccountId: COLD, receivedFunds: [receipt("t2", "0.0125"), ...receivedFunds] });
    const { posted, again } = inLooks([
      {
        payouts: [{ ...transfer, state: "SEND_FAILED" }],
        deposits: onCold([brought]),
        policy: deducted,
      },
      {
        payouts: [transfer],
        deposits: onCold([brought, receipt("t3", "0.001", NO_DEDUCTION)]),
        policy: deducted,
      },
    ]);
    expect(posted.map(({ entryId }) => entryId)).toContain("deposit:1001:apply:1:reverse");
    expect(leftOn(posted)).toBe("0.0125 BTC 1000");
    expect(again).toEqual([]);
  });
});

test("a deposit whose receipt has become smaller is applied no longer while another one is unconfirmed", () => {
  const waiting = receipt("t2", "0.0025", { state: "UNCONFIRMED" });
  const first = { deposits: one({ receivedFunds: [receipt("t1", "0.0125")] }) };
  const smaller = { deposits: one({ receivedFunds: [receipt("t1", "0.01"), waiting] }) };
  const confirmed = { deposits: one({ receivedFunds: [receipt("t1", "0.01"), receipt("t2", "0.0025")] }) };
  const { held, posted, again } = inLooks([first, smaller]);
  expect(codesOf(held ?? [])).toEqual(["LEDGER_NOT_SETTLED"]);
  expect(leftOn(posted)).toBe("0.01 BTC 800");
  expect(again).toEqual([]);
  const then = inLooks([first, smaller, confirmed]);
  expect(applied(then.entries)).toEqual([
    "liabilities:depositclearing 0.0125 BTC 1000.00",
    "assets:ar -1000.00",
  ]);
  expect(leftOn(then.posted)).toBe("0 BTC 0");
});

test("a matched receipt counts for what it was booked, after what receipts that are not matched have covered", () => {
  const receivedFunds = [receipt("t1", "0.0125"), receipt("t2", "0.0125")];
  const parties = new Map([["1001", { isOwn: false, isSettledShort: false, receipts: new Set(["t2"]) }]]);
  const { entries, posted } = inLooks([{ deposits: one({ state: "EXPIRED", receivedFunds }), parties }]);
  expect(applied(entries)).toEqual([
    "liabilities:depositclearing 0.0125 BTC 1012.50",
    "assets:ar -1000.00",
    "liabilities:overpayments -12.50",
  ]);
  expect(leftOn(posted)).toBe("0.0125 BTC 1000");
});

const rules = fc.record({
  depositFee: fc.constantFrom("memo" as const, "deducted" as const),
  depositValuation: fc.constantFrom("fixed" as const, "market" as const),
  depositLateBy: fc.constantFrom("createdDate" as const, "confirmedDate" as const),
  depositShort: fc.constantFrom("open" as const, "write-off" as const),
});
const instants = fc.constantFrom("2026-11-20T12:00:00.000Z", "2026-11-20T12:59:00.000Z");
const row = fc.record({
  amount: fc.constantFrom("0.0125", "0.005", "0.0075", "0.00000546").map(btc),
  fee: fc.option(fc.constantFrom(btc("0.0001"), btc("0.00001"), eur("1.50")), { nil: undefined, freq: 3 }),
  rate: fc.option(fc.constantFrom("81000", "79200", "0.5").map(rateIntoEur), { nil: undefined, freq: 15 }),
  createdAt: instants,
  confirmedAt: fc.constantFrom("2026-11-20T12:59:30.000Z", "2026-11-20T14:00:00.000Z"),
  state: fc.constantFrom("CONFIRMED", "CONFIRMED", "CONFIRMED", "CONFIRMED", "UNCONFIRMED"),
});
const terms = fc.constantFrom(
  fixed,
  { requestedInFiat: eur("1000") },
  { requestedInCrypto: btc("0.0125") },
  {},
);
const looks = fc.array(
  fc.record({
    rules,
    rows: fc.array(row, { minLength: 1, maxLength: 3 }),
    matched: fc.subarray(["t0", "t1", "t2"]),
    state: fc.constantFrom("COMPLETED", "COMPLETED", "RECEIVING_FUNDS", "EXPIRED"),
    keepsRows: fc.boolean(),
  }),
  { minLength: 2, maxLength: 3 },
);

/** The value of the receipts that no apply has taken: all of them, unless the deposit is applied. */
function unapplied(posted: readonly JournalEntry[], state: string, matched: readonly string[]) {
  const reversed = new Set(posted.flatMap(({ reversalOf }) => reversalOf ?? []));
  const live = posted.filter((entry) => entry.reversalOf === undefined && !reversed.has(entry.entryId));
  const isApplied = live.some(({ kind }) => kind === "deposit-apply");
  const receipts = live.filter(({ kind, factId }) => {
    const takes = state === "COMPLETED" || matched.some((key) => factId.endsWith(`:${key}`));
    return kind === "deposit-receipt" && !(isApplied && takes);
  });
  return Decimal.sum(receipts.flatMap(({ lines }) => lines.flatMap(({ credit }) => credit ?? [])));
}

test("whatever is shown, and whatever is set, clearing has what was received and is not applied", () => {
  fc.assert(
    fc.property(terms, looks, (asked, history) => {
      const posted: JournalEntry[] = [];
      let shown: ObservedFunds[] = [];
      for (const { rules: set, rows, matched, state, keepsRows } of history) {
        if (!keepsRows || shown.length === 0)
          shown = rows.map(({ fee, rate, ...each }, index) =>
            funds({ transactionId: `t${index}`, ...each, ...(fee && { fee }), ...(rate && { rate }) }),
          );
        const parties = new Map([
          ["1001", { isOwn: false, isSettledShort: false, receipts: new Set(matched) }],
        ]);
        const look = {
          deposits: [deposit("1001", { ...asked, state, receivedFunds: shown })],
          parties,
          policy: policyWith(set),
        };
        const { entries, held, problems } = book({ ...look, posted });
        posted.push(...entries);
        const { value, quantity } = clearing(posted);
        expect(value.isNegative() || quantity.isNegative()).toBe(false);
        expect(book({ ...look, posted }).entries).toEqual([]);
        if (codesOf([...held, ...problems]).some((code) => !/SHORT|UNAPPLIED/.test(code))) continue;
        expect(value.minus(unapplied(posted, state, matched)).isZero()).toBe(true);
      }
    }),
  );
});

test("an apply that took more than came is booked again, also if nothing else has changed since", () => {
  const receivedFunds = [receipt("t1", "0.0125")];
  const { posted } = inLooks([{ deposits: one({ receivedFunds }) }]);
  const before = posted.map((entry) =>
    entry.kind !== "deposit-apply"
      ? entry
      : {
          ...entry,
          lines: entry.lines.map(({ debit, credit, ...line }) => ({
            ...line,
            ...(debit ? { debit: debit.plus(debit) } : {}),
            ...(credit ? { credit: credit.plus(credit) } : {}),
          })),
        },
  );
  const { entries } = book({ deposits: one({ receivedFunds }), posted: before });
  expect(entries.map(({ entryId }) => entryId)).toEqual([
    "deposit:1001:apply:1:reverse",
    "deposit:1001:apply:2",
  ]);
  expect(leftOn([...before, ...entries])).toBe("0 BTC 0");
  expect(book({ deposits: one({ receivedFunds }), posted: [...before, ...entries] }).entries).toEqual([]);
});
