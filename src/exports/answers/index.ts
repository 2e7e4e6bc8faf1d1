export { type AcceptedAnswer, writeAcceptedAnswer } from "./accepted.ts";
export type { SummaryGroup } from "./answer.ts";
export { writeRejectedAnswer } from "./rejected.ts";
export { type RowResult, writeResultsAnswer } from "./results.ts";
