export { Comparison, type Sighted } from "./comparison.ts";
export { reconcile } from "./reconcile.ts";
export type {
  Reconciliation,
  ReconciliationInput,
  ReconciliationPolicy,
} from "./reconciliation.ts";
