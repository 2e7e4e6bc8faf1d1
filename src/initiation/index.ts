/** Initiation: rows of a payout file become instructions, or every problem of every row is said. Pure but for the policy's look into history. */
export { isPayoutHeader } from "./header.ts";
export { initiate } from "./initiate.ts";
export type {
  CustodyAccount,
  InitiationPolicy,
  InitiationResult,
  Limits,
  ReferencePattern,
  RowDefaults,
} from "./policy.ts";
