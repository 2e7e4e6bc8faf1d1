export { type Answer, inWords, type SummaryGroup } from "./answer.ts";
export { writeAnswerCsv } from "./answer-csv.ts";
export { writeAnswerXlsx } from "./answer-xlsx.ts";
export {
  keptAsideSentence,
  type LineResult,
  writeAcceptedAnswer,
  writeAnswer,
  writeRejectedAnswer,
  writeResultsAnswer,
} from "./answers.ts";
