/** What execution needs: store, gateway and context, the lane's key, and the configured policies. */

import type { Problem } from "../../faults/index.ts";
import type { OneTimeCodes, PayoutCreationName } from "../../gateway/index.ts";
import type { BatchId, CustodyAccountId, Day, Instant, Instruction } from "../../model/index.ts";
import type { Decimal } from "../../money/index.ts";
import type { ObservationTools } from "../../observation/index.ts";
import type { Transaction } from "../../store/sql.ts";
import type { RecognitionPolicy } from "./doubts/recognise.ts";

/** The operation that creates the payouts of a custody account. */
export interface Creation {
  readonly operation: PayoutCreationName;
  /** Whether the creation is also the first authorization. Only createPayoutWithFirstAuthorization has this flag. */
  readonly authorize: boolean;
  /** "POST /payouts"; only for an operation without a path in the interface. */
  readonly route?: string;
}

/** A creation with the address that it is sent to. */
export interface CreationCall extends Creation {
  readonly baseUrl: string;
}

export interface ExecutionPolicy {
  /** Fingerprint of the client key, never the key itself. */
  readonly keyId: string;
  readonly nonceRule: "unknown" | "unique" | "increasing";
  readonly nonceFloor: bigint;
  /** Start of the lane. With a nonce window, nonces count up from here so that they are consecutive. */
  readonly openedAt: Instant;
  /** With `unique`: how long the service is said to remember a nonce; absent if not configured. */
  readonly nonceMemoryMs?: number;
  /** With `increasing`: how far below the highest a late nonce may be; absent if they must arrive in order. */
  readonly nonceWindow?: number;
  readonly concurrency: number;
  /** The settle window: how long a created payout may take to become visible. */
  readonly settleMs: number;
  /** How long a run waits for a service that stops answering. */
  readonly outageMs: number;
  /** Why the lane may no longer be ours; undefined while it is. Called again right before each request. */
  whyLaneClosed(): string | undefined;
  /** The text of the stop order in force, if any. Called again right before each send. */
  stopOrder(): string | undefined;
  /** Keys and custody accounts of the same configuration that have lanes of their own. */
  readonly elsewhere: {
    readonly keyIds: readonly string[];
    readonly custodyAccounts: readonly CustodyAccountId[];
  };
  readonly recognition: RecognitionPolicy;
  /** Undefined for a custody account that is no longer configured. */
  creationOf(custodyAccount: CustodyAccountId): Creation | undefined;
  /** Per currency, for one payment. A currency without an entry cannot be paid. */
  readonly limitPerRow: Readonly<Record<string, Decimal>>;
  readonly limitPerDay: Readonly<Record<string, Decimal>>;
  /** Per currency, the limit for one destination on one day. A currency without an entry has no limit. */
  readonly limitPerDestination: Readonly<Record<string, Decimal>>;
  /** The calendar day in the company's time zone. */
  dayOf(instant: Instant): Day;
  /** Why the calendar forbids a new send (`send`) or starting a run (`begin`); undefined if it allows it. */
  whyResting(at: Instant, asks: "send" | "begin"): Problem | undefined;
  /** Compares batches with what was approved, before `whyNotReleased` is asked about their payments. */
  prepare(batches: readonly BatchId[]): Promise<void>;
  /** Why approvals or today's policies forbid sending a payment by this call; undefined if they allow it. */
  whyNotReleased(
    instruction: Instruction,
    call: CreationCall,
    at: Instant,
    stamps?: ReleaseStamps,
  ): Transaction<Problem | undefined>;
}

/** The stamps of batches that a transaction has read, shared by all its payments. */
export type ReleaseStamps = Map<BatchId, string>;

export interface ExecutionTools extends ObservationTools {
  readonly codes: OneTimeCodes;
  readonly policy: ExecutionPolicy;
}

/** The lane of one key, as marking what a dead process left open needs it. */
export interface OwnLane extends Pick<ObservationTools, "store" | "context"> {
  readonly policy: Pick<ExecutionPolicy, "keyId">;
}

/** The part that a change needs. */
export interface ChangeTools extends ObservationTools {
  readonly codes: OneTimeCodes;
  readonly policy: Pick<
    ExecutionPolicy,
    "keyId" | "nonceRule" | "nonceFloor" | "whyLaneClosed" | "stopOrder"
  >;
}
