export { adaptivePaging } from "./adaptive-paging.ts";
export { type Departure, departureOf, departuresOfFailed, departureText } from "./departure.ts";
export { depositFromStored, depositFromWire, payoutFromStored } from "./from-wire.ts";
export {
  depositWindows,
  type Known,
  type KnownWaiting,
  knownByIds,
  knownDepositsOf,
  knownForInstruction,
  knownForInstructions,
  knownPayoutsOf,
  payoutFromSighting,
  payoutWindows,
  unpostedDepositWindows,
  unpostedPayoutWindows,
  waitingDepositWindows,
  waitingPayoutWindows,
  waitingUnownedWindows,
} from "./known.ts";
export {
  lookByIds,
  lookByReferences,
  lookForDeposits,
  looksByReferences,
  mergeLooks,
  type ReferenceLook,
  type Tracked,
  track,
} from "./look.ts";
export { type AbsenceLook, lookForAbsent } from "./look-for-absent.ts";
export { noteNamesOfHistory } from "./names-of-history.ts";
export { receiptClaims } from "./receipt-claims.ts";
export { DEPOSITS, type Observed, PAYOUTS, type StateChange } from "./record.ts";
export { sentClaims } from "./sent-claims.ts";
export { type LookForNew, lookForNew, observeBalances, type Sweep, sweep } from "./sweep.ts";
export type { ObservationTools } from "./tools.ts";
export { statesBefore } from "./went-back.ts";
