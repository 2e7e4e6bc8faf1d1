export { type BalanceEffect, type BalanceEffects, balanceEffects } from "./balance-effects.ts";
export {
  type ApprovalDecision,
  type ApprovalRule,
  type Approver,
  approvalEnds,
  approvedSince,
  countingApprovals,
  decide,
  mayApprove,
  mayDecide,
  moreFor,
  peopleNeededFor,
  runOutAt,
  unaccepted,
  validApprovals,
} from "./decide.ts";
