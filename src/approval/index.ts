export {
  type ApprovalDecision,
  type ApprovalRule,
  approvalEnds,
  approvedSince,
  decide,
  peopleNeededFor,
} from "./decide.ts";
