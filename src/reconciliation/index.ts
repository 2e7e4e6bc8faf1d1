export { reconcile } from "./reconcile.ts";
export type {
  Correlation,
  Match,
  Reconciliation,
  ReconciliationInput,
  ReconciliationPolicy,
  ReconciliationTotals,
} from "./reconciliation.ts";
