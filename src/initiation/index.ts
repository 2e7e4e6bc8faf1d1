/**
 * Initiation: the rows of a payout file become draft instructions, or every problem of every row is said. Opens no file and
 * keeps nothing; history is asked through the policy.
 */
export { type AllowList, isAllowListHeader, readAllowList } from "./allow-list.ts";
export { isPayoutHeader } from "./header.ts";
export { type CheckedWindow, initiate } from "./initiate.ts";
export type { PaidLookAlikes } from "./look-alikes.ts";
export { markControlTotals } from "./mark-control-totals.ts";
export type { NewDestinations } from "./new-destinations.ts";
export type { InitiationPolicy, TotalsFile } from "./policy.ts";
export type { ProblemCounts } from "./problem-list.ts";
export type { Payment } from "./screened-payment.ts";
export { Screening, type ScreeningPolicy, type ScreeningReport } from "./screening.ts";
export { SECRET_NOT_SHOWN } from "./shown-text.ts";
