export type { LedgerSide, TreasurySum } from "./books-tie.ts";
export { type Cleared, Comparison, type Sighted } from "./comparison.ts";
export type {
  ComparedDeposit,
  ComparisonInput,
  Reconciliation,
  ReconciliationPolicy,
} from "./reconciliation.ts";
export { accountsIn, KeptSums, type Share, type ShareClass, shareText } from "./shares.ts";
