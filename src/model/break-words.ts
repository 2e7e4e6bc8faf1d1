/** The names of the kinds of breaks on pages and in reports. */
import type { Break, BreakKind } from "./break.ts";

const WORDS: Readonly<Record<BreakKind, string>> = {
  "duplicate-reference": "Second payout of a payment",
  "paid-twice": "Perhaps paid twice",
  "against-standing": "Payout that must not be",
  unexpected: "Unexpected payout",
  missing: "Payout missing",
  "mixed-up": "Payouts mixed up",
  "not-shown": "No longer shown",
  destination: "Another destination",
  "receiver-address": "Another receiving address",
  amount: "Another amount",
  currency: "Another currency",
  "custody-account": "Another custody account",
  "sent-amount": "Sent amount does not fit",
  failed: "Payment failed",
  "state-went-back": "State went back",
  "unconfirmed-too-long": "Unconfirmed for too long",
  "sent-claimed-twice": "Movement of two payouts",
  "receipt-claimed-twice": "Receipt of two deposits",
  "receipt-moved": "Receipt moved",
  "deposit-duplicated": "Deposit duplicated",
  balance: "Balance does not tie",
  "ledger-treasury": "Ledger does not tie",
  "unknown-state": "Unknown state",
  stuck: "Stuck",
  fee: "Network fee too high",
  reference: "Another reference",
  "ledger-field": "Another GL field",
  "fee-policy": "Another fee policy",
  "deposit-after-void": "Paid to a void deposit",
  "deposit-rate": "Rate does not fit",
  "deposit-late": "Deposit too late",
  "deposit-under": "Deposit too small",
  "deposit-over": "Deposit too large",
  "erp-answer": "Answer of the ERP does not fit",
  "erp-unanswered": "ERP has not answered",
};

/** "Unexpected payout", "Deposit too small" */
export function kindWords({ kind, depositId }: Pick<Break, "kind" | "depositId">): string {
  if (depositId !== undefined && kind === "missing") return "Deposit missing";
  if (depositId !== undefined && kind === "failed") return "Deposit failed";
  return WORDS[kind];
}
