/**
 * Initiation: the rows of a payout file become draft instructions, or every problem of every row is said. Opens no file and
 * keeps nothing; history is asked through the policy.
 */

export { isPayoutHeader } from "./header.ts";
export { type CheckedWindow, initiate } from "./initiate.ts";
export { markControlTotals } from "./mark-control-totals.ts";
export type { InitiationPolicy, TotalsFile } from "./policy.ts";
export type { ProblemCounts } from "./problem-list.ts";
