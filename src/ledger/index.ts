export {
  CHART_ROLES,
  type Chart,
  type ChartRole,
  type ChartRow,
  type GeneralLedgerFields,
  lookUpGeneralLedger,
} from "./chart.ts";
export { checkBalance } from "./check-balance.ts";
export { deriveFacts, type Observations } from "./derive-facts.ts";
export type { Derived, NotBooked } from "./derived.ts";
export { inJournalOrder } from "./journal-order.ts";
export {
  type BookingRules,
  defaultBookingRules,
  type LedgerPolicy,
  type OwnCustodyAccount,
} from "./policy.ts";
export { type Posted, postFacts } from "./post-facts.ts";
export { readChart } from "./read-chart.ts";
export { type TrialBalance, type TrialBalanceRow, trialBalance } from "./trial-balance.ts";
