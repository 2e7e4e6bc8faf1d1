/** Matches of receipts with expectations. */
import type { Amount } from "../money/index.ts";
import type { Instant } from "./instant.ts";

/** A decision that a part of a receipt belongs to an expectation: signed, and not taken back. */
export interface MatchDecision {
  readonly id: number;
  readonly expectation: number;
  readonly depositId: string;
  /** The receipt's key within its deposit. */
  readonly receipt: string;
  /** In the receipt's currency. */
  readonly amount: Amount;
  readonly evidence: string;
  readonly reason?: string | undefined;
  readonly matchedAt: Instant;
  readonly matchedBy: string;
}
