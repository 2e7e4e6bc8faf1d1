/**
 * The initial state of a sandbox: clients and users, accounts, rates, deposits that will receive funds, payouts of
 * others. A plain object that can be written as YAML or JSON; times are milliseconds after the sandbox's first
 * start.
 */
import { z } from "zod";
import { Decimal, isFiat } from "../money/index.ts";

export const identifier = z.guid().transform((value) => value.toLowerCase());
const decimalText = z
  .string()
  .refine((value) => Decimal.parse(value) !== undefined, "expected a decimal number as text");
const positiveText = decimalText.refine((value) => {
  const amount = Decimal.parse(value);
  return amount !== undefined && !amount.isNegative() && !amount.isZero();
}, "expected an amount above zero");
/** At most a hundred years, so that every resulting instant can be written as a date. */
export const durationMs = z.int().min(0).max(3_155_760_000_000);

/** A user who may create and authorize payouts. */
export const seededUser = z.strictObject({
  username: z.string().min(1),
  /** Base32, at least 16 bytes. */
  otpSecret: z.string().min(26),
});

const client = z.strictObject({
  key: z.string().min(1),
  secret: z.string().min(1),
  clientId: identifier.default("c0000000-0000-4000-8000-000000000001"),
  users: z.array(seededUser).default([]),
});

export const seededCosigner = z.strictObject({
  userGroupName: z.string().min(1),
  username: z.string().min(1),
});

export const seededAccount = z.strictObject({
  accountId: identifier,
  currency: z.string().min(1).default("BTC"),
  openingBalance: decimalText.default("0"),
  /** `vault` is the one Bitcoin custody kind whose payouts and deposits can be voided. */
  kind: z.enum(["vault", "wallet"]).default("vault"),
  enabled: z.boolean().default(true),
  /** False for a known payee: a destination account whose money is not held here. */
  ownedByClient: z.boolean().default(true),
  /** Who must authorize every payout of this account after its first authorization, in this order. */
  cosigners: z.array(seededCosigner).default([]),
});

export const seededRate = z.strictObject({
  fromCurrency: z.string().min(1),
  toCurrency: z.string().min(1),
  rate: positiveText,
});

export const seededPart = z.strictObject({
  amount: positiveText,
  /** When it arrives, still unconfirmed. */
  afterMs: durationMs.default(0),
  /** Time from arrival to confirmation. */
  confirmAfterMs: durationMs,
  /** Number of confirmations from then on. */
  confirmations: z.int().min(1).default(1),
  /** The fee shown with it; the account receives the whole amount. */
  fee: positiveText.optional(),
  /** This long after it arrived another transaction replaces it, unless it is confirmed; both are listed. */
  replacedAfterMs: durationMs.optional(),
  /** The deposit that lists it instead, this long after it arrived; the money stays where it is. */
  movesTo: z.strictObject({ depositId: identifier, afterMs: durationMs }).optional(),
});

export const seededDeposit = z
  .strictObject({
    depositId: identifier,
    accountId: identifier,
    reference: z.string().min(1),
    customerId: z.string().optional(),
    callbackUrl: z.string().default("https://pay.example.com/hook/deposits"),
    requestedAmount: z
      .strictObject({
        currency: z.string().refine(isFiat, "expected a fiat currency"),
        amount: positiveText,
      })
      .optional(),
    /** Units of the requested currency for one of the account's. */
    fixedRate: positiveText.optional(),
    expiryAfterMs: durationMs.optional(),
    /** The deposit that this one was made from. */
    duplicatedFromDepositId: identifier.optional(),
    /** Whether it also lists what its original received. */
    listsOriginal: z.boolean().default(false),
    parts: z.array(seededPart).default([]),
  })
  .refine(
    (deposit) => (deposit.fixedRate === undefined) === (deposit.requestedAmount === undefined),
    "requestedAmount and fixedRate come together",
  )
  .refine(
    (deposit) => !deposit.listsOriginal || deposit.duplicatedFromDepositId !== undefined,
    "listsOriginal needs duplicatedFromDepositId",
  );

export const foreignPayout = z.strictObject({
  accountId: identifier,
  reference: z.string().min(1),
  amount: positiveText,
  destinationAddress: z.string().min(1),
  afterMs: durationMs.default(0),
});

/** A regular expression over the whole reference. */
const reference = z.string().refine(isPattern, "expected a regular expression");

const payoutOutcome = z.strictObject({
  reference,
  state: z.enum(["CREATE_FAILED", "CREATE_TIMEOUT", "CANCELLED", "SEND_FAILED"]),
});

/**
 * What a payout's sentFunds list: `replaced`: a transaction that stays unconfirmed, and the one that replaced it;
 * `parts`: two transactions of half the amount.
 */
const payoutListing = z.strictObject({ reference, sentFunds: z.enum(["replaced", "parts"]) });

/** A completed payout that goes back, and completes again. */
const payoutReturn = z.strictObject({
  reference,
  to: z.enum(["SIGNING", "SENDING", "SENT"]),
  /** Time from its completion. */
  afterMs: durationMs,
  forMs: durationMs,
});

const depositOutcome = z.strictObject({ reference, state: z.enum(["CREATE_FAILED", "CREATE_TIMEOUT"]) });

export const sandboxSeed = z.strictObject({
  clients: z.array(client).default([]),
  accounts: z.array(seededAccount).default([]),
  rates: z.array(seededRate).default([]),
  deposits: z.array(seededDeposit).default([]),
  foreignPayouts: z.array(foreignPayout).default([]),
  /** Payouts that do not complete; the first matching rule applies. */
  payoutOutcomes: z.array(payoutOutcome).default([]),
  /** The first matching rule applies. */
  payoutListings: z.array(payoutListing).default([]),
  payoutReturns: z.array(payoutReturn).default([]),
  /** Deposits that are not created (the synchronous creation answers 502); the first matching rule applies. */
  depositOutcomes: z.array(depositOutcome).default([]),
  /** The debit order code names that exist; without this list every name does. */
  orderCodeNames: z.array(z.string()).optional(),
});

/** A seed as written by a person: defaults may be omitted. */
export type SandboxSeedInput = z.input<typeof sandboxSeed>;
export type SandboxSeed = z.output<typeof sandboxSeed>;
export type SeededClient = SandboxSeed["clients"][number];
export type SeededUser = z.output<typeof seededUser>;
export type SeededCosigner = z.output<typeof seededCosigner>;
export type SeededPart = z.output<typeof seededPart>;
export type SeededAccount = SandboxSeed["accounts"][number];
export type SeededRate = SandboxSeed["rates"][number];
export type SeededDeposit = SandboxSeed["deposits"][number];
export type ForeignPayout = SandboxSeed["foreignPayouts"][number];

function isPattern(source: string): boolean {
  try {
    return source !== "" && new RegExp(source, "u") instanceof RegExp;
  } catch {
    return false; // an invalid source makes RegExp throw
  }
}
