/** The company's choices that decide how movements are booked; most come straight from the configuration. */
import type { Config } from "../config/index.ts";
import type { CustodyAccountId, Instant, PayoutId } from "../model/index.ts";
import type { CurrencyScales } from "../money/index.ts";

export interface LedgerPolicy extends Omit<Config["ledger"], "chart" | "exports" | "onUnmapped"> {
  /** Not before anything that was posted. */
  readonly now: Instant;
  readonly scales: CurrencyScales;
  /** Our own accounts: a payout to one of them is a transfer, a payout to any other has an external payee. */
  readonly custodyAccounts: readonly { readonly id: CustodyAccountId; readonly name: string }[];
  /** Whether the payout is for one of our instructions. */
  isInstructed(payoutId: PayoutId): boolean;
}

/** Digits after the point of the functional currency; 2 if it is not configured. */
export function functionalScale(policy: Pick<LedgerPolicy, "functionalCurrency" | "scales">): number {
  return policy.scales.scaleOf(policy.functionalCurrency) ?? 2;
}
