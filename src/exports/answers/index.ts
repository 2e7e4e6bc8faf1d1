export type { SummaryGroup } from "./answer.ts";
export { type LineResult, writeAcceptedAnswer, writeRejectedAnswer, writeResultsAnswer } from "./answers.ts";
