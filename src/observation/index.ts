export { adaptivePaging } from "./adaptive-paging.ts";
export { type Departure, departureOf, departuresOfFailed, departureText } from "./departure.ts";
export { payoutFromStored } from "./from-wire.ts";
export {
  DEPOSITS,
  depositWindows,
  type Known,
  knownByIds,
  knownDepositsOf,
  knownForInstruction,
  knownForInstructions,
  knownPayoutsOf,
  PAYOUTS,
  payoutsOf,
  payoutWindows,
  type StateChange,
  unownedPayoutWindows,
} from "./keep.ts";
export {
  lookAtIds,
  lookByIds,
  lookByReferences,
  lookForDeposits,
  looksByReferences,
  type ReferenceLook,
  type Tracked,
  together,
  track,
} from "./look.ts";
export { observeBalances, type Sweep, sweep } from "./sweep.ts";
export type { ObservationTools } from "./tools.ts";
