/** One custody account rolled forward from its opening balance: what must be there against what the service says. */
import type { Amount, Decimal } from "../money/index.ts";
import type { CustodyAccountId } from "./ids.ts";
import type { Instant } from "./instant.ts";

/** A stored snapshot of a custody account's total, taken by the baseline: the interface gives balances of now only. */
export interface OpeningBalance {
  readonly custodyAccountId: CustodyAccountId;
  readonly total: Amount;
  readonly observedAt: Instant;
}

/**
 * opening + received + transferredIn - sent - fees = expected; difference = found - expected.
 * Every figure is exact and in `currency`; unconfirmed movements count in both directions. Whether they do in the service's total is not shown.
 */
export interface BalanceProofRow {
  readonly custodyAccountId: CustodyAccountId;
  readonly currency: string;
  /** Undefined when no snapshot was ever taken; the row then cannot tie. */
  readonly opening: Decimal | undefined;
  readonly openedAt: Instant | undefined;
  /** From outside, by deposits. */
  readonly received: Decimal;
  /** From our other custody accounts. */
  readonly transferredIn: Decimal;
  /** What payees and our other custody accounts got. */
  readonly sent: Decimal;
  readonly fees: Decimal;
  /** Fees of payouts that share a transaction with one that shows a fee as well: in `fees` only where each is its payout's own. */
  readonly sharedFees: Decimal;
  /** Fees shown on receipts: in `fees` only where they were deducted. */
  readonly depositFees: Decimal;
  /** What of received and transferredIn, and of sent and fees, is not confirmed yet. */
  readonly unconfirmedIn: Decimal;
  readonly unconfirmedOut: Decimal;
  readonly expected: Decimal | undefined;
  /** Undefined when the service gave no balance for the custody account. */
  readonly found: Decimal | undefined;
  readonly foundAt: Instant | undefined;
  readonly difference: Decimal | undefined;
  /** Movements that are in no figure, because they bear no amount or another currency. */
  readonly uncountedMovements: number;
  readonly ties: boolean;
}
