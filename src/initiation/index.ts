/**
 * Initiation: reads the grid of a payout file by its structure, and turns its payments into draft instructions, or
 * reports every problem of every row. Opens no file and keeps nothing; history is queried through the policy.
 */

export { readReference } from "./cell-readers.ts";
export { chooseSheet, countKnownNames } from "./choose-sheet.ts";
export { initiate } from "./initiate.ts";
export type {
  AcceptedLayout,
  InitiationPolicy,
  InitiationResult,
  TotalsFile,
} from "./policy.ts";
export { type AllowList, isAllowListHeader, readAllowList } from "./screening/allow-list.ts";
export type { PaidLookAlikes } from "./screening/look-alikes.ts";
export { firstPaymentText, type NewDestinations } from "./screening/new-destinations.ts";
export type { Payment, ScreenedDraft } from "./screening/screened-payment.ts";
export { Screening, type ScreeningPolicy, type ScreeningReport } from "./screening/screening.ts";
