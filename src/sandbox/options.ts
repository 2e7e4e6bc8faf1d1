/**
 * How a sandbox behaves. Everything the interface document does not show is a switch here, with the sandbox's own choice as
 * its default; the seed says what it begins with.
 */
import { z } from "zod";
import { type Fault, fault } from "../faults/index.ts";
import { type FaultScript, faultScript } from "./fault-scripts.ts";
import { routesSchema } from "./operations/routes.ts";
import { randomOfStart, timeOrderedUuids, uuidsFrom } from "./random.ts";
import { hmacSignatureHolds, type SignatureCheck } from "./rules/signature.ts";
import { durationMs, sandboxSeed } from "./seed.ts";

const count = z.int().min(1);
const unlimited = Number.POSITIVE_INFINITY;

const nonce = z.strictObject({
  /**
   * `unique`: never used before with this key. `increasing`: above every nonce used before with this key.
   * `window`: never used before, and at most `window` below the highest one used.
   */
  rule: z.enum(["unique", "increasing", "window"]).default("unique"),
  window: count.default(100),
  /** True lets a request that a business rule refuses (400, 404) use up its nonce; by default only one that is carried out does. */
  burnedByRefusal: z.boolean().default(false),
});

/** What becomes of a reference, in this order. */
const reference = z.strictObject({
  /** White space at both ends is taken off. */
  trimmed: z.boolean().default(false),
  lowerCased: z.boolean().default(false),
  /** What is beyond this many UTF-16 units is cut off without a word. */
  lengthMax: count.default(unlimited),
});

const refusalStatus = z.literal([400, 403, 404, 409, 422]).default(400);

const refusalStatuses = z.strictObject({
  zeroAmount: refusalStatus,
  bothDestinations: refusalStatus,
  disabledAccount: refusalStatus,
  unknownOrderCode: refusalStatus,
});

/** A fiat amount whose expiry has passed, for which no rate is known, or whose rate would be fixed for too long. */
const expiredRateCause = z.enum(["expiry-passed", "rate-unknown", "expiry-too-far"]);

/** Every switch that is plain data, with its default. */
export const switches = {
  /** What the first start of a database puts in; clients, rates and outcomes are read at every start. */
  seed: sandboxSeed.prefault({}),
  /** Makes identifiers and fault scripts of a `chance` come out the same in every run of the same requests. */
  randomSeed: z.int().optional(),
  /** How long a payout stays in each of its states. */
  stepMs: count.default(300),
  /** Whose addresses are good: the main networks' or the test networks'. */
  network: z.enum(["main", "test"]).default("main"),
  /** True lets Bitcoin destinations be taproot (bc1p), which the document does not list. */
  taprootAllowed: z.boolean().default(false),
  /** Smallest units (satoshi, litoshi) per virtual byte of each fee policy. */
  feeRates: z
    .strictObject({ SLOW: count.default(2), NORMAL: count.default(5), FAST: count.default(12) })
    .prefault({}),
  /** What makes a nonce valid. */
  nonce: nonce.prefault({}),
  /** How references of payouts and deposits are kept. */
  reference: reference.prefault({}),
  /** True lets each time step's code be used once per user. */
  otpSingleUse: z.boolean().default(false),
  /** Methods and paths of the operations without a path; what is left out keeps its own. */
  routes: routesSchema.prefault({}),
  /** The pattern's zone: a literal Z, or an offset without a colon. */
  dateStyle: z.enum(["Z", "offset"]).default("Z"),
  /** Number of the first page in search bodies; where the document says zero-based it stays 0. */
  firstPage: z.literal([0, 1]).default(0),
  /** Size of a page whose request names none. */
  pageSizeDefault: count.default(20),
  /** A larger size is a 400. */
  pageSizeMax: count.default(500),
  /** A filter list or a list of accounts with more items is a 400. */
  filterItemsMax: count.default(unlimited),
  /** The properties by which payouts and deposits can be sorted, all that the sandbox knows where absent; others are a 400. */
  sortProperties: z.array(z.string().min(1)).optional(),
  /** What repeats in a list of unique items is a 400, or counts once. */
  repeatedItems: z.enum(["refused", "counted-once"]).default("refused"),
  /** The statuses of refusals for which the document shows none. */
  refusalStatus: refusalStatuses.prefault({}),
  /** When a deposit's creation answers 409 CONFLICT_EXPIRED_XRATE. */
  expiredRateWhen: z.array(expiredRateCause).default([...expiredRateCause.options]),
  /** A fixed rate for longer than this is too long. */
  fixedRateLifetimeMaxMs: durationMs.default(unlimited),
  /** How long a created payout cannot be found. */
  visibilityLagMs: durationMs.default(0),
  /** A queryDate further from the clock than this is a 409. */
  queryDateToleranceMs: durationMs.default(unlimited),
  /** What goes wrong, from the start. */
  faults: z.array(faultScript).default([]),
};

const plainOptions = z.object(switches);

/** The options that a file can hold. */
export interface WrittenOptions extends Omit<z.input<typeof plainOptions>, "faults"> {
  readonly faults?: readonly FaultScript[];
}

export interface SandboxOptions extends WrittenOptions {
  /** Path of the SQLite file; without one everything is forgotten at close. */
  readonly database?: string;
  /** Milliseconds since 1970; by default the system's clock. */
  readonly clock?: () => number;
  /** Fresh identifiers, by default of version 7, or of the random seed; a simulation hands in its own source. */
  readonly uuid?: () => string;
  /** How a signature is checked, by default by HMAC-SHA-256 (rules/signature.ts). */
  readonly signature?: SignatureCheck;
}

export type NoncePolicy = Readonly<z.output<typeof nonce>>;
export type ReferencePolicy = Readonly<z.output<typeof reference>>;
export type ExpiredRateCause = z.output<typeof expiredRateCause>;

export type Policy = Readonly<ReturnType<typeof policyOf>>;

/** The options with their defaults; `starts`: how often a sandbox was started on the same database before. Throws CONFIG_KEY_INVALID. */
export function policyOf({ clock = Date.now, uuid, signature, ...options }: SandboxOptions, starts = 0) {
  const read = plainOptions.safeParse(options);
  if (!read.success) throw invalidOption(read.error);
  const { randomSeed } = read.data;
  const ownUuid =
    randomSeed === undefined ? timeOrderedUuids(clock) : uuidsFrom(randomOfStart(randomSeed, starts));
  return { ...read.data, signatureHolds: signature ?? hmacSignatureHolds, uuid: uuid ?? ownUuid };
}

function invalidOption({ issues }: z.ZodError): Fault {
  const [issue] = issues;
  const key = issue?.path.join(".") ?? "";
  const reason = `the sandbox's option \`${key}\` is wrong: ${issue?.message ?? "unreadable"}`;
  return fault("CONFIG_KEY_INVALID", { reason, path: key, hint: "" }, { key });
}
