/**
 * The options of a sandbox. Everything that the interface leaves undefined is a switch here, with the sandbox's
 * choice as its default; the seed is its initial state.
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
  /** Whether a request refused by a business rule (400, 404) uses up its nonce too. */
  burnedByRefusal: z.boolean().default(false),
});

/** How a reference is rewritten, in this order. */
const reference = z.strictObject({
  /** Trims white space at both ends. */
  trimmed: z.boolean().default(false),
  lowerCased: z.boolean().default(false),
  /** Silently cuts off everything beyond this many UTF-16 units. */
  lengthMax: count.default(unlimited),
});

/** A fiat amount whose expiry has passed, or for which no rate is known. */
const expiredRateCause = z.enum(["expiry-passed", "rate-unknown"]);

export const switches = {
  /** Applied at the first start of a database; clients, rates and outcomes are read at every start. */
  seed: sandboxSeed.prefault({}),
  /** Makes identifiers and fault scripts with a `chance` reproducible for the same requests. */
  randomSeed: z.int().optional(),
  /** How long a payout stays in each of its states. */
  stepMs: count.default(300),
  /** Whether addresses must be of the main or the test networks. */
  network: z.enum(["main", "test"]).default("main"),
  /** Whether Bitcoin destinations may be taproot (bc1p), which the document does not list. */
  taprootAllowed: z.boolean().default(false),
  /** Smallest units (satoshi, litoshi) per virtual byte of each fee policy. */
  feeRates: z
    .strictObject({ SLOW: count.default(2), NORMAL: count.default(5), FAST: count.default(12) })
    .prefault({}),
  nonce: nonce.prefault({}),
  reference: reference.prefault({}),
  /** Whether a time step's code may be used only once per user. */
  otpSingleUse: z.boolean().default(false),
  /** Methods and paths of the pathless operations; default: the sandbox's own. */
  routes: routesSchema.prefault({}),
  /** The pattern's zone: a literal Z, or an offset without a colon. */
  dateStyle: z.enum(["Z", "offset"]).default("Z"),
  /** Number of the first page in search bodies; where the document says zero-based it remains 0. */
  firstPage: z.literal([0, 1]).default(0),
  /** Page size of a request that states none. */
  pageSizeDefault: count.default(20),
  /** A larger size is a 400. */
  pageSizeMax: count.default(500),
  /** When a deposit's creation answers 409 CONFLICT_EXPIRED_XRATE. */
  expiredRateWhen: z.array(expiredRateCause).default([...expiredRateCause.options]),
  /** How long a created payout is invisible to searches. */
  visibilityLagMs: durationMs.default(0),
  /** A queryDate further from the clock than this is a 409. */
  queryDateToleranceMs: durationMs.default(unlimited),
  faults: z.array(faultScript).default([]),
};

const plainOptions = z.object(switches);

/** The options that can be written in a file. */
export interface WrittenOptions extends Omit<z.input<typeof plainOptions>, "faults"> {
  readonly faults?: readonly FaultScript[];
}

export interface SandboxOptions extends WrittenOptions {
  /** Path of the SQLite file; without one all state is lost at close. */
  readonly database?: string;
  /** Milliseconds since 1970; by default the system's clock. */
  readonly clock?: () => number;
  /** Source of identifiers: by default version 7, or from the random seed; a simulation provides its own. */
  readonly uuid?: () => string;
  /** The signature check; default HMAC-SHA-256 (rules/signature.ts). */
  readonly signature?: SignatureCheck;
}

export type NoncePolicy = Readonly<z.output<typeof nonce>>;
export type ExpiredRateCause = z.output<typeof expiredRateCause>;

export type Policy = Readonly<ReturnType<typeof policyOf>>;

/** The options with their defaults. `starts`: earlier starts on this database. Throws CONFIG_KEY_INVALID. */
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
