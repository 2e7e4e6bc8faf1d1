/** Expected receipts: files, deposits and addresses for them, and matching with receipts that arrive. */

export { expectedAnswer } from "./answer-files.ts";
export {
  approveExpectedStep,
  endExpectationStep,
  matchReceiptStep,
  unmatchReceiptStep,
} from "./decide.ts";
export { type ExpectedReport, expectedStep } from "./expected-step.ts";
export { explainExpected } from "./explain.ts";
export { type OpenReceipt, openReceipts } from "./rules/candidates.ts";
export {
  type Matched,
  type MatchedExpectation,
  type MatchingPolicy,
  match,
  type Receipt,
} from "./rules/matching.ts";
export { paymentUri } from "./rules/payment-uri.ts";
export {
  type CustomerSums,
  type ExpectedNow,
  expectedNow,
  isToDecide,
  isWaiting,
  notesOf,
  type ShownExpectation,
  STATE_WORDS,
  sumsByCustomer,
} from "./status.ts";
export { type ExpectedFileReport, expectFileStep, expectUploadStep } from "./take-file.ts";
