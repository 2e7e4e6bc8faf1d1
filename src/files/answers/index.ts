export type { SummaryGroup } from "./answer.ts";
export { writeAnswerCsv } from "./answer-csv.ts";
export { writeAnswerXlsx } from "./answer-xlsx.ts";
export {
  keptAsideSentence,
  type LineResult,
  writeAcceptedAnswer,
  writeRejectedAnswer,
  writeResultsAnswer,
} from "./answers.ts";
