/**
 * Initiation: turns the rows of a payout file into draft instructions, or reports every problem of every row. Opens no
 * file and keeps nothing; history is queried through the policy.
 */
export { markControlTotals } from "./control-totals/control-totals.ts";
export { limitsExceeded } from "./file-rules.ts";
export { type CheckedWindow, initiate } from "./initiate.ts";
export type { Finding, InitiationPolicy, InitiationResult, TotalsFile } from "./policy.ts";
export type { ProblemCounts } from "./problem-list.ts";
export { referenceReader } from "./readers.ts";
export { type AllowList, isAllowListHeader, readAllowList } from "./screening/allow-list.ts";
export type { PaidLookAlikes } from "./screening/look-alikes.ts";
export { firstPaymentText, type NewDestinations } from "./screening/new-destinations.ts";
export type { Payment, ScreenedDraft } from "./screening/screened-payment.ts";
export {
  type MadeBefore,
  Screening,
  type ScreeningPolicy,
  type ScreeningReport,
} from "./screening/screening.ts";
export { payoutTableSigns } from "./table-signs.ts";
