export { type BalanceEffect, type BalanceEffects, balanceEffects } from "./balance-effects.ts";
export {
  type ApprovalDecision,
  approvalEnds,
  approvedSince,
  countingApprovals,
  decide,
  mayDecide,
  moreFor,
  peopleNeededFor,
  runOutAt,
  unaccepted,
  validApprovals,
} from "./decide.ts";
