/**
 * Initiation: reads the grid of a payout file by its structure, and turns its payments into draft instructions, or
 * reports every problem of every row. Opens no file and keeps nothing; history is queried through the policy.
 */
export { readReference } from "./cell-readers.ts";
export { limitsExceeded } from "./check-file.ts";
export { type ChosenSheet, chooseSheet, countKnownNames } from "./choose-sheet.ts";
export type { NumberFormat } from "./column-format.ts";
export { initiate } from "./initiate.ts";
export type {
  AcceptedLayout,
  EarlierUse,
  Finding,
  InitiationPolicy,
  InitiationResult,
  TotalsFile,
} from "./policy.ts";
export { type AllowList, readAllowList } from "./screening/allow-list.ts";
export { firstPaymentText, type NewDestinations, type PaidLookAlikes } from "./screening/first-time.ts";
export type { NeverPaidAt, PaidOtherwise } from "./screening/payees.ts";
export type { Payment, ScreenedDraft } from "./screening/payment.ts";
export {
  type MadeBefore,
  type Screened,
  type ScreeningPolicy,
  type ScreeningReport,
  screenPayments,
} from "./screening/screening.ts";
