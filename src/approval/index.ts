export { type BalanceEffect, type BalanceEffects, balanceEffects } from "./balance-effects.ts";
export {
  type ApprovalDecision,
  approvalEnds,
  approvedSince,
  decide,
  peopleNeededFor,
  validApprovals,
} from "./decide.ts";
export { unaccepted } from "./unaccepted.ts";
