export {
  knownDeposits,
  knownForInstruction,
  knownPayouts,
  knownStates,
  payoutsOf,
  type StateChange,
} from "./keep.ts";
export {
  lookByIds,
  lookByReferences,
  lookForDeposits,
  type ReferenceLook,
  trackDeposits,
  trackPayouts,
} from "./look.ts";
export { observeBalances, type Sweep, sweepDeposits, sweepPayouts } from "./sweep.ts";
export type { ObservationTools } from "./tools.ts";
