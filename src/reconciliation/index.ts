export { Comparison, type Sighted } from "./comparison.ts";
export {
  type ComparedDeposit,
  type ComparisonInput,
  PAYOUT_CLASSES,
  type PayoutClass,
  type Reconciliation,
  type ReconciliationPolicy,
} from "./reconciliation.ts";
