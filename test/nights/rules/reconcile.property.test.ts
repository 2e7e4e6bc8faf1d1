/** Rules for all inputs: no breaks if both sides agree, exactly one kind for one planted change, one order. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type BreakKind,
  correlatedCallbackUrl,
  type Instruction,
  type ObservedDeposit,
  type ObservedPayout,
  type PayoutId,
  payoutId,
  SentClaims,
} from "../../../src/model/index.ts";
import { amountOf, Decimal } from "../../../src/money/index.ts";
import type { ComparedDeposit } from "../../../src/nights/rules/index.ts";
import { runsOf } from "../../slice.ts";
import { type ReconciliationInput, reconcile, reconcileInParts } from "./reconcile-at-once.ts";
import {
  deposit,
  inputOf,
  instruction,
  NOW,
  POLICY,
  payoutOf,
  RECENTLY,
  received,
  SAVINGS,
  TREASURY,
  uuid,
  withoutPayoutId,
  YESTERDAY,
} from "./world.ts";

interface World {
  readonly instructions: Instruction[];
  readonly payouts: ObservedPayout[];
  readonly deposits: ObservedDeposit[];
  readonly paidAgain?: NonNullable<ReconciliationInput["paidAgain"]>;
  readonly notShown?: NonNullable<ReconciliationInput["notShown"]>;
  readonly sentClaims?: NonNullable<ReconciliationInput["sentClaims"]>;
  /** Its money is the other payout's that lists it too; the ledger does not have it. */
  readonly leftOnce?: PayoutId;
  /** How much the ledger has beyond the movements. */
  readonly ledgerOff?: Decimal;
}

const satoshis = fc.bigInt({ min: 10_000n, max: 10n ** 12n });
const btc = (units: bigint) => Decimal.of(`${units}e-8`);

const spec = fc.record({
  units: satoshis,
  state: fc.constantFrom("COMPLETED", "SENT", "AUTHORIZED", "COSIGNER_AUTHORIZATIONS_PENDING"),
  subtractFee: fc.boolean(),
  ownTransfer: fc.boolean(),
  stored: fc.boolean(),
  parts: fc.array(satoshis, { minLength: 1, maxLength: 3 }),
});

/** The first pair is always a plain completed payout, so that every change can be planted on it. */
const worlds = fc.array(spec, { minLength: 1, maxLength: 8 }).map((specs): World => {
  const pairs = specs.map(({ units, state, subtractFee, ownTransfer, stored }, index) => {
    const drawn = instruction(index + 1, {
      fields: { amount: { currency: "BTC", value: btc(units) }, subtractFee },
    });
    const { destinationAddress: _, ...others } = drawn.fields;
    const plain = index === 0;
    const asked =
      ownTransfer && !plain ? { ...drawn, fields: { ...others, destinationAccountId: SAVINGS } } : drawn;
    const sends = plain || state === "COMPLETED" || state === "SENT";
    const payout = payoutOf(asked, sends ? { state: plain ? "COMPLETED" : state } : { state, sentFunds: [] });
    return { asked: stored || plain ? asked : withoutPayoutId(asked), payout };
  });
  return {
    instructions: pairs.map(({ asked }) => asked),
    payouts: pairs.map(({ payout }) => payout),
    deposits: specs.map(({ parts }, index) =>
      deposit(index + 1, {
        requestedInCrypto: { currency: "BTC", value: Decimal.sum(parts.map(btc)) },
        receivedFunds: parts.map((units, part) => received(`in-${index}-${part}`, btc(units).toString())),
      }),
    ),
  };
});

/**
 * Computes the balances differently from the proof: movement by movement, each once, as a service would. The ledger
 * has booked the same.
 */
function withBalances({
  instructions,
  payouts,
  deposits,
  leftOnce,
  ledgerOff,
  ...others
}: World): ReconciliationInput {
  let treasury = Decimal.of("100000");
  let savings = Decimal.of("5");
  for (const { sentFunds, destinationAccountId, payoutId } of payouts)
    for (const { amount, fee } of payoutId === leftOnce ? [] : sentFunds) {
      treasury = treasury.minus(amount?.value ?? Decimal.zero).minus(fee?.value ?? Decimal.zero);
      if (destinationAccountId === SAVINGS) savings = savings.plus(amount?.value ?? Decimal.zero);
    }
  const received = new Map(deposits.flatMap((each) => each.receivedFunds.map((row) => [row.txHash, row])));
  for (const { amount } of received.values()) treasury = treasury.plus(amount?.value ?? Decimal.zero);
  const booked = (custodyAccountId: string, balance: Decimal, opening: string) => ({
    ...{ custodyAccountId, currency: "BTC", quantity: balance.minus(Decimal.of(opening)) },
  });
  return inputOf({
    ...others,
    instructions,
    payouts,
    deposits,
    ledger: {
      treasury: [
        booked(TREASURY, treasury.plus(ledgerOff ?? Decimal.zero), "100000"),
        booked(SAVINGS, savings, "5"),
      ],
      unbooked: new Set(leftOnce === undefined ? [] : [leftOnce]),
      entered: new Set<string>(),
      keptOfUnbooked: [],
    },
    openings: [
      { custodyAccountId: TREASURY, total: amountOf("100000", "BTC"), observedAt: YESTERDAY },
      { custodyAccountId: SAVINGS, total: amountOf("5", "BTC"), observedAt: YESTERDAY },
    ],
    balances: [
      { custodyAccountId: TREASURY, total: { currency: "BTC", value: treasury }, observedAt: NOW },
      { custodyAccountId: SAVINGS, total: { currency: "BTC", value: savings }, observedAt: NOW },
    ],
  });
}

type Plant = (world: World) => World;

const onPayout =
  (change: (payout: ObservedPayout) => Partial<ObservedPayout>): Plant =>
  ({ payouts: [first, ...others], ...world }) => ({
    ...world,
    payouts: first === undefined ? [] : [{ ...first, ...change(first) }, ...others],
  });

const onDeposit =
  (change: (deposit: ComparedDeposit) => Partial<ComparedDeposit>): Plant =>
  ({ deposits: [first, ...others], ...world }) => ({
    ...world,
    deposits: first === undefined ? [] : [{ ...first, ...change(first) }, ...others],
  });

const onInstruction =
  (change: (instruction: Instruction) => Instruction): Plant =>
  ({ instructions: [first, ...others], ...world }) => ({
    ...world,
    instructions: first === undefined ? [] : [change(first), ...others],
  });

const oneMore = ({ value, currency }: { value: Decimal; currency: string }, by = "0.00000001") => ({
  currency,
  value: value.plus(Decimal.of(by)),
});

/** Adds a deposit that also lists the receipts of the first one, without a requested amount. */
function listedAgain(number: number, change: (first: ComparedDeposit) => Partial<ComparedDeposit>): Plant {
  return ({ deposits, ...world }) => ({
    ...world,
    deposits: deposits.flatMap((one, index) => {
      const { requestedInCrypto: _, ...copy } = one;
      return index > 0 ? [one] : [one, { ...copy, ...change(one), depositId: deposit(number).depositId }];
    }),
  });
}

const PLANTS: Readonly<Record<Exclude<BreakKind, "balance">, Plant>> = {
  "ledger-treasury": (world) => ({ ...world, ledgerOff: btc(1n) }),
  missing: ({ payouts: [, ...others], ...world }) => ({ ...world, payouts: others }),
  unexpected: (world) => ({
    ...world,
    payouts: [payoutOf(instruction(99)), ...world.payouts],
  }),
  "duplicate-reference": ({ payouts, ...world }) => ({
    ...world,
    payouts: [
      ...payouts,
      ...payouts.slice(0, 1).map((first) => ({ ...first, payoutId: payoutId(uuid(98)) })),
    ],
  }),
  "not-shown": (world) => ({
    ...world,
    notShown: new Map(world.payouts.slice(0, 1).map((payout) => [payout.payoutId, YESTERDAY])),
  }),
  "mixed-up": ({ instructions: [first, ...others], payouts: [payout, ...more], ...world }) => {
    const asked = { ...withoutPayoutId(instruction(97)), standing: "in doubt" as const };
    if (first === undefined || payout === undefined) return { ...world, instructions: [], payouts: [] };
    return {
      ...world,
      instructions: [{ ...first, payoutId: payout.payoutId }, asked, ...others],
      payouts: [{ ...payout, reference: "INV-97", callbackUrl: correlatedCallbackUrl(asked) }, ...more],
    };
  },
  "paid-twice": (world) => ({
    ...world,
    paidAgain: new Map(world.instructions.slice(0, 1).map(({ id }) => [id, ["AGAIN"]])),
  }),
  "against-standing": onInstruction((one) => ({ ...withoutPayoutId(one), standing: "refused" })),
  reference: onPayout(() => ({ reference: "CUT" })),
  amount: onInstruction((one) => ({ ...one, fields: { ...one.fields, amount: oneMore(one.fields.amount) } })),
  currency: onInstruction((one) => ({
    ...one,
    fields: { ...one.fields, amount: { ...one.fields.amount, currency: "LTC" } },
  })),
  destination: onPayout(() => ({ destinationAddress: "1BoatSLRHtKNngkdXEeobR76b53LETtpyT" })),
  "custody-account": onInstruction((one) => ({
    ...one,
    fields: { ...one.fields, custodyAccountId: SAVINGS },
  })),
  "ledger-field": onPayout(() => ({ generalLedgerDistribution: "DIST" })),
  "fee-policy": ({ instructions, payouts: [first, ...others], ...world }) => ({
    ...world,
    instructions: instructions.map((one) => ({ ...one, fields: { ...one.fields, feePolicy: "NORMAL" } })),
    payouts: first === undefined ? [] : [{ ...first, feePolicy: "FAST" }, ...others],
  }),
  "unknown-state": onPayout(() => ({ state: "PONDERING" })),
  "state-went-back": onDeposit(() => ({
    state: "RECEIVING_FUNDS",
    stateBefore: { state: "COMPLETED", seenAt: YESTERDAY },
  })),
  "unconfirmed-too-long": onPayout(({ sentFunds }) => ({
    state: "SENT",
    sentFunds: sentFunds.map((funds) => ({ ...funds, state: "UNCONFIRMED", createdAt: YESTERDAY })),
  })),
  stuck: onPayout(() => ({ state: "SENDING", stateSeenAt: YESTERDAY })),
  failed: onPayout(() => ({ state: "CANCELLED", sentFunds: [] })),
  "sent-amount": onPayout(({ sentFunds }) => ({
    sentFunds: sentFunds.map(({ amount, ...funds }) => ({
      ...funds,
      ...(amount && { amount: oneMore(amount) }),
    })),
  })),
  fee: ({ instructions: [asked, ...others], payouts: [, ...more], ...world }) => {
    if (asked === undefined) return { ...world, instructions: [], payouts: [] };
    const withoutFee = oneMore(asked.fields.amount, "-0.002");
    // At most the whole amount can be subtracted.
    const subtractFee = asked.fields.subtractFee === true && withoutFee.value.compare(Decimal.zero) > 0;
    const one = { ...asked, fields: { ...asked.fields, subtractFee } };
    const payout = payoutOf(one);
    const sentFunds = payout.sentFunds.map((funds) => ({
      ...funds,
      fee: amountOf("0.002", "BTC"),
      amount: subtractFee ? withoutFee : asked.fields.amount,
    }));
    return { ...world, instructions: [one, ...others], payouts: [{ ...payout, sentFunds }, ...more] };
  },
  "receiver-address": onDeposit(() => ({ receiverAddress: "bc1qnew", firstAddress: "bc1qold" })),
  "deposit-under": onDeposit(({ requestedInCrypto }) => ({
    ...(requestedInCrypto && { requestedInCrypto: oneMore(requestedInCrypto) }),
  })),
  "deposit-over": onDeposit(({ requestedInCrypto }) => ({
    ...(requestedInCrypto && { requestedInCrypto: oneMore(requestedInCrypto, "-0.00000001") }),
  })),
  "deposit-rate": onDeposit(({ requestedInCrypto }) => ({
    ...(requestedInCrypto && {
      requestedInFiat: { currency: "EUR", value: requestedInCrypto.value.plus(Decimal.of("1")) },
      fixedRate: { rate: Decimal.of("1"), from: requestedInCrypto.currency, to: "EUR" },
    }),
  })),
  "deposit-late": onDeposit(() => ({ expiresAt: YESTERDAY })),
  "erp-answer": (world) => ({
    ...world,
    troubledAnswers: [
      {
        target: "netsuite",
        saidOf: "payout:1:settle:1",
        verdict: "refused",
        trouble: "refused-after-posted",
        file: "answer.csv",
        line: 2,
        answeredAt: YESTERDAY,
      },
    ],
  }),
  "erp-unanswered": (world) => ({
    ...world,
    unanswered: [{ target: "netsuite", number: 7, issuedAt: YESTERDAY, entries: 3 }],
  }),
  "deposit-after-void": onDeposit(() => ({ state: "VOID" })),
  "sent-claimed-twice": ({ instructions, payouts, ...world }) => {
    const [first] = payouts;
    const asked = instruction(94, { fields: { ...instructions[0]?.fields, reference: "INV-94" } });
    const { sentFunds = [] } = first ?? {};
    const claiming = [...payouts, { ...payoutOf(asked), sentFunds }];
    return {
      ...world,
      instructions: [...instructions, asked],
      payouts: claiming,
      sentClaims: new SentClaims(claiming.map((payout) => ({ payout, beforeBaseline: false }))),
      ...(asked.payoutId && { leftOnce: asked.payoutId }),
    };
  },
  "receipt-claimed-twice": listedAgain(96, () => ({})),
  "deposit-duplicated": listedAgain(97, ({ depositId }) => ({ duplicatedFromDepositId: depositId })),
  "receipt-moved": onDeposit((one) => ({
    claims: one.receivedFunds.slice(0, 1).map(() => ({
      kind: "moved",
      other: {
        deposit: deposit(98, { receivedFunds: [] }),
        beforeBaseline: false,
        isSetAside: false,
        formerly: [],
        since: [],
      },
    })),
  })),
};

const kindsOf = (input: ReconciliationInput) => reconcile(input, POLICY).breaks.map(({ kind }) => kind);

describe("reconcile", () => {
  test("reports nothing for any consistent world, and its balances tie", () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const { breaks, balanceProof, totals } = reconcile(withBalances(world), POLICY);
        expect(breaks).toEqual([]);
        expect(balanceProof.map(({ ties }) => ties)).toEqual([true, true]);
        expect(totals.payouts.ofPayments).toBe(world.instructions.length);
      }),
    );
  });

  test.each(Object.entries(PLANTS))("reports one planted change as %s and as nothing else", (kind, plant) => {
    fc.assert(
      fc.property(worlds, (world) => {
        expect(kindsOf(withBalances(plant(world)))).toEqual([kind]);
      }),
      runsOf(13, 40),
    );
  });

  test.each(Object.entries(PLANTS))(
    "says the same with %s planted if it keeps nothing that it can clear",
    (_kind, plant) => {
      fc.assert(
        fc.property(worlds, fc.constantFrom("callbackUrl", "reference"), (world, correlation) => {
          const input = withBalances(plant(world));
          const policy = { ...POLICY, correlation };
          expect(reconcileInParts(input, policy)).toEqual(reconcile(input, policy));
        }),
        runsOf(4, 10),
      );
    },
  );

  test("reports a balance that is off by any amount, and nothing else", () => {
    fc.assert(
      fc.property(worlds, satoshis, fc.boolean(), (world, units, less) => {
        const input = withBalances(world);
        const change = less ? btc(units).negated() : btc(units);
        const [first, ...others] = input.balances;
        if (first === undefined) return;
        const off = { ...first, total: { ...first.total, value: first.total.value.plus(change) } };
        const { breaks, balanceProof } = reconcile({ ...input, balances: [off, ...others] }, POLICY);
        expect(breaks.map(({ kind }) => kind)).toEqual(["balance"]);
        expect(balanceProof[0]?.difference?.equals(change)).toBe(true);
      }),
    );
  });

  test("gives the same answer in the same order, however its input is ordered", () => {
    const planted = worlds.map((world) =>
      withBalances(Object.values(PLANTS).reduce((so, plant) => plant(so), world)),
    );
    fc.assert(
      fc.property(planted, (input) => {
        const reversed = {
          ...input,
          instructions: [...input.instructions].reverse(),
          payouts: [...input.payouts].reverse(),
          deposits: [...input.deposits].reverse(),
          balances: [...input.balances].reverse(),
          openings: [...input.openings].reverse(),
        };
        expect(reconcile(reversed, POLICY)).toEqual(reconcile(input, POLICY));
      }),
    );
  });

  test("keeps a break's id from night to night while its sentence ages", () => {
    const world = {
      instructions: [instruction(1)],
      deposits: [],
      payouts: [payoutOf(instruction(1), { state: "SENDING", sentFunds: [], stateSeenAt: RECENTLY })],
    };
    const nights = ["2026-11-21T02:00:00.000Z", "2026-11-22T02:00:00.000Z"].map(
      (now) => reconcile(inputOf(world), { ...POLICY, now }).breaks,
    );
    expect(nights.map((breaks) => breaks.map(({ id }) => id))).toEqual(
      nights.map(() => [`stuck:payout:${uuid(1)}`]),
    );
  });

  test("totals tie: accepted is the sum of its classes, seen is what payments have, duplicate, unexpected and before the baseline", () => {
    const world = PLANTS.unexpected(
      PLANTS["duplicate-reference"]({
        instructions: [instruction(1), instruction(2)],
        payouts: [payoutOf(instruction(1))],
        deposits: [],
      }),
    );
    const { totals } = reconcile(inputOf(world), POLICY);
    expect(totals).toMatchObject({
      accepted: [{ currency: "BTC", count: 2 }],
      agree: [{ currency: "BTC", count: 1 }],
      differ: [],
      notShown: [{ currency: "BTC", count: 1 }],
      undecided: [],
      gone: [],
      payouts: { seen: 3, ofPayments: 1, duplicate: 1, unexpected: 1, beforeBaseline: 0 },
      breaks: { alarm: 3, warning: 0, note: 0 },
    });
  });
});
