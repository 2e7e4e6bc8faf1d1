/** One attempt to create one payout: its intent, which was durable before anything was sent, and its outcome. */
import type { InstructionId, PayoutId } from "./ids.ts";
import type { Instant } from "./instant.ts";

/** Written and flushed before the request may leave. */
export interface Intent {
  readonly instructionId: InstructionId;
  /** Number of this attempt of its instruction, from 1. Nonces of later attempts: `noncesFor` in intent.ts. */
  readonly attempt: number;
  /** Fingerprint of the client key, never the key itself. */
  readonly keyId: string;
  /** int64. */
  readonly nonce: bigint;
  readonly operation: string;
  readonly baseUrl: string;
  /** SHA-256 over the business fields, without nonce and one-time code. Lower-case hex. */
  readonly bodyHash: string;
  readonly intendedAt: Instant;
}

/**
 * accepted: 202 with a payoutId, or found at the service.
 * refused: 400 or 404 with the interface's error array.
 * not sent: the transport proves that the request never left.
 * in doubt: everything else.
 */
export type Outcome =
  | {
      readonly kind: "accepted";
      readonly payoutId: PayoutId;
      readonly evidence: string;
      readonly httpStatus?: number;
    }
  | { readonly kind: "refused"; readonly evidence: string; readonly httpStatus: number }
  | {
      readonly kind: "not sent";
      readonly evidence: string;
      /** Set if the request was not even handed to the transport. */
      readonly withheld?: true;
      /** The signer's fault, if it prevented the request. */
      readonly unsigned?: "SIGNER_FAILED" | "SIGNER_TIMEOUT";
    }
  | { readonly kind: "in doubt"; readonly evidence: string; readonly httpStatus?: number };

export interface Submission extends Intent {
  readonly id: number;
  /** How often it was sent, or may have been; every send carries the same nonce and business fields. */
  readonly sends: number;
  /** When it was last re-sent, if ever. */
  readonly resentAt?: Instant;
  /** When its last send ended, on the machine's monotonic clock. */
  readonly endedMonotonicMs?: number;
  /** Absent while it is under way. */
  readonly outcome?: Outcome["kind"];
  readonly endedAt?: Instant;
  readonly evidence?: string;
}
