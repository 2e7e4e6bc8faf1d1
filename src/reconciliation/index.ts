export { Comparison, type Sighted } from "./comparison.ts";
export type { ComparisonGround, Reconciliation, ReconciliationPolicy } from "./reconciliation.ts";
