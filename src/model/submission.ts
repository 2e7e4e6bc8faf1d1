/** One attempt to create one payout: an intent that was durable before anything was sent, and what came of it. */
import type { InstructionId, PayoutId } from "./ids.ts";
import type { Instant } from "./instant.ts";

/** What is written, and flushed, before the request may leave. */
export interface Intent {
  readonly instructionId: InstructionId;
  /** Counts the attempts of one instruction from 1. Which nonce a later one carries: `noncesFor` in execution/intent.ts. */
  readonly attempt: number;
  /** Fingerprint of the client key, never the key. */
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
 * accepted: 202 with a payoutId, or found at the service. refused: 400 or 404 with the interface's error array.
 * not sent: the transport proves that the request never left. in doubt: everything else.
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
      /** It was not even handed to the transport. */
      readonly withheld?: true;
      /** It was not signed: which of the signer's faults kept it. */
      readonly unsigned?: "SIGNER_FAILED" | "SIGNER_TIMEOUT";
    }
  | { readonly kind: "in doubt"; readonly evidence: string; readonly httpStatus?: number };

export interface Submission extends Intent {
  readonly id: number;
  /** How often it left, or may have: every send carries the same nonce and the same business fields. */
  readonly sends: number;
  /** When it was sent again last; absent where it was not. */
  readonly resentAt?: Instant;
  /** When its last send ended, on the machine's monotonic clock. */
  readonly endedMonotonicMs?: number;
  /** Absent while it is under way. */
  readonly outcome?: Outcome["kind"];
  readonly endedAt?: Instant;
  readonly evidence?: string;
}
