export { type BalanceEffect, type BalanceEffects, balanceEffects } from "./balance-effects.ts";
export {
  type ApprovalDecision,
  approvalEnds,
  approvedSince,
  countingApprovals,
  decide,
  peopleNeededFor,
  runOutAt,
  validApprovals,
} from "./decide.ts";
export { unaccepted } from "./unaccepted.ts";
