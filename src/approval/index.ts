export { type ApprovalDecision, type ApprovalRule, approvalEnds, decide, peopleNeededFor } from "./decide.ts";
