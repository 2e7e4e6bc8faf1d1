export {
  type Chart,
  comparableKey,
  generalLedgerChoices,
  generalLedgerInWords,
  lookUpGeneralLedger,
  unknownToChart,
} from "./chart.ts";
export { AddressAccounts, deriveDeposits, PayoutDerivation } from "./derive-facts.ts";
export type { Derived, NotBooked } from "./derived.ts";
export { expectedEntry } from "./expected-entry.ts";
export { checkBalance, inJournalOrder, type JournalPlace } from "./journal-entries.ts";
export { movedSinceBaseline } from "./moved-since-baseline.ts";
export type { LedgerPolicy } from "./policy.ts";
export { firstOpenDay, refuseClosedAhead } from "./policy.ts";
export { postFacts, whereOfEntry } from "./post-facts.ts";
export { readChart } from "./read-chart.ts";
export { LedgerSums, type TrialBalance, type TrialBalanceRow } from "./trial-balance.ts";
