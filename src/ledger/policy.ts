/** The company's choices that decide how movements are booked; each has one name and one default, the configuration's. */
import type { BatchFee, CustodyAccountId, Day, Instant, PayoutId } from "../model/index.ts";
import type { CurrencyScales } from "../money/index.ts";

interface OwnCustodyAccount {
  readonly id: CustodyAccountId;
  readonly name: string;
}

export interface LedgerPolicy {
  /** A movement with fewer confirmations is not settled yet. */
  readonly confirmationsMin: number;
  /** A fee that the payee bore: only told in the memo, or shown as an expense against a smaller payment. */
  readonly subtractFee: "memo" | "expense";
  /** What the fee of a payout means that shares its transaction with others: its own, or the whole transaction's. */
  readonly batchFee: BatchFee;
  /** fixed: receipts count at the rate the deposit promised. market: at their own, the rest to valuation difference. */
  readonly depositValuation: "fixed" | "market";
  /** A fee shown on a receipt: told in the memo, or taken off what the treasury received. */
  readonly depositFee: "memo" | "deducted";
  /** Which date is held against the expiry of the fixed rate. */
  readonly depositLateBy: "createdDate" | "confirmedDate";
  /** What becomes of a receivable that its completed deposit does not cover. */
  readonly depositShort: "open" | "write-off";
  readonly now: Instant;
  /** ISO 4217; every debit and credit is in it. */
  readonly functionalCurrency: string;
  /** IANA name; decides the day of an instant. */
  readonly timeZone: string;
  /** The last day of the last closed period; nothing is booked on it or before. */
  readonly closedThrough?: Day | undefined;
  readonly scales: CurrencyScales;
  /** Ours: a payout to one of them is a transfer, a payout to any other account has an external payee. */
  readonly custodyAccounts: readonly OwnCustodyAccount[];
  /** Whether an instruction of ours stands behind the payout. */
  isInstructed(payoutId: PayoutId): boolean;
}

/** Digits after the point of the functional currency; 2 for one that nobody configured. */
export function functionalScale(policy: Pick<LedgerPolicy, "functionalCurrency" | "scales">): number {
  return policy.scales.scaleOf(policy.functionalCurrency) ?? 2;
}
