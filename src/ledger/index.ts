export { type Chart, generalLedgerInWords, lookUpGeneralLedger } from "./chart.ts";
export { checkBalance } from "./check-balance.ts";
export { deriveDeposits, PayoutDerivation, RelatedDeposits } from "./derive-facts.ts";
export type { Derived, NotBooked } from "./derived.ts";
export { inJournalOrder } from "./journal-order.ts";
export type { LedgerPolicy } from "./policy.ts";
export { postFacts } from "./post-facts.ts";
export { readChart } from "./read-chart.ts";
export { LedgerSums, type TrialBalance, type TrialBalanceRow, trialBalance } from "./trial-balance.ts";
