/**
 * The books: sightings of payouts and deposits become facts (`rules/`, purely), facts become balanced entries
 * (`posting/`, rules in `rules/post-facts.ts`), and entries become export batches (`exports/`, `formats/`). The chart
 * of accounts is in `chart/`, the ERP's answers in `answers/`, closing a month in `periods-step.ts`, reports in
 * `report-step.ts`.
 */
export { type AnswerReport, answerInWords, answerStep } from "./answers/answer-step.ts";
export { erpAnswersStep } from "./answers/answers-inbox.ts";
export { type Books, booksStep } from "./books-step.ts";
export { generalLedgerChoices, generalLedgerInWords } from "./chart/chart.ts";
export { openChart } from "./chart/chart-file.ts";
export { idleKeys } from "./chart/idle-lines.ts";
export { type Chart, lookUpGeneralLedger, respeltIn, unknownToChart } from "./chart/look-up.ts";
export { readChart } from "./chart/read-chart.ts";
export { type ChartChecked, checkChartStep } from "./check-chart-step.ts";
export type { AgainReport } from "./exports/again.ts";
export type { ExportAsked, ExportReport } from "./exports/issue.ts";
export { issuedExports, openIssuedFile } from "./exports/issued-files.ts";
export { figureText } from "./formats/report-csv.ts";
export {
  exportAgainStep,
  exportStep,
  type LedgerExportReport,
  ledgerExportStep,
  writeExceptions,
} from "./ledger-export-step.ts";
export { closedThroughNow, unfittingPayment } from "./ledger-policy.ts";
export {
  closePeriodStep,
  isKeptClosed,
  type PeriodClosed,
  type Periods,
  periodChecklist,
  periodsStep,
  reopenPeriodStep,
} from "./periods-step.ts";
export { type LedgerReport, ledgerStep } from "./posting/post-settled.ts";
export { type LedgerVerified, ledgerSumsOff, ledgerVerifyStep } from "./posting/verify-ledger.ts";
export { type Remap, remapStep, unmappedValues } from "./remap-step.ts";
export { type BooksReportAsked, booksReportBytes, booksReportStep, writeBooksReport } from "./report-step.ts";
export { deriveDeposits, PayoutDerivation, receivingAddress } from "./rules/derive-facts.ts";
export type { Derived, NotBooked } from "./rules/derived.ts";
export { checkBalance, inJournalOrder } from "./rules/journal-entries.ts";
export { type LedgerPolicy, refuseClosedAhead } from "./rules/policy.ts";
export { postFacts } from "./rules/post-facts.ts";
export { receiptKeys } from "./rules/receipt-keys.ts";
export { type BooksReport, type Cell, isFigure, type ReportTable } from "./rules/reports/report-table.ts";
export { LedgerSums, type TrialBalance, type TrialBalanceRow } from "./rules/trial-balance.ts";
export { excuseExportStep, settleHeldStep } from "./settle-step.ts";
