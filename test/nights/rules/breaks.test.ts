/** Each break kind appears where its difference is, and nowhere else. */
import { describe, expect, test } from "vitest";
import type {
  Break,
  Instruction,
  ObservedDeposit,
  ObservedFunds,
  ObservedPayout,
  PayoutId,
} from "../../../src/model/index.ts";
import { payoutId } from "../../../src/model/index.ts";
import { amountOf, formatAmount } from "../../../src/money/index.ts";
import type { ReconciliationPolicy } from "../../../src/nights/rules/index.ts";
import { matchPayouts } from "../../../src/nights/rules/match.ts";
import { TotalsByClass, totalsOf } from "../../../src/nights/rules/totals.ts";
import { reconcile } from "./reconcile-at-once.ts";
import {
  CONFIGURED,
  deposit,
  inputOf,
  instruction,
  NOW,
  POLICY,
  payoutOf,
  RECENTLY,
  received,
  SAVINGS,
  uuid,
  withoutPayoutId,
  YESTERDAY,
} from "./world.ts";

const asked = instruction(1);
const paid = payoutOf(asked);
const [sent] = paid.sentFunds;

function breaksFor(
  instructions: Instruction[],
  payouts: ObservedPayout[],
  policy: Partial<ReconciliationPolicy> = {},
): readonly Break[] {
  return reconcile(inputOf({ instructions, payouts }), { ...POLICY, ...policy }).breaks;
}

function depositBreaks(...deposits: ObservedDeposit[]): readonly Break[] {
  return reconcile(inputOf({ deposits }), { ...POLICY, ...CONFIGURED }).breaks.filter(
    ({ kind }) => kind !== "balance",
  );
}

const MATCHED = {
  instructions: [asked],
  payouts: [paid],
  ignoredPayoutIds: new Set<PayoutId>(),
  notShown: new Map(),
};

const kinds = (breaks: readonly Break[]) => breaks.map(({ kind }) => kind);

describe("payouts", () => {
  test("reports nothing where both sides agree", () => {
    expect(breaksFor([asked], [paid])).toEqual([]);
  });

  test("missing: an accepted instruction whose payout the service does not show", () => {
    expect(breaksFor([asked], [])).toEqual([
      {
        id: "missing:reference:INV-1",
        amount: asked.fields.amount,
        kind: "missing",
        severity: "alarm",
        sentence: `"INV-1" (row 1 of B-000001, 0.015 BTC) was accepted as payout ${uuid(1)}, but the service does not show it. Ask its operator. If it was never made, a new row under another reference pays it.`,
        reference: "INV-1",
        payoutId: uuid(1),
        custodyAccountId: asked.fields.custodyAccountId,
      },
    ]);
  });

  test("duplicate-reference: stays where a baseline was taken after it, because its callbackUrl is ours", () => {
    const twice = payoutOf(asked, { payoutId: payoutId(uuid(2)) });
    const ignoredPayoutIds = new Set([paid.payoutId, twice.payoutId]);
    const input = inputOf({ instructions: [asked], payouts: [paid, twice], ignoredPayoutIds });
    expect(kinds(reconcile(input, POLICY).breaks)).toEqual(["duplicate-reference"]);
  });

  test.each(["received", "approved", "sending", "in doubt", "refused", "withdrawn", "abandoned"] as const)(
    "does not miss a payout for an instruction that is %s",
    (standing) => {
      expect(breaksFor([withoutPayoutId(instruction(1, { standing }))], [])).toEqual([]);
    },
  );

  test("not-shown: what the service showed once and does not show any more, in words", () => {
    const lost = (state: string) =>
      reconcile(
        inputOf({
          instructions: [asked],
          payouts: [{ ...paid, state, sentFunds: state === "COMPLETED" ? paid.sentFunds : [] }],
          deposits: [deposit(1)],
          notShown: new Map<string, string>([
            [paid.payoutId, RECENTLY],
            [deposit(1).depositId, RECENTLY],
          ]),
        }),
        POLICY,
      ).breaks;
    expect(lost("COMPLETED")).toMatchObject([
      { id: `not-shown:deposit:${uuid(1, "d")}`, severity: "warning", found: "COMPLETED" },
      { id: `not-shown:payout:${uuid(1)}`, severity: "warning", reference: "INV-1", found: "COMPLETED" },
    ]);
    const [awaited] = lost("SENDING");
    expect(awaited).toMatchObject({ severity: "alarm", payoutId: uuid(1) });
    expect(awaited?.sentence).toBe(
      'Payout aaaaaaaa...0001 (0.015 BTC to bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4, "INV-1") was SENDING when it was seen at 2026-11-20 11:30 UTC, but the service no longer shows it. Its movements still count in the balance proof and the ledger. If it never existed, `paydrop reconcile baseline` sets it aside. That also closes the alarms about balances and about payouts that no file asked for, so check those first.',
    );
  });

  test("a second payout with our callbackUrl is set aside by a baseline where the service does not show it", () => {
    const twice = payoutOf(asked, { payoutId: payoutId(uuid(2)) });
    const input = inputOf({ instructions: [asked], payouts: [paid, twice] });
    const notShown = new Map([[twice.payoutId, RECENTLY]]);
    expect(kinds(reconcile({ ...input, notShown }, POLICY).breaks)).toEqual([
      "duplicate-reference",
      "not-shown",
    ]);
    const ignoredPayoutIds = new Set([twice.payoutId]);
    expect(reconcile({ ...input, notShown, ignoredPayoutIds }, POLICY).breaks).toEqual([]);
  });

  test("not-shown: of a payment that is in doubt it is no alarm, because nobody waits for its end", () => {
    const inDoubt = withoutPayoutId(instruction(1, { standing: "in doubt" }));
    const input = inputOf({
      instructions: [inDoubt],
      payouts: [{ ...paid, state: "AUTHORIZED", sentFunds: [] }],
    });
    const { breaks } = reconcile({ ...input, notShown: new Map([[paid.payoutId, RECENTLY]]) }, POLICY);
    expect(breaks).toMatchObject([{ kind: "not-shown", severity: "warning" }]);
  });

  test("paid-twice: only where the first payment was accepted, and both payouts may have paid", () => {
    const second = instruction(2, { fields: { reference: "AGAIN" } });
    const paidSecond = payoutOf(second);
    const ended = { state: "SEND_FAILED", sentFunds: [] };
    const kindsOf = (first: Instruction, payouts: ObservedPayout[], hasLeft: ObservedPayout[] = []) => {
      const input = inputOf({
        instructions: [first, second],
        payouts,
        paidAgain: new Map([[asked.id, ["AGAIN"]]]),
      });
      const departures = new Map(hasLeft.map(({ payoutId }) => [payoutId, "it was SENT before"]));
      return kinds(reconcile({ ...input, departures }, POLICY).breaks).toSorted();
    };
    expect(kindsOf(asked, [paid, paidSecond])).toEqual(["paid-twice"]);
    expect(kindsOf(asked, [{ ...paid, ...ended }, paidSecond])).toEqual([]);
    expect(kindsOf(asked, [{ ...paid, ...ended }, paidSecond], [paid])).toEqual(["failed", "paid-twice"]);
    expect(kindsOf(asked, [paid, { ...paidSecond, ...ended }])).toEqual(["failed"]);
    expect(kindsOf(asked, [paid, { ...paidSecond, ...ended }], [paidSecond])).toEqual([
      "failed",
      "paid-twice",
    ]);
    const refused = withoutPayoutId(instruction(1, { standing: "refused" }));
    expect(kindsOf(refused, [paid, paidSecond])).toEqual(["against-standing"]);
  });

  test("unexpected: a payout that no file asked for, in words", () => {
    const [found, ...others] = breaksFor([], [payoutOf(asked, { reference: "GIFT" })]);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      id: `unexpected:payout:${uuid(1)}`,
      severity: "alarm",
      sentence:
        'Payout aaaaaaaa...0001 (0.015 BTC to bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4, "GIFT") exists at the service, but no file asked for it.',
    });
  });

  test("unexpected: under the reference of a payment, says what proof is missing and how it is taken in where it is ours", () => {
    const held = withoutPayoutId(instruction(1, { standing: "held" }));
    const { callbackUrl: _, ...bare } = paid;
    const elsewhere = payoutOf(asked, { callbackUrl: "https://elsewhere.example" });
    const sentences = [bare, elsewhere].map((payout) => breaksFor([held], [payout])[0]?.sentence);
    const wayIn = `If it is this payment, \`paydrop doubt resolve "INV-1" --accept ${paid.payoutId} --reason WHY\` accepts it.`;
    expect(sentences).toEqual([
      expect.stringMatching(
        /which is held, but shows no callbackUrl, which would show whether Paydrop made it\. /,
      ),
      expect.stringMatching(
        /which is held, but has a callbackUrl that this database does not know, as after a restore\. /,
      ),
    ]);
    for (const sentence of sentences) expect(sentence).toContain(wayIn);
  });

  test("against-standing: a payout that pays something else is not offered to be taken in", () => {
    const held = withoutPayoutId(instruction(1, { standing: "held" }));
    const cut = payoutOf(asked, { requestedAmount: amountOf("0.01499999", "BTC") });
    expect(breaksFor([held], [cut]).find(({ kind }) => kind === "against-standing")?.sentence).toMatch(
      /is held\. It pays something else \(amount 0\.01499999 BTC\), so it cannot be accepted as this payment\.$/,
    );
  });

  test("does not expect what existed before the baseline", () => {
    const input = inputOf({ payouts: [paid], ignoredPayoutIds: new Set([paid.payoutId]) });
    const { breaks, totals } = reconcile(input, POLICY);
    expect(breaks).toEqual([]);
    expect(totals.payouts.beforeBaseline).toBe(1);
  });

  test("duplicate-reference: a second payout with the callbackUrl or only the reference of a paid instruction", () => {
    const twice = payoutOf(asked, { payoutId: payoutId(uuid(9)) });
    const namesake = payoutOf(asked, {
      payoutId: payoutId(uuid(9)),
      callbackUrl: "https://elsewhere.example",
    });
    for (const second of [twice, namesake]) {
      const breaks = breaksFor([asked], [second, paid]);
      expect(kinds(breaks)).toEqual(["duplicate-reference"]);
      expect(breaks[0]?.sentence).toContain("may have been paid twice");
    }
  });

  test("of two payouts for a payment in doubt the earlier is its own, whatever their ids, and the later is the second", () => {
    const inDoubt = withoutPayoutId(instruction(1, { standing: "in doubt" }));
    const later = payoutOf(asked, { payoutId: payoutId(uuid(0)), createdAt: NOW });
    const breaks = breaksFor([inDoubt], [later, paid]);
    expect(breaks.map(({ id }) => id)).toEqual([`duplicate-reference:payout:${uuid(0)}`]);
  });

  test("a payout that the service shows no more is not said to exist", () => {
    const second = payoutOf(asked, { payoutId: payoutId(uuid(9)) });
    const refused = withoutPayoutId(instruction(1, { standing: "refused" }));
    const notShown = new Map([[second.payoutId, RECENTLY]]);
    const sentencesFor = (one: typeof asked, payouts: ObservedPayout[]) =>
      reconcile(inputOf({ instructions: [one], payouts, notShown }), POLICY)
        .breaks.filter(({ kind }) => kind !== "not-shown")
        .map(({ sentence }) => sentence);
    expect(sentencesFor(asked, [paid, second])).toEqual([
      expect.stringContaining(`was shown by the service in addition to payout ${paid.payoutId}`),
    ]);
    expect(sentencesFor(refused, [second])).toEqual([
      expect.stringContaining("was shown by the service, although"),
    ]);
  });

  test("the payout of an abandoned payment turns up also where a baseline was taken after it, because its callbackUrl is ours", () => {
    const input = inputOf({
      instructions: [withoutPayoutId(instruction(1, { standing: "abandoned" }))],
      payouts: [paid],
      ignoredPayoutIds: new Set([paid.payoutId]),
    });
    expect(kinds(reconcile(input, POLICY).breaks)).toEqual(["against-standing"]);
  });

  test("a payout that changed its owner while both were read is counted once", () => {
    const former = instruction(2, { payoutId: paid.payoutId });
    const { totals } = reconcile(inputOf({ instructions: [former, asked], payouts: [paid] }), POLICY);
    expect(totals.payouts).toMatchObject({ seen: 1, ofPayments: 1 });
  });

  test("does not take a foreign payout for an instruction's own because it bears the same reference", () => {
    const foreign = payoutOf(asked, { callbackUrl: "https://elsewhere.example" });
    expect(kinds(breaksFor([withoutPayoutId(asked)], [foreign]))).toEqual(["unexpected", "missing"]);
    expect(kinds(breaksFor([withoutPayoutId(asked)], [foreign], { correlation: "reference" }))).toEqual([]);
  });

  test("does not match a payout from before the baseline by its reference alone", () => {
    const input = inputOf({
      instructions: [withoutPayoutId(asked)],
      payouts: [paid],
      ignoredPayoutIds: new Set([paid.payoutId]),
    });
    expect(kinds(reconcile(input, { ...POLICY, correlation: "reference" }).breaks)).toEqual(["missing"]);
  });

  test.each(["refused", "abandoned", "withdrawn", "held", "received"] as const)(
    "against-standing: the payout of an instruction that is %s turns up",
    (standing) => {
      const [found, ...others] = breaksFor([withoutPayoutId(instruction(1, { standing }))], [paid]);
      expect(others).toEqual([]);
      expect(found).toMatchObject({ kind: "against-standing", severity: "alarm", expected: standing });
      expect(found?.sentence).toMatch(`although "INV-1" (row 1 of B-000001, 0.015 BTC) is ${standing}.`);
    },
  );

  test("against-standing: names the payment that was handed in anew in its place", () => {
    const abandoned = withoutPayoutId(instruction(1, { standing: "abandoned" }));
    const input = inputOf({
      instructions: [abandoned],
      payouts: [paid],
      submittedSince: new Map([[abandoned.id, ["INV-1-B", "INV-1-C"]]]),
    });
    expect(reconcile(input, POLICY).breaks).toMatchObject([
      {
        kind: "against-standing",
        sentence: expect.stringContaining(
          'is abandoned. The same amount has since been sent to the same destination as "INV-1-B". If that replaces this payment, it is paid twice.',
        ),
      },
    ]);
  });

  test.each(["sending", "in doubt"] as const)(
    "does not alarm when a payout of an instruction %s is there",
    (standing) => {
      expect(breaksFor([withoutPayoutId(instruction(1, { standing }))], [paid])).toEqual([]);
    },
  );

  const pending = payoutOf(asked, { state: "AUTHORIZED", sentFunds: [] });
  test.each<[kind: string, change: Partial<ObservedPayout>, expected: string, found: string]>([
    ["amount", { requestedAmount: amountOf("0.0150001", "BTC") }, "0.015", "0.0150001"],
    ["amount", { subtractFee: true }, "false", "true"],
    ["currency", { requestedAmount: amountOf("0.015", "LTC") }, "BTC", "LTC"],
    [
      "destination",
      { destinationAddress: "1BoatSLRHtKNngkdXEeobR76b53LETtpyT" },
      "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
      "1BoatSLRHtKNngkdXEeobR76b53LETtpyT",
    ],
    ["custody-account", { custodyAccountId: SAVINGS }, asked.fields.custodyAccountId, SAVINGS],
    ["ledger-field", { generalLedgerName: "6300" }, "6200", "6300"],
    ["ledger-field", { generalLedgerProject: "P-1" }, "", "P-1"],
    ["reference", { reference: "INV" }, "INV-1", "INV"],
  ])("%s: both values are told", (kind, change, expected, found) => {
    expect(breaksFor([asked], [{ ...pending, ...change }])).toMatchObject([{ kind, expected, found }]);
  });

  test("amount: a payee who should have borne the fee does not, although the figures are consistent", () => {
    const net = instruction(1, { fields: { subtractFee: true } });
    const found = breaksFor([net], [payoutOf(asked)]);
    expect(found).toMatchObject([{ kind: "amount", severity: "alarm", expected: "true", found: "false" }]);
    expect(found[0]?.sentence).toMatch(/does not have subtractFee, but .* taken off the amount/);
  });

  test("does not mind how a value is written: trailing zeros, bech32 in capitals, an empty ledger field", () => {
    const same = payoutOf(asked, {
      requestedAmount: amountOf("0.01500000", "BTC"),
      destinationAddress: paid.destinationAddress?.toUpperCase() ?? "",
      generalLedgerDistribution: "",
    });
    expect(breaksFor([asked], [same])).toEqual([]);
  });

  test("does not overlook a base58 address that differs in case only", () => {
    const boat = instruction(1, { fields: { destinationAddress: "1BoatSLRHtKNngkdXEeobR76b53LETtpyT" } });
    const found = payoutOf(boat, { destinationAddress: "1boatSLRHtKNngkdXEeobR76b53LETtpyT" });
    expect(kinds(breaksFor([boat], [found]))).toEqual(["destination"]);
  });

  test("unknown-state: a state nobody listed, and one that leaves the outcome open", () => {
    for (const state of ["PONDERING", "CREATE_TIMEOUT", ""])
      expect(kinds(breaksFor([asked], [{ ...pending, state }]))).toEqual(["unknown-state"]);
    expect(breaksFor([asked], [{ ...pending, state: "" }])).toMatchObject([
      { sentence: expect.stringContaining("has no state, so it counts as open") },
    ]);
  });

  test("stuck: an open state for longer than allowed, and not before", () => {
    const waiting = (stateSeenAt: string) => ({ ...pending, stateSeenAt });
    for (const since of [RECENTLY, "2026-11-20T11:00:00.000Z"])
      expect(breaksFor([asked], [waiting(since)])).toEqual([]);
    expect(breaksFor([asked], [{ ...paid, stateSeenAt: YESTERDAY }])).toEqual([]);
    expect(breaksFor([asked], [waiting(YESTERDAY)])).toMatchObject([
      {
        kind: "stuck",
        sentence: expect.stringContaining(
          "has been AUTHORIZED since 2026-11-19T12:00:00.000Z, for 24 hours: ask the service's operator",
        ),
      },
    ]);
    const unauthorized = { ...waiting(YESTERDAY), state: "COSIGNER_AUTHORIZATIONS_PENDING" };
    const who = `\`paydrop payouts show ${unauthorized.payoutId}\` says who must still authorize it.`;
    expect(breaksFor([asked], [unauthorized])).toMatchObject([{ sentence: expect.stringContaining(who) }]);
  });

  test("failed: a warning, and an alarm when a transaction is named all the same", () => {
    const failed = { ...pending, state: "SEND_FAILED" };
    expect(breaksFor([asked], [failed])).toMatchObject([
      { kind: "failed", severity: "warning", found: "SEND_FAILED" },
    ]);
    const { txHash: _, ...nameless } = { ...sent };
    for (const [funds, named] of [
      [{ ...sent }, "tx-1"],
      [{ ...nameless, transactionId: "T-1" }, "T-1"],
    ] as const)
      expect(breaksFor([asked], [{ ...failed, sentFunds: [funds] }])).toMatchObject([
        { kind: "failed", severity: "alarm", sentence: expect.stringContaining(named) },
      ]);
  });

  test("failed: whatever a service writes into a transaction, nothing invisible is in the sentence", () => {
    const failed = { ...paid, state: "SEND_FAILED", sentFunds: [{ ...sent, txHash: "a\u0000b\u202e" }] };
    expect(breaksFor([asked], [failed])[0]?.sentence).toContain("the transaction a\\u{0}b\\u{202e}: it may");
  });

  test("sent-amount: too little, and nothing at all on a completed payout", () => {
    const short = payoutOf(asked, { sentFunds: [{ ...sent, amount: amountOf("0.0149", "BTC") }] });
    const found = (payout: ObservedPayout) => breaksFor([asked], [payout]);
    const kind = "sent-amount";
    expect(found(short)).toMatchObject([{ kind, expected: "0.015", found: "0.0149" }]);
    expect(found(payoutOf(asked, { sentFunds: [] }))).toMatchObject([{ kind, expected: "0.015", found: "" }]);
    const litecoin = { ...received("x", "1"), amount: amountOf("1", "LTC") };
    const beside = payoutOf(asked, { sentFunds: [...paid.sentFunds, litecoin] });
    expect(found(beside)).toMatchObject([{ kind, found: "0.015" }]);
    expect(found(beside)[0]?.sentence).toContain("1 amount or fee is missing or in another currency");
  });

  test("does not mind whether the amount under subtractFee is before or after the fee, but nothing else", () => {
    const net = instruction(1, { fields: { subtractFee: true } });
    const shown = (amount: string) =>
      payoutOf(net, { sentFunds: [{ ...sent, amount: amountOf(amount, "BTC") }] });
    expect(breaksFor([net], [shown("0.0149785")])).toEqual([]);
    expect(breaksFor([net], [shown("0.015")])).toEqual([]);
    expect(kinds(breaksFor([net], [shown("0.0149")]))).toEqual(["sent-amount"]);
  });

  test("fee: above the limit of its currency, not at it, and never without one", () => {
    const costing = (fee: string) => payoutOf(asked, { sentFunds: [{ ...sent, fee: amountOf(fee, "BTC") }] });
    expect(breaksFor([asked], [costing("0.001")])).toEqual([]);
    expect(breaksFor([asked], [costing("0.00100001")])).toMatchObject([
      { kind: "fee", id: `fee:payout:${uuid(1)}:BTC`, found: "0.00100001" },
    ]);
    expect(breaksFor([asked], [costing("1")], { feeLimit: {} })).toEqual([]);
  });

  test("does not let a hostile reference write to the terminal", () => {
    const [found] = breaksFor([], [payoutOf(asked, { reference: "\u001b[2J\u202e\u009b" })]);
    expect(found?.sentence).not.toMatch(/\p{Cc}|\p{Cf}/u);
  });
});

describe("the amount at stake", () => {
  const short = payoutOf(asked, { sentFunds: [{ ...sent, amount: amountOf("0.0149", "BTC") }] });
  const costly = payoutOf(asked, { sentFunds: [{ ...sent, fee: amountOf("0.0012", "BTC") }] });
  const late = { createdAt: YESTERDAY, state: "SENDING", sentFunds: [], stateSeenAt: YESTERDAY };
  const other = amountOf("0.015", "LTC");
  test.each([
    ["missing: the payment's", [asked], [], "missing", "0.015 BTC"],
    ["unexpected: the payout's", [], [paid], "unexpected", "0.015 BTC"],
    [
      "failed: the payment's",
      [asked],
      [payoutOf(asked, { state: "CANCELLED", sentFunds: [] })],
      "failed",
      "0.015 BTC",
    ],
    ["stuck: the payment's", [asked], [payoutOf(asked, late)], "stuck", "0.015 BTC"],
    [
      "amount: the difference",
      [asked],
      [payoutOf(asked, { requestedAmount: amountOf("0.0150001", "BTC") })],
      "amount",
      "0.0000001 BTC",
    ],
    ["sent-amount: the difference", [asked], [short], "sent-amount", "0.0001 BTC"],
    ["fee: what is above the limit", [asked], [costly], "fee", "0.0002 BTC"],
    [
      "amount in another currency: no difference",
      [asked],
      [payoutOf(asked, { requestedAmount: other })],
      "currency",
      "0.015 LTC",
    ],
    ["a reference alone: nothing", [asked], [payoutOf(asked, { reference: "else" })], "reference", undefined],
    [
      "a ledger field alone: nothing",
      [asked],
      [payoutOf(asked, { generalLedgerName: "1" })],
      "ledger-field",
      undefined,
    ],
  ] as const)("is of %s", (_, instructions, payouts, kind, amount) => {
    const found = breaksFor([...instructions], [...payouts]).find((each) => each.kind === kind);
    expect(found?.kind).toBe(kind);
    expect(found?.amount && formatAmount({ ...found.amount, value: found.amount.value.normalized() })).toBe(
      amount,
    );
  });

  test("is of deposits what is too much or too little, or what came", () => {
    const stakes = depositBreaks(
      deposit(1, { receivedFunds: [received("over", "0.013")] }),
      deposit(2, { receivedFunds: [received("under", "0.0025")] }),
      deposit(3, { state: "VOID", receivedFunds: [received("void", "0.5")] }),
    ).map(({ kind, amount }) => `${kind} ${amount?.value.normalized()}`);
    expect(stakes.sort()).toEqual(["deposit-after-void 0.5", "deposit-over 0.0005", "deposit-under 0.01"]);
  });

  test("is of a balance the size of the difference", () => {
    const opened = { custodyAccountId: asked.fields.custodyAccountId, observedAt: YESTERDAY };
    const [found] = reconcile(
      inputOf({
        openings: [{ ...opened, total: amountOf("2", "BTC") }],
        balances: [{ ...opened, total: amountOf("1.5", "BTC") }],
      }),
      POLICY,
    ).breaks;
    expect([found?.kind, found?.amount?.currency, found?.amount?.value.normalized().toString()]).toEqual([
      "balance",
      "BTC",
      "0.5",
    ]);
  });
});

describe("totals", () => {
  test("count the breaks of each severity", () => {
    const fee = { ...sent, fee: amountOf("1", "BTC") };
    const late = payoutOf(instruction(2), { state: "SENDING", sentFunds: [], stateSeenAt: YESTERDAY });
    const opened = { custodyAccountId: asked.fields.custodyAccountId, observedAt: YESTERDAY };
    const input = inputOf({
      instructions: [asked, instruction(2), instruction(3)],
      payouts: [payoutOf(asked, { sentFunds: [{ ...fee, state: "UNCONFIRMED" }] }), late],
      openings: [{ ...opened, total: amountOf("2", "BTC") }],
      balances: [{ ...opened, total: amountOf("2", "BTC") }],
    });
    expect(reconcile(input, POLICY).totals.breaks).toEqual({ alarm: 1, warning: 2, note: 1 });
  });

  test.each([
    ["an instruction", { matches: [] }],
    ["a payout", { seen: 2 }],
  ])("stop the comparison if %s was lost on the way", (_what, lost) => {
    const matching = { ...matchPayouts(MATCHED, "callbackUrl"), ...lost };
    const counted = { payments: new TotalsByClass(), payouts: 0, setAside: 0 };
    expect(() => totalsOf(matching, [], new Map(), counted, { seen: 0, beforeBaseline: 0 })).toThrow(
      expect.objectContaining({ problem: expect.objectContaining({ code: "INVARIANT_BROKEN" }) }),
    );
  });
});

describe("deposits", () => {
  test("reports nothing for one that is paid in parts, waits, or expired unpaid", () => {
    const waiting = { receivedFunds: [], stateSeenAt: YESTERDAY };
    expect(
      depositBreaks(
        deposit(1),
        deposit(2, { ...waiting, state: "CREATED" }),
        deposit(3, { ...waiting, state: "EXPIRED", expiresAt: YESTERDAY }),
        deposit(4, { state: "RECEIVING_FUNDS", receivedFunds: [received("in", "0.001")] }),
      ),
    ).toEqual([]);
  });

  test("deposit-under: closed with too little, or half paid for too long", () => {
    const receivedFunds = [received("in", "0.01", YESTERDAY)];
    for (const state of ["COMPLETED", "EXPIRED"])
      expect(depositBreaks(deposit(1, { state, receivedFunds }))).toMatchObject([
        {
          kind: "deposit-under",
          sentence: expect.stringContaining("0.01 BTC of 0.0125 BTC: 0.0025 BTC are missing"),
        },
      ]);
    expect(
      kinds(depositBreaks(deposit(1, { state: "RECEIVING_FUNDS", receivedFunds, stateSeenAt: YESTERDAY }))),
    ).toEqual(["deposit-under"]);
    const halfPaid = { state: "RECEIVING_FUNDS", receivedFunds: [received("in", "0.01", RECENTLY)] };
    const tomorrow = "2026-11-21T12:00:00.000Z";
    for (const about of [{}, { stateSeenAt: YESTERDAY }, { expiresAt: tomorrow }, { receivedFunds }])
      expect(depositBreaks(deposit(1, { ...halfPaid, ...about }))).toEqual([]);
    for (const expiresAt of [RECENTLY, NOW])
      expect(kinds(depositBreaks(deposit(1, { ...halfPaid, expiresAt })))).toEqual(["deposit-under"]);
  });

  test("deposit-over: more than was asked for", () => {
    expect(depositBreaks(deposit(1, { receivedFunds: [received("in", "0.0127")] }))).toMatchObject([
      { kind: "deposit-over", expected: "0.0125", found: "0.0127" },
    ]);
  });

  test("deposit-late: money after the rate expired, but not at the very instant", () => {
    expect(depositBreaks(deposit(1, { expiresAt: RECENTLY }))).toEqual([]);
    const parts = [received("in-1", "0.01"), received("in-2", "0.0025", NOW)];
    expect(depositBreaks(deposit(1, { expiresAt: YESTERDAY, receivedFunds: parts }))).toMatchObject([
      { kind: "deposit-late", expected: YESTERDAY, found: `0.0125 BTC at ${NOW}` },
    ]);
  });

  test("deposit-after-void: money on a void deposit is one break, whatever its sum", () => {
    for (const state of ["VOID", "CREATE_FAILED"])
      expect(kinds(depositBreaks(deposit(1, { state })))).toEqual(["deposit-after-void"]);
    expect(
      kinds(depositBreaks(deposit(1, { state: "VOID", receivedFunds: [received("in", "0.1")] }))),
    ).toEqual(["deposit-after-void"]);
    expect(depositBreaks(deposit(1, { state: "VOID", receivedFunds: [] }))).toEqual([]);
  });

  test("currency: another coin arrived than was asked for", () => {
    const litecoin = { ...received("in", "1"), amount: amountOf("1", "LTC") };
    expect(
      kinds(depositBreaks(deposit(1, { receivedFunds: [...deposit(1).receivedFunds, litecoin] }))),
    ).toEqual(["currency"]);
    const { requestedInCrypto: _, ...unasked } = deposit(1, { receivedFunds: [litecoin] });
    expect(depositBreaks(unasked)).toMatchObject([{ kind: "currency", expected: "BTC", found: "1 LTC" }]);
  });

  test.each<[string, Partial<ObservedDeposit>]>([
    ["deposit-late", { expiresAt: YESTERDAY }],
    ["deposit-after-void", { state: "VOID" }],
    ["currency", { requestedInCrypto: amountOf("1", "LTC") }],
  ])(
    "%s says the same in whatever order the parts are listed, and something else once more arrives",
    (kind, about) => {
      const parts = [received("a", "0.005"), received("b", "0.0075", "2026-11-20T11:00:00.000Z")];
      const foundIn = (receivedFunds: ObservedFunds[]) =>
        depositBreaks(deposit(1, { ...about, receivedFunds })).find((one) => one.kind === kind)?.found;
      expect(foundIn(parts)).toContain("0.0125 BTC");
      expect(foundIn(parts.toReversed())).toBe(foundIn(parts));
      expect(foundIn([...parts, received("c", "0.1")])).toContain("0.1125 BTC");
    },
  );

  test("unknown-state: of a deposit", () => {
    expect(depositBreaks(deposit(1, { state: "MELTING" }))).toMatchObject([
      { kind: "unknown-state", found: "MELTING" },
    ]);
  });

  test("does not look at deposits from before the baseline", () => {
    const old = deposit(1, { state: "VOID" });
    const input = inputOf({ deposits: [old], ignoredDepositIds: new Set([old.depositId]) });
    expect(reconcile(input, POLICY).breaks).toEqual([]);
  });
});
