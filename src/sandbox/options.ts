/**
 * How a sandbox behaves. Everything the interface document does not show is a switch here, with the sandbox's own choice as
 * its default; the seed says what it begins with.
 */
import { randomUUID } from "node:crypto";
import type { FaultScript } from "./misbehaviour.ts";
import type { Network } from "./rules/addresses.ts";
import { DEFAULT_FEE_RATES, type FeeRates } from "./rules/fees.ts";
import type { SandboxSeedInput } from "./seed.ts";

export interface SandboxOptions {
  /** What the first start of a database puts in; clients, rates and outcomes are read at every start. */
  readonly seed?: SandboxSeedInput;
  /** Path of the SQLite file; `:memory:` (default) forgets everything at close. */
  readonly database?: string;
  /** Milliseconds since 1970; the system's clock by default. */
  readonly clock?: () => number;
  /** Fresh identifiers; a simulation hands in a seeded source. */
  readonly uuid?: () => string;
  /** How long a payout stays in each of its states. */
  readonly stepMs?: number;
  readonly network?: Network;
  readonly feeRates?: Partial<FeeRates>;
  readonly nonce?: Partial<NoncePolicy>;
  /** True lets each time step's code be used once per user. */
  readonly otpSingleUse?: boolean;
  /** The pattern's zone: a literal Z, or an offset without a colon. */
  readonly dateStyle?: "Z" | "offset";
  readonly pageSizeDefault?: number;
  readonly pageSizeMax?: number;
  /** How long a created payout cannot be found. */
  readonly visibilityLagMs?: number;
  /** A queryDate further from the clock than this is a conflict; not checked by default. */
  readonly queryDateToleranceMs?: number;
  readonly faults?: readonly FaultScript[];
}

export interface NoncePolicy {
  /** `unique`: never used before with this key. `increasing`: above every nonce used before with this key. */
  readonly rule: "unique" | "increasing";
  /** True lets a request that a business rule refuses (400, 404) use up its nonce; by default only one that is carried out does. */
  readonly burnedByRefusal: boolean;
}

/** Every switch with its value. */
export interface Policy {
  readonly stepMs: number;
  readonly network: Network;
  readonly feeRates: FeeRates;
  readonly nonce: NoncePolicy;
  readonly otpSingleUse: boolean;
  readonly dateStyle: "Z" | "offset";
  readonly pageSizeDefault: number;
  readonly pageSizeMax: number;
  readonly visibilityLagMs: number;
  readonly queryDateToleranceMs: number | undefined;
  readonly uuid: () => string;
}

export function policyOf(options: SandboxOptions): Policy {
  return {
    stepMs: options.stepMs ?? 300,
    network: options.network ?? "main",
    feeRates: { ...DEFAULT_FEE_RATES, ...options.feeRates },
    nonce: { rule: "unique", burnedByRefusal: false, ...options.nonce },
    otpSingleUse: options.otpSingleUse ?? false,
    dateStyle: options.dateStyle ?? "Z",
    pageSizeDefault: options.pageSizeDefault ?? 20,
    pageSizeMax: options.pageSizeMax ?? 500,
    visibilityLagMs: options.visibilityLagMs ?? 0,
    queryDateToleranceMs: options.queryDateToleranceMs,
    uuid: options.uuid ?? randomUUID,
  };
}
