/**
 * How a sandbox behaves. Everything the interface document does not show is a switch here, with the sandbox's own choice as
 * its default; the seed says what it begins with.
 */
import { z } from "zod";
import { PATHLESS_OPERATIONS, type PathlessOperation } from "../wire/index.ts";
import { type FaultScript, faultScript } from "./fault-scripts.ts";
import { ROUTE_METHODS, routesOf } from "./operations/routes.ts";
import { randomOfStart, timeOrderedUuids, uuidsFrom } from "./random.ts";
import { DEFAULT_FEE_RATES } from "./rules/fees.ts";
import { hmacSignatureHolds, type SignatureCheck } from "./rules/signature.ts";
import { durationMs, type SandboxSeedInput, sandboxSeed } from "./seed.ts";

const count = z.int().min(1);

const nonce = z.strictObject({
  /**
   * `unique`: never used before with this key. `increasing`: above every nonce used before with this key.
   * `window`: never used before, and at most `window` below the highest one used.
   */
  rule: z.enum(["unique", "increasing", "window"]),
  window: count,
  /** True lets a request that a business rule refuses (400, 404) use up its nonce; by default only one that is carried out does. */
  burnedByRefusal: z.boolean(),
});

/** What becomes of a reference, in this order. */
const reference = z.strictObject({
  /** White space at both ends is taken off. */
  trimmed: z.boolean(),
  lowerCased: z.boolean(),
  /** What is beyond this many UTF-16 units is cut off without a word. */
  lengthMax: count,
});

const refusalStatus = z.literal([400, 403, 404, 409, 422]);

const refusalStatuses = z.strictObject({
  zeroAmount: refusalStatus,
  bothDestinations: refusalStatus,
  disabledAccount: refusalStatus,
  unknownOrderCode: refusalStatus,
});

/** A fiat amount whose expiry has passed, for which no rate is known, or whose rate would be fixed for too long. */
const EXPIRED_RATE_CAUSES = ["expiry-passed", "rate-unknown", "expiry-too-far"] as const;

const route = z.strictObject({ method: z.enum(ROUTE_METHODS), path: z.string() });
const routes = Object.fromEntries(PATHLESS_OPERATIONS.map((name) => [name, route]));

/** Every switch that is plain data, its default in brackets. */
export const switches = {
  /** What the first start of a database puts in; clients, rates and outcomes are read at every start. [empty] */
  seed: sandboxSeed,
  /** Makes identifiers and fault scripts of a `chance` come out the same in every run of the same requests. [none] */
  randomSeed: z.int(),
  /** How long a payout stays in each of its states. [300] */
  stepMs: count,
  /** Whose addresses are good: the main networks' or the test networks'. [main] */
  network: z.enum(["main", "test"]),
  /** True lets Bitcoin destinations be taproot (bc1p), which the document does not list. [false] */
  taprootAllowed: z.boolean(),
  /** Smallest units (satoshi, litoshi) per virtual byte of each fee policy. [SLOW 2, NORMAL 5, FAST 12] */
  feeRates: z.strictObject({ SLOW: count, NORMAL: count, FAST: count }).exactPartial(),
  /** What makes a nonce valid. [unique, not burned by a refusal, window of 100] */
  nonce: nonce.exactPartial(),
  /** How references of payouts and deposits are kept. [as they were sent] */
  reference: reference.exactPartial(),
  /** True lets each time step's code be used once per user. [false] */
  otpSingleUse: z.boolean(),
  /** Methods and paths of the operations without a path; what is left out keeps its own. [operations/routes.ts] */
  routes: z.strictObject(routes as Readonly<Record<PathlessOperation, typeof route>>).exactPartial(),
  /** The pattern's zone: a literal Z, or an offset without a colon. [Z] */
  dateStyle: z.enum(["Z", "offset"]),
  /** Number of the first page in search bodies; where the document says zero-based it stays 0. [0] */
  firstPage: z.literal([0, 1]),
  /** Size of a page whose request names none. [20] */
  pageSizeDefault: count,
  /** A larger size is a 400. [500] */
  pageSizeMax: count,
  /** A filter list or a list of accounts with more items is a 400. [no limit] */
  filterItemsMax: count,
  /** The properties by which payouts and deposits can be sorted; others are a 400. [all that the sandbox knows] */
  sortProperties: z.array(z.string().min(1)),
  /** What repeats in a list of unique items is a 400, or counts once. [refused] */
  repeatedItems: z.enum(["refused", "counted-once"]),
  /** The statuses of refusals for which the document shows none. [400 each] */
  refusalStatus: refusalStatuses.exactPartial(),
  /** When a deposit's creation answers 409 CONFLICT_EXPIRED_XRATE. [expiry-passed, rate-unknown, expiry-too-far] */
  expiredRateWhen: z.array(z.enum(EXPIRED_RATE_CAUSES)),
  /** A fixed rate for longer than this is too long. [no limit] */
  fixedRateLifetimeMaxMs: durationMs,
  /** How long a created payout cannot be found. [0] */
  visibilityLagMs: durationMs,
  /** A queryDate further from the clock than this is a 409. [not checked] */
  queryDateToleranceMs: durationMs,
  /** What goes wrong, from the start. [nothing] */
  faults: z.array(faultScript),
};

const plainOptions = z.strictObject(switches).exactPartial();

/** The options that a file can hold. */
export interface WrittenOptions extends Omit<z.output<typeof plainOptions>, "seed" | "faults"> {
  readonly seed?: SandboxSeedInput;
  readonly faults?: readonly FaultScript[];
}

export interface SandboxOptions extends WrittenOptions {
  /** Path of the SQLite file; `:memory:` forgets everything at close. [:memory:] */
  readonly database?: string;
  /** Milliseconds since 1970. [the system's clock] */
  readonly clock?: () => number;
  /** Fresh identifiers; a simulation hands in its own source. [version 7, or of the random seed] */
  readonly uuid?: () => string;
  /** How a signature is checked. [HMAC-SHA-256, rules/signature.ts] */
  readonly signature?: SignatureCheck;
}

export type NoncePolicy = Readonly<z.output<typeof nonce>>;
export type ReferencePolicy = Readonly<z.output<typeof reference>>;
export type RefusalStatuses = Readonly<z.output<typeof refusalStatuses>>;
export type ExpiredRateCause = (typeof EXPIRED_RATE_CAUSES)[number];

export type Policy = Readonly<ReturnType<typeof policyOf>>;

const UNCHANGED: ReferencePolicy = {
  trimmed: false,
  lowerCased: false,
  lengthMax: Number.POSITIVE_INFINITY,
};
const UNIQUE: NoncePolicy = { rule: "unique", window: 100, burnedByRefusal: false };
const PARAMETER_WRONG: RefusalStatuses = {
  zeroAmount: 400,
  bothDestinations: 400,
  disabledAccount: 400,
  unknownOrderCode: 400,
};

/** `starts`: how often a sandbox was started on the same database before. */
export function policyOf(options: SandboxOptions, starts = 0) {
  const { randomSeed, clock = Date.now } = options;
  const uuid =
    randomSeed === undefined ? timeOrderedUuids(clock) : uuidsFrom(randomOfStart(randomSeed, starts));
  return {
    stepMs: options.stepMs ?? 300,
    network: options.network ?? "main",
    taprootAllowed: options.taprootAllowed ?? false,
    feeRates: { ...DEFAULT_FEE_RATES, ...options.feeRates },
    nonce: { ...UNIQUE, ...options.nonce },
    reference: { ...UNCHANGED, ...options.reference },
    otpSingleUse: options.otpSingleUse ?? false,
    signatureHolds: options.signature ?? hmacSignatureHolds,
    routes: routesOf(options.routes ?? {}),
    dateStyle: options.dateStyle ?? "Z",
    firstPage: options.firstPage ?? 0,
    pageSizeDefault: options.pageSizeDefault ?? 20,
    pageSizeMax: options.pageSizeMax ?? 500,
    filterItemsMax: options.filterItemsMax ?? Number.POSITIVE_INFINITY,
    sortProperties: options.sortProperties,
    repeatedItems: options.repeatedItems ?? "refused",
    refusalStatus: { ...PARAMETER_WRONG, ...options.refusalStatus },
    expiredRateWhen: options.expiredRateWhen ?? EXPIRED_RATE_CAUSES,
    fixedRateLifetimeMaxMs: options.fixedRateLifetimeMaxMs ?? Number.POSITIVE_INFINITY,
    visibilityLagMs: options.visibilityLagMs ?? 0,
    queryDateToleranceMs: options.queryDateToleranceMs,
    uuid: options.uuid ?? uuid,
  };
}
