/**
 * Initiation: reads the grid of a payout file by its structure, and turns its payments into draft instructions, or
 * reports every problem of every row. It opens no file and stores nothing; it queries history through the policy.
 */
export { columnReaders, readReference } from "./cell-readers.ts";
export { cellReader, lineHoldsKey } from "./check-row.ts";
export { type AmountReading, amountFormatOf, dayOrderOf, valueAt } from "./column-format.ts";
export { chooseSheet, countKnownNames, HEADER_LINE_MAX } from "./find-header.ts";
export { initiate } from "./initiate.ts";
export { limitsExceeded } from "./limits.ts";
export {
  type AcceptedLayout,
  type InitiationPolicy,
  type InitiationResult,
  NOTHING_READ,
  type TotalsFile,
} from "./policy.ts";
export { amountBreach, chooseCustodyAccount, namedCurrency } from "./row-rules.ts";
export * from "./screening/destinations.ts";
export * from "./screening/last-time.ts";
export type { PayeeAt } from "./screening/screened-payment.ts";
export * from "./screening/screening.ts";
export { unitsInHeading } from "./units.ts";
