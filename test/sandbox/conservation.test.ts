/** Money is conserved: after any requests, balances equal what the movements and the open payouts add up to. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Decimal } from "../../src/money/index.ts";
import type { Balance, Movement } from "../../src/sandbox/index.ts";
import { runsOf } from "../slice.ts";
import { creationText, found, MAIN, PAYEE, QUERY_DATE, SAVINGS, seed, type Trial, trial } from "./trial.ts";

const FIGURES = [
  "total",
  "available",
  "confirmed",
  "unconfirmedReceived",
  "locked",
  "sentUnconfirmed",
  "selfUnconfirmedReceived",
] as const;
type Figures = Record<(typeof FIGURES)[number], string>;

const ACCOUNTS = [MAIN, SAVINGS];
const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

const DEPOSIT = "00000000-0000-4000-8000-0000000000d1";
const DEPOSIT_ADDRESS = "the deposit's";

const step = fc.oneof(
  fc.record({
    kind: fc.constant("pay" as const),
    accountId: fc.constantFrom(...ACCOUNTS),
    destination: fc.constantFrom(ADDRESS, DEPOSIT_ADDRESS, MAIN, SAVINGS, PAYEE),
    satoshi: fc.integer({ min: -10, max: 90_000_000 }),
    reference: fc.constantFrom("GOOD", "FAILS", "CANCELS"),
    subtractFee: fc.boolean(),
    verifyBalance: fc.boolean(),
    batchingAllowed: fc.boolean(),
    feePolicy: fc.constantFrom("SLOW", "NORMAL", "FAST"),
  }),
  fc.record({ kind: fc.constant("pass" as const), durationMs: fc.integer({ min: 0, max: 500 }) }),
  fc.record({ kind: fc.constant("void" as const), nth: fc.nat(20) }),
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

test("balances always equal what the movements imply", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const one = trial({
        stepMs: 100,
        seed: {
          ...seed,
          payoutOutcomes: [
            { reference: "FAILS", state: "SEND_FAILED" },
            { reference: "CANCELS", state: "CANCELLED" },
          ],
          deposits: [
            {
              depositId: DEPOSIT,
              accountId: MAIN,
              reference: "DEP-1",
              parts: [
                { amount: "0.3", afterMs: 150, confirmAfterMs: 400 },
                { amount: "0.00000001", afterMs: 900, confirmAfterMs: 10 },
              ],
            },
          ],
        },
      });
      for (const [index, now] of steps.entries()) {
        take(one, now, index + 1);
        expect(reported(one)).toEqual(implied(one));
      }
      one.pass(10_000);
      expect(reported(one)).toEqual(implied(one));
      expect(reported(one).map(({ locked, sentUnconfirmed }) => [locked, sentUnconfirmed])).toEqual([
        ["0", "0"],
        ["0", "0"],
      ]);
      one.sandbox.close();
    }),
    runsOf(20, 60),
  );
});

test("the comparison notices a single satoshi", () => {
  const one = trial();
  const [main] = implied(one, [
    ...one.sandbox.movements(),
    {
      accountId: MAIN,
      kind: "received",
      amount: Decimal.of("0.00000001"),
      subject: "x",
      createdAt: 0,
      confirmedAt: 1,
    },
  ]);
  expect(reported(one)[0]).not.toEqual(main);
});

function take(one: Trial, now: Step, nonce: number): void {
  switch (now.kind) {
    case "pass":
      one.pass(now.durationMs);
      break;
    case "void": {
      const payoutId = one.sandbox.creations()[now.nth]?.payoutId ?? MAIN;
      one.call("/payouts/void", `{"payoutId":"${payoutId}","nonce":${nonce}}`);
      break;
    }
    case "pay":
      pay(one, now, nonce);
  }
}

function pay(one: Trial, now: Step & { kind: "pay" }, nonce: number): void {
  const toDeposit = now.destination === DEPOSIT_ADDRESS;
  const toAddress = now.destination === ADDRESS || toDeposit;
  const address = toDeposit ? receiverOf(one) : ADDRESS;
  const amount = Decimal.of(String(now.satoshi)).times(Decimal.of("0.00000001"));
  const body = creationText({
    accountId: `"${now.accountId}"`,
    nonce: String(nonce),
    reference: `"${now.reference}"`,
    requestedAmount: `{"currency":"BTC","amount":${amount}}`,
    destinationAddress: toAddress ? `"${address}"` : undefined,
    destinationAccountId: toAddress ? undefined : `"${now.destination}"`,
    subtractFee: String(now.subtractFee),
    verifyBalance: String(now.verifyBalance),
    batchingAllowed: String(now.batchingAllowed),
    feePolicy: `"${now.feePolicy}"`,
  });
  one.call("/payouts/v2/create", body);
}

function receiverOf(one: Trial): string {
  const filters = `,"depositIds":["${DEPOSIT}"]`;
  return found<{ receiverAddress: string }>(one, filters, "/deposits/v2/find")[0]?.receiverAddress ?? "";
}

/** The seven figures of each account, with the digits of the service's answer. */
function reported(one: Trial): Figures[] {
  const { text } = one.call("/accounts/balance", `{"accountIds":${JSON.stringify(ACCOUNTS)},${QUERY_DATE}}`);
  return text
    .split('"btcBalance":')
    .slice(1)
    .map((balance) =>
      figures((name) => {
        const digits = new RegExp(`"${name}":\\{"currency":"BTC","amount":(-?[0-9.]+)\\}`).exec(balance)?.[1];
        return Decimal.of(digits ?? "missing");
      }),
    );
}

/** The same figures computed from the movements alone; locks from the payouts still to be sent. */
function implied(one: Trial, movements = one.sandbox.movements()): Figures[] {
  return ACCOUNTS.map((accountId) => {
    const own = movements.filter((movement) => movement.accountId === accountId);
    const sum = (...wanted: Movement["kind"][]) => ({
      confirmed: sumOf(
        own.filter(({ kind, confirmedAt }) => wanted.includes(kind) && confirmedAt !== undefined),
      ),
      waiting: sumOf(
        own.filter(({ kind, confirmedAt }) => wanted.includes(kind) && confirmedAt === undefined),
      ),
    });
    const entered = sum("opening", "received");
    const self = sum("self-received");
    const left = sum("sent", "fee");
    const confirmed = entered.confirmed.plus(self.confirmed).minus(left.confirmed);
    const locked = lockedFor(one, accountId);
    const balance: Balance & { total: Decimal; available: Decimal } = {
      confirmed,
      unconfirmedReceived: entered.waiting,
      selfUnconfirmedReceived: self.waiting,
      sentUnconfirmed: left.waiting,
      locked,
      total: confirmed.plus(entered.waiting).plus(self.waiting).minus(left.waiting),
      available: confirmed.minus(left.waiting).minus(locked),
    };
    return figures((name) => balance[name]);
  });
}

const STILL_TO_SEND = '"states":["REQUESTED","CREATED","AUTHORIZED","SIGNING","SENDING"]';
const VBYTES = Decimal.of("141"); // every destination here is P2WPKH
const RATES: Readonly<Record<string, string>> = { SLOW: "2", NORMAL: "5", FAST: "12" };

function lockedFor(one: Trial, accountId: string): Decimal {
  return Decimal.sum(
    found<OpenPayout>(one, `,"size":100,${STILL_TO_SEND}`)
      .filter((payout) => payout.accountId === accountId)
      .map(({ requestedAmount, feePolicy, subtractFee }) => {
        const amount = Decimal.of(requestedAmount.amount.toFixed(8));
        const fee = Decimal.of(RATES[feePolicy] ?? "0")
          .times(VBYTES)
          .times(Decimal.of("0.00000001"));
        return subtractFee ? amount : amount.plus(fee);
      }),
  );
}

interface OpenPayout {
  readonly accountId: string;
  readonly requestedAmount: { readonly amount: number };
  readonly feePolicy: string;
  readonly subtractFee: boolean;
}

function figures(of: (name: keyof Figures) => Decimal): Figures {
  const entries = FIGURES.map((name) => [name, of(name).normalized().toString()]);
  return Object.fromEntries(entries) as Figures;
}

function sumOf(movements: readonly Movement[]): Decimal {
  return Decimal.sum(movements.map((movement) => movement.amount));
}
