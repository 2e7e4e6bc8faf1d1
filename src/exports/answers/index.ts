export { writeAcceptedAnswer } from "./accepted.ts";
export type { SummaryLine } from "./answer-line.ts";
export { writeRejectedAnswer } from "./rejected.ts";
export { type RowResult, writeResultsAnswer } from "./results.ts";
