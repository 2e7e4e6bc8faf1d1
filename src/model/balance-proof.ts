/**
 * One custody account rolled forward from its opening balance: compares the expected balance with the one that the
 * service shows.
 */
import type { Amount, Decimal } from "../money/index.ts";
import type { CustodyAccountId } from "./ids.ts";
import type { Instant } from "./instant.ts";

/** A snapshot of a custody account's total, stored by the baseline: the interface shows only present balances. */
export interface OpeningBalance {
  readonly custodyAccountId: CustodyAccountId;
  readonly total: Amount;
  readonly observedAt: Instant;
}

/**
 * opening + received + transferredIn - sent - fees = expected; difference = found - expected. Every figure is exact
 * and in `currency`. Unconfirmed movements count in both directions; the service does not show whether its total
 * includes them.
 */
export interface BalanceProofRow {
  readonly custodyAccountId: CustodyAccountId;
  readonly currency: string;
  /** Undefined without a stored snapshot; the row then cannot tie. */
  readonly opening: Decimal | undefined;
  readonly openedAt: Instant | undefined;
  /** Received by deposits, from outside. */
  readonly received: Decimal;
  /** From our other custody accounts. */
  readonly transferredIn: Decimal;
  /** Received by payees and by our other custody accounts. */
  readonly sent: Decimal;
  readonly fees: Decimal;
  /**
   * Fees of payouts whose transaction another payout shows a fee for too; counted in `fees` only if each payout
   * bears its own.
   */
  readonly sharedFees: Decimal;
  /** Fees shown on receipts; included in `fees` only if they were deducted. */
  readonly depositFees: Decimal;
  /** The unconfirmed part of received and transferredIn, and of sent and fees. */
  readonly unconfirmedIn: Decimal;
  readonly unconfirmedOut: Decimal;
  readonly expected: Decimal | undefined;
  /** Undefined when the service gave no balance for the custody account. */
  readonly found: Decimal | undefined;
  readonly foundAt: Instant | undefined;
  readonly difference: Decimal | undefined;
  /** Movements that no figure includes, because they have no amount or another currency. */
  readonly uncountedMovements: number;
  readonly ties: boolean;
  /** Whether it ties only if a movement that several payouts list counts once. */
  readonly countsOnce?: true;
}
