export { type AcceptedAnswer, writeAcceptedAnswer } from "./accepted.ts";
export { type RejectedAnswer, writeRejectedAnswer } from "./rejected.ts";
export { type ResultsAnswer, type RowResult, writeResultsAnswer } from "./results.ts";
