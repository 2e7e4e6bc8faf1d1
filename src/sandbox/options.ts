/**
 * How a sandbox behaves. Everything the interface document does not show is a switch here, with the sandbox's own choice as
 * its default; the seed says what it begins with.
 */
import type { FaultScript } from "./fault-scripts.ts";
import { type RouteChanges, type Routes, routesOf } from "./operations/routes.ts";
import { randomOfStart, timeOrderedUuids, uuidsFrom } from "./random.ts";
import type { Network } from "./rules/addresses.ts";
import { DEFAULT_FEE_RATES, type FeeRates } from "./rules/fees.ts";
import { hmacSignatureHolds, type SignatureCheck } from "./rules/signature.ts";
import type { SandboxSeedInput } from "./seed.ts";

/** Every switch, its default in brackets. */
export interface SandboxOptions {
  /** What the first start of a database puts in; clients, rates and outcomes are read at every start. [empty] */
  readonly seed?: SandboxSeedInput;
  /** Path of the SQLite file; `:memory:` forgets everything at close. [:memory:] */
  readonly database?: string;
  /** Milliseconds since 1970. [the system's clock] */
  readonly clock?: () => number;
  /** Makes identifiers and fault scripts of a `chance` come out the same in every run of the same requests. [none] */
  readonly randomSeed?: number;
  /** Fresh identifiers; a simulation hands in its own source. [version 7, or of the random seed] */
  readonly uuid?: () => string;
  /** How long a payout stays in each of its states. [300] */
  readonly stepMs?: number;
  /** Whose addresses are good: the main networks' or the test networks'. [main] */
  readonly network?: Network;
  /** True lets Bitcoin destinations be taproot (bc1p), which the document does not list. [false] */
  readonly taprootAllowed?: boolean;
  /** Smallest units (satoshi, litoshi) per virtual byte of each fee policy. [SLOW 2, NORMAL 5, FAST 12] */
  readonly feeRates?: Partial<FeeRates>;
  /** What makes a nonce valid. [unique, not burned by a refusal, window of 100] */
  readonly nonce?: Partial<NoncePolicy>;
  /** How references of payouts and deposits are kept. [as they were sent] */
  readonly reference?: Partial<ReferencePolicy>;
  /** True lets each time step's code be used once per user. [false] */
  readonly otpSingleUse?: boolean;
  /** How a signature is checked. [HMAC-SHA-256, rules/signature.ts] */
  readonly signature?: SignatureCheck;
  /** Methods and paths of the operations without a path; what is left out keeps its own. [operations/routes.ts] */
  readonly routes?: RouteChanges;
  /** The pattern's zone: a literal Z, or an offset without a colon. [Z] */
  readonly dateStyle?: "Z" | "offset";
  /** Number of the first page in search bodies; where the document says zero-based it stays 0. [0] */
  readonly firstPage?: 0 | 1;
  /** Size of a page whose request names none. [20] */
  readonly pageSizeDefault?: number;
  /** A larger size is a 400. [500] */
  readonly pageSizeMax?: number;
  /** A filter list or a list of accounts with more items is a 400. [no limit] */
  readonly filterItemsMax?: number;
  /** The properties by which payouts and deposits can be sorted; others are a 400. [all that the sandbox knows] */
  readonly sortProperties?: readonly string[];
  /** What repeats in a list of unique items is a 400, or counts once. [refused] */
  readonly repeatedItems?: "refused" | "counted-once";
  /** The statuses of refusals for which the document shows none. [400 each] */
  readonly refusalStatus?: Partial<RefusalStatuses>;
  /** When a deposit's creation answers 409 CONFLICT_EXPIRED_XRATE. [expiry-passed, rate-unknown, expiry-too-far] */
  readonly expiredRateWhen?: readonly ExpiredRateCause[];
  /** A fixed rate for longer than this is too long. [no limit] */
  readonly fixedRateLifetimeMaxMs?: number;
  /** How long a created payout cannot be found. [0] */
  readonly visibilityLagMs?: number;
  /** A queryDate further from the clock than this is a 409. [not checked] */
  readonly queryDateToleranceMs?: number;
  /** What goes wrong, from the start. [nothing] */
  readonly faults?: readonly FaultScript[];
}

export interface NoncePolicy {
  /**
   * `unique`: never used before with this key. `increasing`: above every nonce used before with this key.
   * `window`: never used before, and at most `window` below the highest one used.
   */
  readonly rule: "unique" | "increasing" | "window";
  readonly window: number;
  /** True lets a request that a business rule refuses (400, 404) use up its nonce; by default only one that is carried out does. */
  readonly burnedByRefusal: boolean;
}

/** What becomes of a reference, in this order. */
export interface ReferencePolicy {
  /** White space at both ends is taken off. */
  readonly trimmed: boolean;
  readonly lowerCased: boolean;
  /** What is beyond this many UTF-16 units is cut off without a word. */
  readonly lengthMax: number;
}

export interface RefusalStatuses {
  readonly zeroAmount: RefusalStatus;
  readonly bothDestinations: RefusalStatus;
  readonly disabledAccount: RefusalStatus;
  readonly unknownOrderCode: RefusalStatus;
}

export type RefusalStatus = 400 | 403 | 404 | 409 | 422;

/** A fiat amount whose expiry has passed, for which no rate is known, or whose rate would be fixed for too long. */
export type ExpiredRateCause = (typeof EXPIRED_RATE_CAUSES)[number];

const EXPIRED_RATE_CAUSES = ["expiry-passed", "rate-unknown", "expiry-too-far"] as const;

/** Every switch with its value. */
export interface Policy {
  readonly stepMs: number;
  readonly network: Network;
  readonly taprootAllowed: boolean;
  readonly feeRates: FeeRates;
  readonly nonce: NoncePolicy;
  readonly reference: ReferencePolicy;
  readonly otpSingleUse: boolean;
  readonly signatureHolds: SignatureCheck;
  readonly routes: Routes;
  readonly dateStyle: "Z" | "offset";
  readonly firstPage: 0 | 1;
  readonly pageSizeDefault: number;
  readonly pageSizeMax: number;
  readonly filterItemsMax: number;
  readonly sortProperties: readonly string[] | undefined;
  readonly repeatedItems: "refused" | "counted-once";
  readonly refusalStatus: RefusalStatuses;
  readonly expiredRateWhen: readonly ExpiredRateCause[];
  readonly fixedRateLifetimeMaxMs: number;
  readonly visibilityLagMs: number;
  readonly queryDateToleranceMs: number | undefined;
  readonly uuid: () => string;
}

/** `starts`: how often a sandbox was started on the same database before. */
export function policyOf(options: SandboxOptions, starts = 0): Policy {
  const { randomSeed } = options;
  const { clock = Date.now } = options;
  const uuid =
    randomSeed === undefined ? timeOrderedUuids(clock) : uuidsFrom(randomOfStart(randomSeed, starts));
  return {
    stepMs: options.stepMs ?? 300,
    network: options.network ?? "main",
    taprootAllowed: options.taprootAllowed ?? false,
    feeRates: { ...DEFAULT_FEE_RATES, ...options.feeRates },
    nonce: { rule: "unique", window: 100, burnedByRefusal: false, ...options.nonce },
    reference: {
      trimmed: false,
      lowerCased: false,
      lengthMax: Number.POSITIVE_INFINITY,
      ...options.reference,
    },
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
    refusalStatus: {
      zeroAmount: 400,
      bothDestinations: 400,
      disabledAccount: 400,
      unknownOrderCode: 400,
      ...options.refusalStatus,
    },
    expiredRateWhen: options.expiredRateWhen ?? EXPIRED_RATE_CAUSES,
    fixedRateLifetimeMaxMs: options.fixedRateLifetimeMaxMs ?? Number.POSITIVE_INFINITY,
    visibilityLagMs: options.visibilityLagMs ?? 0,
    queryDateToleranceMs: options.queryDateToleranceMs,
    uuid: options.uuid ?? uuid,
  };
}
