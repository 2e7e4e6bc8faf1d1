/** What execution needs: its doors, the lane's identity, and the policies that the configuration names. */
import type { PayoutCreationName } from "../gateway/index.ts";
import type { BatchId, CustodyAccountId, Day, Instant } from "../model/index.ts";
import type { Decimal } from "../money/index.ts";
import type { ObservationTools } from "../observation/index.ts";
import type { Transaction } from "../store/sql.ts";
import type { RecognitionPolicy } from "./doubts/recognise.ts";
import type { OneTimeCodes } from "./one-time-codes.ts";

/** Which operation creates the payouts of a custody account. */
export interface Creation {
  readonly operation: PayoutCreationName;
  /** Whether it is also the first authorization; the other operations say it by their name. */
  readonly authorize: boolean;
}

export interface ExecutionPolicy {
  /** Fingerprint of the client key, never the key. */
  readonly keyId: string;
  readonly nonceRule: "unknown" | "unique" | "increasing";
  readonly nonceFloor: bigint;
  /** When the lane was opened. Within a window nonces follow this instant and not the clock, so that they lie side by side. */
  readonly openedAt: Instant;
  /** How long the service is stated to remember a nonce; absent where nobody said. Only with `unique`. */
  readonly nonceMemoryMs?: number;
  /** With `increasing`: how far below the highest nonce another one may still arrive; absent where they must arrive in order. */
  readonly nonceWindow?: number;
  readonly concurrency: number;
  /** How long a created payout may take to show. */
  readonly settleMs: number;
  /** How long a run waits for a service that went out while it was sending. */
  readonly outageMs: number;
  /** Why the lane may no longer be ours; asked again right before each request. Undefined while it surely is. */
  whyLaneClosed(): string | undefined;
  /** The stop order that stands, in words: a person wants nothing to be sent. Asked again right before each send. */
  stopOrder(): string | undefined;
  /** What other keys of the same configuration see to, in lanes of their own. */
  readonly elsewhere: {
    readonly keyIds: readonly string[];
    readonly custodyAccounts: readonly CustodyAccountId[];
  };
  readonly recognition: RecognitionPolicy;
  /** Undefined for a custody account that the configuration no longer has. */
  creationOf(custodyAccount: CustodyAccountId): Creation | undefined;
  readonly limitPerDay: Readonly<Record<string, Decimal>>;
  /** To one destination on one day; a currency without it has no such limit. */
  readonly limitPerDestination: Readonly<Record<string, Decimal>>;
  /** The day in the company's time zone. */
  dayOf(instant: Instant): Day;
  /** Until when a batch's approvals hold for a payment that is due on `payOn`; undefined where it has too few. */
  approvalEnds(batch: BatchId, payOn: Day | undefined): Transaction<Instant | undefined>;
}

export interface ExecutionTools extends ObservationTools {
  readonly codes: OneTimeCodes;
  readonly policy: ExecutionPolicy;
}

/** What a change needs of them. */
export interface ChangeTools extends ObservationTools {
  readonly codes: OneTimeCodes;
  readonly policy: Pick<
    ExecutionPolicy,
    "keyId" | "nonceRule" | "nonceFloor" | "whyLaneClosed" | "stopOrder"
  >;
}
