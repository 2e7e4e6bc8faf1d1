export { Comparison, type Sighted } from "./comparison.ts";
export type { ComparisonInput, Reconciliation, ReconciliationPolicy } from "./reconciliation.ts";
