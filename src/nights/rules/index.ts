export { Comparison, type Sighted } from "./comparison.ts";
export type {
  ComparedDeposit,
  ComparisonInput,
  Reconciliation,
  ReconciliationPolicy,
} from "./reconciliation.ts";
