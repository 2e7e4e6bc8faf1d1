import { describe, expect, test } from "vitest";
import type { ObservedFunds, ObservedPayout } from "../../src/model/index.ts";
import { amountOf, Decimal } from "../../src/money/index.ts";
import {
  book,
  btc,
  CHART_TEXT,
  COLD,
  codesOf,
  deposit,
  eur,
  funds,
  HOT,
  linesOf,
  NOON,
  payout,
  policyWith,
  rateIntoEur,
} from "./movements.ts";

const rate = rateIntoEur("80000");
const sent = funds({ txHash: "aa", amount: btc("0.05"), fee: btc("0.0001"), rate });

function bookOne(changes: Partial<ObservedPayout>, policy = policyWith()) {
  return book({ payouts: [payout("0001", { sentFunds: [sent], ...changes })], policy });
}

describe("unsettled movements are not booked", () => {
  test.each<[string, Partial<ObservedPayout>]>([
    [
      "no confirmedDate",
      { sentFunds: [{ ...funds(), amount: btc("0.05"), confirmedAt: undefined } as never] },
    ],
    ["UNCONFIRMED", { sentFunds: [{ ...sent, state: "UNCONFIRMED" }] }],
    ["too few confirmations", { sentFunds: [{ ...sent, confirmations: 0 }] }],
    ["no sentFunds", { sentFunds: [] }],
  ])("%s", (_why, changes) => {
    const { entries, held } = bookOne(changes);
    expect(entries).toEqual([]);
    expect(held).toMatchObject([{ code: "LEDGER_NOT_SETTLED", next: "will-retry", payoutId: "0001" }]);
  });

  test("a failed payout that shows a fee of zero has moved nothing", () => {
    const { entries, held, notBooked } = bookOne({ state: "SEND_FAILED", sentFunds: [{ fee: btc("0") }] });
    expect([entries, held]).toEqual([[], []]);
    expect(notBooked).toMatchObject([{ sourceId: "0001", sourceState: "SEND_FAILED" }]);
  });

  test("a payout still under way is not reported before it shows its transaction", () => {
    const { entries, held, notBooked } = bookOne({ state: "SENDING", sentFunds: [] });
    expect([entries, held, notBooked]).toEqual([[], [], []]);
  });

  test("SENT and confirmed is settled, and as many confirmations are asked for as configured", () => {
    expect(bookOne({ state: "SENT" }).entries).toHaveLength(1);
    expect(bookOne({}, policyWith({ confirmationsMin: 3 })).entries).toHaveLength(1);
    expect(bookOne({}, policyWith({ confirmationsMin: 4 })).held).toHaveLength(1);
  });

  test("a confirmedDate without a number of confirmations is one confirmation", () => {
    const { confirmations: _, ...unnumbered } = sent;
    expect(bookOne({ sentFunds: [unnumbered] }).entries).toHaveLength(1);
    const { entries, held } = bookOne({ sentFunds: [unnumbered] }, policyWith({ confirmationsMin: 2 }));
    expect(entries).toEqual([]);
    expect(held).toMatchObject([
      { message: expect.stringContaining("1 of 2 confirmations, as far as the service says") },
    ]);
  });
});

describe("implausible figures are held", () => {
  test.each<[string, Partial<ObservedPayout>, string]>([
    [
      "a failed payout with a transaction",
      { state: "SEND_FAILED", sentFunds: [funds({ txHash: "aa" })] },
      "LEDGER_FAILED_BUT_MOVED",
    ],
    [
      "a failed payout with a transaction that has no hash",
      { state: "SEND_FAILED", sentFunds: [funds({ transactionId: "t1" })] },
      "LEDGER_FAILED_BUT_MOVED",
    ],
    ["a confirmed movement while it is still SENDING", { state: "SENDING" }, "LEDGER_NOT_SETTLED"],
    [
      "a cancelled payout with a fee",
      { state: "CANCELLED", sentFunds: [{ fee: btc("0.0001") }] },
      "LEDGER_FAILED_BUT_MOVED",
    ],
    ["CREATE_TIMEOUT", { state: "CREATE_TIMEOUT", sentFunds: [] }, "LEDGER_FACT_UNCLEAR"],
    ["a state that the interface does not list", { state: "TELEPORTED" }, "LEDGER_FACT_UNCLEAR"],
    ["another amount than requested", { requestedAmount: btc("0.06") }, "LEDGER_FACT_UNCLEAR"],
    ["another currency than requested", { requestedAmount: amountOf("0.05", "LTC") }, "LEDGER_FACT_UNCLEAR"],
    [
      "another currency than its custody account's",
      {
        requestedAmount: amountOf("0.05", "ETH"),
        sentFunds: [funds({ amount: amountOf("0.05", "ETH"), rate: { ...rate, from: "ETH" } })],
      },
      "LEDGER_FACT_UNCLEAR",
    ],
    ["no amount", { sentFunds: [funds({ txHash: "aa" })] }, "LEDGER_FACT_UNCLEAR"],
    [
      "a date that a program writes for none",
      { sentFunds: [{ ...sent, confirmedAt: "0001-01-01T00:00:00.000Z" }] },
      "LEDGER_FACT_UNCLEAR",
    ],
    [
      "a day that no file can show",
      { sentFunds: [{ ...sent, confirmedAt: "9999-12-31T23:59:59.999Z" }] },
      "LEDGER_FACT_UNCLEAR",
    ],
    [
      "a day to come",
      { sentFunds: [{ ...sent, confirmedAt: "2030-01-02T00:00:01.000Z" }] },
      "LEDGER_FACT_UNCLEAR",
    ],
    [
      "a part below zero",
      {
        sentFunds: [
          { ...sent, amount: btc("0.06") },
          { ...sent, txHash: "ab", amount: btc("-0.01") },
        ],
      },
      "LEDGER_FACT_UNCLEAR",
    ],
    ["a negative fee", { sentFunds: [{ ...sent, fee: btc("-0.0001") }] }, "LEDGER_FACT_UNCLEAR"],
    [
      "two confirmed movements of the whole amount",
      { sentFunds: [sent, { ...sent, txHash: "ab" }] },
      "LEDGER_FACT_UNCLEAR",
    ],
    [
      "a subtracted fee that fits neither reading",
      { subtractFee: true, sentFunds: [{ ...sent, amount: btc("0.0499"), fee: btc("0.0002") }] },
      "LEDGER_FACT_UNCLEAR",
    ],
    [
      "a subtracted fee in another currency",
      { subtractFee: true, sentFunds: [{ ...sent, fee: amountOf("1", "ETH") }] },
      "LEDGER_FACT_UNCLEAR",
    ],
  ])("%s", (_what, changes, code) => {
    const { entries, held } = bookOne(changes);
    expect(entries).toEqual([]);
    expect(codesOf(held)).toEqual([code]);
  });

  test.each([
    ["a fee of 1e400", { fee: btc("1e400") }],
    ["a fee of 1e-400", { fee: btc("1e-400") }],
    ["a rate of 1e20", { rate: rateIntoEur("1e20") }],
  ])("%s is no money, and no program would read the file that shows it", (_what, changes) => {
    const { entries, problems } = bookOne({ sentFunds: [{ ...sent, ...changes }] });
    expect(entries).toEqual([]);
    expect(codesOf(problems)).toEqual(["LEDGER_FACT_UNCLEAR"]);
  });

  test.each([
    ["no rate", undefined],
    ["a rate of zero", rateIntoEur("0")],
    ["a rate into another currency", { ...rate, to: "USD" }],
    ["a rate of another currency", { ...rate, from: "LTC" }],
    ["a rate into another currency, from ours", { ...rate, from: "EUR", to: "LTC" }],
    ["a rate from another currency into that of the payout", { ...rate, from: "USD", to: "BTC" }],
  ])("%s is never taken for a value", (_what, wrong) => {
    const { rate: _, ...unrated } = sent;
    const { entries, problems } = bookOne({ sentFunds: [wrong ? { ...unrated, rate: wrong } : unrated] });
    expect(entries).toEqual([]);
    expect(codesOf(problems)).toEqual(["LEDGER_RATE_MISSING"]);
  });
});

describe("amounts", () => {
  const gross = [
    "expenses:contractors 0.05 BTC 4000.00",
    "expenses:networkfees 0.0001 BTC 8.00",
    "assets:crypto:btc -0.0501 BTC -4008.00",
  ];

  test("a sent amount that holds our fee is told from one that does not", () => {
    expect(linesOf(bookOne({}).entries[0])).toEqual(gross);
    expect(linesOf(bookOne({ sentFunds: [{ ...sent, amount: btc("0.0501") }] }).entries[0])).toEqual(gross);
  });

  test.each(["0.05", "0.0499"])("a subtracted fee is counted once where %s was sent", (amount) => {
    const sentFunds = [{ ...sent, amount: btc(amount) }];
    const { entries } = bookOne({ subtractFee: true, sentFunds }, policyWith({ subtractFee: "expense" }));
    expect(linesOf(entries[0])).toEqual([
      "expenses:contractors 0.0499 BTC 3992.00",
      "expenses:networkfees 0.0001 BTC 8.00",
      "assets:crypto:btc -0.05 BTC -4000.00",
    ]);
  });

  test("a rate that runs from fiat to crypto is divided by", () => {
    const inverse = { rate: Decimal.of("0.0000125"), from: "EUR", to: "BTC" };
    expect(linesOf(bookOne({ sentFunds: [{ ...sent, rate: inverse }] }).entries[0])).toEqual(gross);
  });

  describe("a payout that took two transactions", () => {
    const first = funds({ txHash: "aa", amount: btc("0.03"), fee: btc("0.0001"), rate });
    const later = { confirmedAt: "2030-01-02T00:00:00.000Z", createdAt: "2030-01-01T23:00:00.000Z" };
    const second = funds({ ...later, txHash: "bb", amount: btc("0.02"), fee: btc("0.0002"), rate });

    test.each([
      ["in order", [first, second]],
      ["in another order", [second, first]],
      [
        "with the fee in the amounts",
        [
          { ...first, amount: btc("0.0301") },
          { ...second, amount: btc("0.0202") },
        ],
      ],
    ])("is one entry with both fees, on the day of the last one, listed %s", (_, sentFunds) => {
      const { entries, held } = bookOne({ sentFunds });
      expect(held).toEqual([]);
      expect(entries).toHaveLength(1);
      expect(linesOf(entries[0])).toEqual([
        "expenses:contractors 0.05 BTC 4000.00",
        "expenses:networkfees 0.0003 BTC 24.00",
        "assets:crypto:btc -0.0503 BTC -4024.00",
      ]);
      expect(entries[0]?.valueInstant).toBe(later.confirmedAt);
    });

    test("values each at its own rate, and waits for both", () => {
      const other = { ...second, rate: rateIntoEur("90000") };
      const { entries } = bookOne({ sentFunds: [first, other] });
      expect(linesOf(entries[0])).toEqual([
        "expenses:contractors 0.05 BTC 4200.00",
        "expenses:networkfees 0.0003 BTC 26.00",
        "assets:crypto:btc -0.0503 BTC -4226.00",
      ]);
      expect(entries[0]?.rateUsed).toBeUndefined();
      for (const waiting of [
        { ...second, state: "UNCONFIRMED" },
        { ...second, confirmedAt: undefined },
      ])
        expect(codesOf(bookOne({ sentFunds: [first, waiting as ObservedFunds] }).held)).toEqual([
          "LEDGER_NOT_SETTLED",
        ]);
    });

    test("is held without the rate of one, in several currencies, and where both come to more or less", () => {
      const held = (...sentFunds: ObservedFunds[]) => {
        const { entries, held: facts, problems } = bookOne({ sentFunds });
        expect(entries).toEqual([]);
        return codesOf([...facts, ...problems]);
      };
      const { rate: _, ...unvalued } = second;
      expect(held(first, unvalued)).toEqual(["LEDGER_RATE_MISSING"]);
      expect(held(first, { ...second, amount: amountOf("0.02", "ETH") })).toEqual(["LEDGER_FACT_UNCLEAR"]);
      expect(held(first, { ...second, fee: amountOf("1", "ETH") })).toEqual(["LEDGER_FACT_UNCLEAR"]);
      for (const amount of ["0.019", "0.021"])
        expect(held(first, { ...second, amount: btc(amount) })).toEqual(["LEDGER_FACT_UNCLEAR"]);
    });
  });

  test("a payout without a fee has no fee line", () => {
    const sentFunds = [{ ...sent, fee: btc("0") }];
    expect(linesOf(bookOne({ sentFunds }).entries[0])).toHaveLength(2);
  });

  test("a fee in another currency leaves the treasury on a line of its own, or holds the payout without a rate", () => {
    const inEuro = bookOne({ sentFunds: [{ ...sent, fee: eur("1.25") }] });
    expect(linesOf(inEuro.entries[0])).toEqual([
      "expenses:contractors 0.05 BTC 4000.00",
      "expenses:networkfees 1.25",
      "assets:crypto:btc -0.05 BTC -4000.00",
      "assets:crypto:btc -1.25",
    ]);
    const inEther = bookOne({ sentFunds: [{ ...sent, fee: amountOf("0.002", "ETH") }] });
    expect(inEther.problems).toMatchObject([
      { code: "LEDGER_FEE_RATE_MISSING", message: expect.stringContaining("0.002 ETH") },
    ]);
    const { rate: _, ...withoutRate } = sent;
    const withoutAny = bookOne({ sentFunds: [{ ...withoutRate, fee: amountOf("0.002", "ETH") }] });
    expect(withoutAny.problems).toMatchObject([
      { code: "LEDGER_RATE_MISSING", message: expect.stringContaining("from BTC into EUR") },
    ]);
  });
});

describe("payouts that share a transaction", () => {
  const payouts = ["0001", "0002"].map((id) => payout(id, { sentFunds: [sent] }));
  const feesUnder = (batchFee: "perPayout" | "wholeTransaction") =>
    book({ payouts: payouts.toReversed(), policy: policyWith({ batchFee }) }).entries.map(
      (entry) => linesOf(entry).filter((line) => line.includes("networkfees")).length,
    );

  test("each books the fee it shows", () => {
    expect(feesUnder("perPayout")).toEqual([1, 1]);
  });

  test("a whole transaction's fee is booked once", () => {
    expect(feesUnder("wholeTransaction")).toEqual([1, 0]);
  });

  test("a whole transaction's fee is booked though its first payout shows none", () => {
    const { fee: _, ...unsaid } = sent;
    const first = payout("0001", { sentFunds: [unsaid] });
    const second = payout("0002", { sentFunds: [sent] });
    const { entries } = book({
      payouts: [first, second],
      policy: policyWith({ batchFee: "wholeTransaction" }),
    });
    expect(entries.map((entry) => linesOf(entry).length)).toEqual([2, 3]);
  });
});

test("the fee of a whole transaction is not left to a payout whose payee bears its own", () => {
  const payees = payout("0001", { subtractFee: true, sentFunds: [{ ...sent, amount: btc("0.0499") }] });
  const ours = payout("0002", { sentFunds: [sent] });
  const { entries } = book({ payouts: [payees, ours], policy: policyWith({ batchFee: "wholeTransaction" }) });
  expect(entries.map((entry) => linesOf(entry).length)).toEqual([2, 3]);
});

describe("transfers between own custody accounts", () => {
  const transfer = payout("0001", {
    reference: "MOVE-1",
    destinationAccountId: COLD,
    destinationAddress: "bc1qcold",
    sentFunds: [sent],
  });
  const received = (amount: string, receiverAddress = "bc1qcold") =>
    deposit("2001", {
      custodyAccountId: COLD,
      receiverAddress,
      receivedFunds: [funds({ txHash: "aa", transactionId: "t1", amount: btc(amount), rate })],
    });

  test("move treasury to treasury, with no expense but the fee", () => {
    const { entries, problems } = book({ payouts: [transfer] });
    expect(entries[0]).toMatchObject({
      kind: "transfer",
      narration: "Transfer MOVE-1 from treasury-btc to cold-btc",
    });
    expect(linesOf(entries[0])).toEqual([
      "assets:crypto:cold 0.05 BTC 4000.00",
      "expenses:networkfees 0.0001 BTC 8.00",
      "assets:crypto:btc -0.0501 BTC -4008.00",
    ]);
    expect(problems).toEqual([]);
  });

  test("are held if the receiving account is in another currency", () => {
    const custodyAccounts = [
      { id: HOT, name: "treasury-btc", currency: "BTC" },
      { id: COLD, name: "cold-ltc", currency: "LTC" },
    ];
    const { entries, held } = book({ payouts: [transfer], policy: policyWith({ custodyAccounts }) });
    expect(entries).toEqual([]);
    expect(held[0]?.message).toContain("0.05 BTC moved on custody account cold-ltc, which is in LTC");
  });

  test("are booked once when the receiving side reports them too", () => {
    const { entries, notBooked } = book({ payouts: [transfer], deposits: [received("0.05")] });
    expect(entries.map(({ entryId }) => entryId)).toEqual(["payout:0001:settle:1"]);
    expect(notBooked).toMatchObject([
      { sourceId: "2001", reason: "it is the receiving side of own transfer 0001" },
    ]);
  });

  const withoutCold = policyWith({
    custodyAccounts: [{ id: HOT, name: "treasury-btc", currency: "BTC" }],
  });

  test.each([
    ["before the receiving account was taken out of the configuration", policyWith(), withoutCold, 1],
    ["as a payment, before the receiving account was configured", withoutCold, policyWith(), 3],
  ])("stay as they were booked %s, and so does the receiving side", (_when, before, after, count) => {
    const both = { payouts: [transfer], deposits: [received("0.05")] };
    const first = book({ ...both, policy: before });
    expect(first.entries).toHaveLength(count);
    const second = book({ ...both, policy: after, posted: first.entries });
    expect(second).toMatchObject({ entries: [], problems: [], notBooked: first.notBooked });
  });

  test("wait for the sending side, so that the receiving side never books first", () => {
    const onItsWay = { ...transfer, state: "SENT", sentFunds: [{ ...sent, state: "UNCONFIRMED" }] };
    expect(book({ payouts: [onItsWay], deposits: [received("0.05")] }).entries).toEqual([]);
  });

  test("do not let their receiving side be booked as a customer's payment while they are being sent", () => {
    const sending = { ...transfer, state: "SENDING", sentFunds: [] };
    const night = book({ payouts: [sending], deposits: [received("0.05")] });
    expect(night.entries).toEqual([]);
    expect(night.held).toMatchObject([
      {
        code: "LEDGER_FACT_UNCLEAR",
        depositId: "2001",
        message: expect.stringContaining("may be the receiving side of own transfer 0001, which is SENDING"),
      },
    ]);
    const next = book({ payouts: [transfer], deposits: [received("0.05")] });
    expect(next.entries.map(({ kind }) => kind)).toEqual(["transfer"]);
    const failed = book({ payouts: [{ ...sending, state: "SEND_FAILED" }], deposits: [received("0.05")] });
    expect(failed.entries.map(({ kind }) => kind)).toEqual(["deposit-receipt", "deposit-apply"]);
  });

  test("are booked once where only the service's own transaction id says that both sides are one", () => {
    const { txHash: _, ...unhashed } = sent;
    const byId = { ...transfer, sentFunds: [{ ...unhashed, transactionId: "t1" }] };
    const { entries, notBooked } = book({ payouts: [byId], deposits: [received("0.05")] });
    expect(entries.map(({ kind }) => kind)).toEqual(["transfer"]);
    expect(notBooked).toMatchObject([{ sourceId: "2001" }]);
  });

  test("are booked once where the payout shows nothing to compare by: the receipt is held", () => {
    const { txHash: _, ...nameless } = sent;
    const { entries, held } = book({
      payouts: [{ ...transfer, sentFunds: [nameless] }],
      deposits: [received("0.05")],
    });
    expect(entries.map(({ kind }) => kind)).toEqual(["transfer"]);
    expect(codesOf(held)).toEqual(["LEDGER_FACT_UNCLEAR"]);
  });

  test("to an address of our own custody account are transfers, whatever the file says of their expense", () => {
    const { destinationAccountId: _, ...toAddress } = transfer;
    const both = { payouts: [toAddress], deposits: [received("0.05")] };
    const { entries } = book(both);
    expect(entries.map(({ kind }) => kind)).toEqual(["transfer"]);
    expect(linesOf(entries[0])[0]).toBe("assets:crypto:cold 0.05 BTC 4000.00");
    expect(book({ ...both, posted: entries })).toMatchObject({ entries: [], problems: [] });
    const foreign = book({
      payouts: [{ ...toAddress, destinationAddress: "bc1qpayee" }],
      deposits: both.deposits,
    });
    expect(foreign.entries.map(({ kind }) => kind)).toContain("payout-settle");
  });

  test("do not hold what cannot be theirs: an earlier, a larger, or another account's receipt", () => {
    const sending = { ...transfer, state: "SENDING", sentFunds: [], createdAt: NOON };
    const [early] = received("0.05").receivedFunds.map((one) => ({
      ...one,
      confirmedAt: "2026-11-20T11:59:59.000Z",
    }));
    const others = [
      { ...received("0.05"), receivedFunds: [early as ObservedFunds] },
      received("0.06"),
      received("0.04"),
      { ...received("0.05"), custodyAccountId: HOT },
      received("0.05", "bc1qother"),
    ];
    for (const other of others)
      expect(book({ payouts: [sending], deposits: [other] }).entries.map(({ kind }) => kind)).toEqual([
        "deposit-receipt",
        "deposit-apply",
      ]);
    const bearing = { ...sending, subtractFee: true };
    expect(book({ payouts: [bearing], deposits: [received("0.049")] }).entries).toEqual([]);
  });

  test("do not swallow another receipt of the same transaction", () => {
    const other = book({ payouts: [transfer], deposits: [received("0.05", "bc1qother")] });
    expect(other.entries.map(({ kind }) => kind)).toContain("deposit-receipt");
    const odd = book({ payouts: [transfer], deposits: [received("0.03")] });
    expect(codesOf(odd.held)).toEqual(["LEDGER_FACT_UNCLEAR"]);
    const own = { ...received("0.05"), custodyAccountId: HOT };
    expect(book({ payouts: [transfer], deposits: [own] }).notBooked).toEqual([]);
  });

  test("that failed do not hide money that came all the same", () => {
    const failed = { ...transfer, state: "SEND_FAILED" };
    const { entries, held } = book({ payouts: [failed], deposits: [received("0.05")] });
    expect(entries.map(({ kind }) => kind)).toEqual(["deposit-receipt", "deposit-apply"]);
    expect(codesOf(held)).toEqual(["LEDGER_FAILED_BUT_MOVED"]);
  });

  test("bear a subtracted fee themselves, whatever a payee would", () => {
    const { entries } = book({ payouts: [{ ...transfer, subtractFee: true }] });
    expect(linesOf(entries[0])).toEqual([
      "assets:crypto:cold 0.0499 BTC 3992.00",
      "expenses:networkfees 0.0001 BTC 8.00",
      "assets:crypto:btc -0.05 BTC -4000.00",
    ]);
  });

  test("a payout to an account that is not ours is an expense", () => {
    const foreign = {
      ...transfer,
      destinationAccountId: "6f1cbb7e-0000-4000-8000-00000000ffff" as typeof HOT,
    };
    expect(linesOf(book({ payouts: [foreign] }).entries[0])[0]).toBe("expenses:contractors 0.05 BTC 4000.00");
  });
});

describe("where the payment goes", () => {
  test("a payout that nobody instructed goes to suspense and is reported, whatever it says of itself", () => {
    const { entries, problems } = bookOne({ reference: "GHOST" }, policyWith({ isInstructed: () => false }));
    expect(linesOf(entries[0])[0]).toBe("liabilities:suspense 0.05 BTC 4000.00");
    expect(problems).toMatchObject([{ code: "LEDGER_UNEXPECTED_PAYOUT", reference: "GHOST" }]);
  });

  test("the code of an account is as good as its name, and is called a code where no account has it", () => {
    expect(linesOf(bookOne({ generalLedgerName: "6302" }).entries[0])[0]).toMatch(
      /^expenses:shared:two 0.05 /,
    );
    const { entries, problems } = bookOne({ generalLedgerName: "5200" });
    expect(linesOf(entries[0])[0]).toMatch(/^liabilities:suspense /);
    expect(problems[0]?.message).toContain("GL account 5200;");
  });

  test("a name that is not in the chart goes to suspense and is reported", () => {
    const { entries, problems } = bookOne({ generalLedgerName: "stob", generalLedgerProject: "P" });
    expect(linesOf(entries[0])[0]).toBe("liabilities:suspense 0.05 BTC 4000.00");
    expect(problems[0]?.message).toContain('GL account "stob", project "P"');
    expect(codesOf(problems)).toEqual(["LEDGER_UNMAPPED"]);
  });

  test("a treasury that is not in the chart is said as well", () => {
    const { problems } = book({
      payouts: [payout("0001", { sentFunds: [sent] })],
      chartText: CHART_TEXT.replace("treasury,treasury-btc", "treasury,other-btc"),
    });
    expect(problems[0]?.message).toContain("treasury of treasury-btc");
  });

  test("the chart's own project and distribution take the place of the payment's", () => {
    const chartText = CHART_TEXT.replace(/^role.*|^gl,Contractors.*/gm, (row) =>
      row.startsWith("role") ? `${row},bookProject,bookDistribution` : `${row},Tower,`,
    );
    const given = { generalLedgerProject: "P-1", generalLedgerDistribution: "D-1", sentFunds: [sent] };
    const { entries } = book({ payouts: [payout("0001", given)], chartText });
    expect(entries[0]?.lines[0]).toMatchObject({ project: "Tower", distribution: "D-1" });
  });

  test("a split adds up to the payment, in money and in quantity", () => {
    const sentFunds = [funds({ amount: btc("0.00000007"), rate: rateIntoEur("3000000") })];
    const { entries } = bookOne({
      generalLedgerName: "Shared",
      requestedAmount: btc("0.00000007"),
      sentFunds,
    });
    expect(linesOf(entries[0])).toEqual([
      "expenses:shared:one 0.00000004 BTC 0.11",
      "expenses:shared:two 0.00000002 BTC 0.06",
      "expenses:shared:three 0.00000001 BTC 0.04",
      "assets:crypto:btc -0.00000007 BTC -0.21",
    ]);
  });

  test.each([
    ["0.7", ["0.35", "0.21", "0.14"]],
    ["0.0000000007", ["0.0000000004", "0.0000000002", "0.0000000001"]],
  ])(
    "a split of %s has the digits of its currency, or of the amount where that has more",
    (amount, parts) => {
      const sentFunds = [funds({ amount: btc(amount), rate: rateIntoEur("3000000") })];
      const changes = { generalLedgerName: "Shared", requestedAmount: btc(amount), sentFunds };
      const [entry] = bookOne(changes).entries;
      const quantities = entry?.lines.map(({ quantity }) => quantity?.value.normalized().toString());
      expect(quantities?.slice(0, 3)).toEqual(parts);
    },
  );
});
