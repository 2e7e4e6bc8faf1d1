export { writeAcceptedAnswer } from "./accepted.ts";
export { writeRejectedAnswer } from "./rejected.ts";
export { type RowResult, writeResultsAnswer } from "./results.ts";
