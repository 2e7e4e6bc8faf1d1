export { findKnownPayouts, type Known, knownDeposits, knownPayouts, type StateChange } from "./keep.ts";
export { lookByReferences, type ReferenceLook, trackDeposits, trackPayouts } from "./look.ts";
export { observeBalances, type Sweep, sweepDeposits, sweepPayouts } from "./sweep.ts";
export type { ObservationTools } from "./tools.ts";
