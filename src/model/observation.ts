/** A payout or deposit as the service showed it at an instant, converted to our model: exact and without nulls. */
import { type Amount, type Decimal, sameAmount } from "../money/index.ts";
import type { GeneralLedgerFields } from "./general-ledger.ts";
import type { CustodyAccountId, DepositId, PayoutId } from "./ids.ts";
import type { Instant } from "./instant.ts";

export type ObservedKind = "payout" | "deposit";

/** `rate` units of `to` for one unit of `from`. */
export interface ObservedRate {
  readonly rate: Decimal;
  readonly from: string;
  readonly to: string;
  readonly measuredAt?: Instant;
}

/** One movement on the chain: an element of sentFunds or receivedFunds. */
export interface ObservedFunds {
  readonly txHash?: string;
  readonly transactionId?: string;
  readonly amount?: Amount;
  readonly fee?: Amount;
  readonly createdAt?: Instant;
  readonly confirmedAt?: Instant;
  /** UNCONFIRMED is the only value the interface names. */
  readonly state?: string;
  readonly rate?: ObservedRate;
  readonly confirmations?: number;
}

/** Whether payouts of one transaction show their share of the fee, or all of it; the interface does not say. */
export type BatchFee = "perPayout" | "wholeTransaction";

export interface ObservedPayout extends GeneralLedgerFields {
  readonly payoutId: PayoutId;
  readonly custodyAccountId: CustodyAccountId;
  readonly reference?: string;
  readonly callbackUrl?: string;
  readonly requestedAmount: Amount;
  readonly createdAt?: Instant;
  readonly destinationAddress?: string;
  readonly destinationAccountId?: CustodyAccountId;
  readonly state: string;
  readonly sentFunds: readonly ObservedFunds[];
  /** Absent if the service does not show it, which does not mean false. */
  readonly subtractFee?: boolean;
  readonly feePolicy?: string;
  readonly debitOrderId?: string;
  /** When we first saw this state. */
  readonly stateSeenAt: Instant;
}

export interface ObservedDeposit {
  readonly depositId: DepositId;
  readonly custodyAccountId: CustodyAccountId;
  readonly reference?: string;
  readonly customerId?: string;
  readonly requestedInFiat?: Amount;
  readonly requestedInCrypto?: Amount;
  readonly receiverAddress?: string;
  readonly state: string;
  readonly createdAt?: Instant;
  readonly expiresAt?: Instant;
  readonly creditOrderId?: string;
  readonly fixedRate?: ObservedRate;
  readonly receivedFunds: readonly ObservedFunds[];
  readonly duplicatedFromDepositId?: DepositId;
  readonly stateSeenAt: Instant;
}

/** A custody account's balance in its crypto currency. */
export interface ObservedBalance {
  readonly custodyAccountId: CustodyAccountId;
  readonly total: Amount;
  readonly available?: Amount;
  readonly rate?: ObservedRate;
  readonly observedAt: Instant;
}

const HEXADECIMAL = /^(?:0x)?[\da-f-]{32,}$/i;

/** An id of a transaction in one form: hashes and UUIDs are hexadecimal, so their case has no meaning. */
export function comparableTransaction(id: string): string {
  const text = id.trim();
  return HEXADECIMAL.test(text) ? text.toLowerCase() : text;
}

/**
 * The ids of a movement's transaction, each marked with its kind, because two looks, or the two sides of a
 * transfer, may show different ones.
 */
export function transactionsOf({
  txHash,
  transactionId,
}: {
  readonly txHash?: string | undefined;
  readonly transactionId?: string | undefined;
}): readonly string[] {
  const hash = txHash && `hash ${comparableTransaction(txHash)}`;
  const id = transactionId && `id ${comparableTransaction(transactionId)}`;
  return [hash || [], id || []].flat();
}

/** Whether both movements show an amount, and the same one. */
export function haveSameAmount({ amount: left }: ObservedFunds, { amount: right }: ObservedFunds): boolean {
  return left !== undefined && right !== undefined && sameAmount(left, right);
}

/** The `funds` that moved after `openedAt`. Funds without a time count as older. */
export function movedAfter(funds: readonly ObservedFunds[], openedAt: Instant): readonly ObservedFunds[] {
  return funds.filter(({ createdAt, confirmedAt }) => (createdAt ?? confirmedAt ?? "") > openedAt);
}
