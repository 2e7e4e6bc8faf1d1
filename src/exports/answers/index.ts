export type { SummaryGroup } from "./answer.ts";
export {
  type LineResult,
  writeAcceptedAnswer,
  writeCorrection,
  writeRejectedAnswer,
  writeResultsAnswer,
} from "./answers.ts";
