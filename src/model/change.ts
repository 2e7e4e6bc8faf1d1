/**
 * A call that changes something at the service and creates no payout: a deposit's creation, a void, an
 * authorization. Like a submission it is stored with its nonce before it leaves, and never repeated.
 */
import type { Amount } from "../money/index.ts";
import type { Instant } from "./instant.ts";
import type { RequestedDeposit } from "./requested-deposit.ts";

/** Written and flushed before the request may leave. */
export interface ChangeIntent {
  /** Fingerprint of the client key, never the key itself. */
  readonly keyId: string;
  /** int64. */
  readonly nonce: bigint;
  readonly operation: string;
  readonly baseUrl: string;
  /** The reference of a deposit to be created, or the payoutId or depositId to be changed. */
  readonly subject: string;
  /** The callbackUrl that identifies a created deposit among others with its reference; empty for other calls. */
  readonly correlation: string;
  /** The requested terms of a deposit to be created; absent for other calls. */
  readonly requested?: RequestedDeposit;
  readonly person: string;
  readonly intendedAt: Instant;
}

/**
 * accepted: the operation succeeded.
 * refused: the service says that nothing was done.
 * not sent: the request never left.
 * abandoned: given up by a person.
 * in doubt: everything else.
 */
export interface ChangeOutcome {
  readonly kind: "accepted" | "refused" | "not sent" | "abandoned" | "in doubt";
  readonly evidence: string;
  /** The created deposit's id. */
  readonly depositId?: string;
}

/** A deposit that we created, and that the service has never shown or shows as failed. */
export interface MissingOrFailedDeposit {
  readonly depositId: string;
  readonly reference: string;
  /** Absent if the service has never shown it. */
  readonly state?: string;
  /** The requested amount, if the request named one. */
  readonly amount?: Amount;
}

export interface Change extends ChangeIntent {
  readonly id: number;
  /** Absent while it is under way. */
  readonly outcome?: ChangeOutcome["kind"];
  readonly endedAt?: Instant;
  readonly evidence?: string;
  readonly depositId?: string;
}
