export { type ApprovalDecision, approvalEnds, decide, peopleNeededFor } from "./decide.ts";
