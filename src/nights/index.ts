export { type BaselineReport, baselineStep } from "./baseline-step.ts";
export { type BreakDecision, type BreaksReport, breaksStep, settleStep } from "./breaks-step.ts";
export { type ReconciliationReport, reconcileStep } from "./reconcile-step.ts";
