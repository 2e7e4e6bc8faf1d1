/**
 * The public library: the typed client of the service, and the pipeline's steps as functions.
 * A `Workplace` is one configuration with its state; every step takes one and returns its report.
 */

export type { TrialBalance, TrialBalanceRow } from "./books/index.ts";
export {
  type AgainReport,
  type AnswerReport,
  answerStep,
  type ExportAsked,
  type ExportReport,
  exportAgainStep,
  exportStep,
  type LedgerExportReport,
  type LedgerReport,
  ledgerExportStep,
  ledgerStep,
} from "./books/index.ts";
export { type Config, type Environment, loadConfig } from "./config/index.ts";
export { type Clock, systemClock } from "./context/clock.ts";
export type { Context } from "./context/context.ts";
export { type Log, type LogFields, stderrLog } from "./context/log.ts";
export { type HttpExchange, type HttpRequest, type Transport, undiciTransport } from "./context/transport.ts";
export type {
  ChangeReport,
  Decision,
  ExecutionOptions,
  ExecutionReport,
  Resolution,
} from "./execution/index.ts";
export { type CatalogueCode, catalogue, Fault, type Next, type Problem, type Where } from "./faults/index.ts";
export {
  type Answer,
  type Condition,
  type Consequence,
  depositPages,
  type FailedAnswer,
  type FindFilter,
  type FindPaging,
  type Found,
  failureOf,
  findDeposits,
  findPayouts,
  type Gateway,
  type GatewaySettings,
  hmacSigner,
  lookUp,
  type ModuleSigningInput,
  moduleSigner,
  type OperationAnswer,
  type OperationBodies,
  type OperationName,
  openGateway,
  type Pages,
  type PagingReport,
  payoutPages,
  type Reading,
  type Route,
  type Routes,
  type SearchOperation,
  type ServiceFailure,
  ServiceFault,
  type SignedHeaders,
  type Signer,
  type SigningInput,
  type SortCriterion,
} from "./gateway/index.ts";
export type {
  Batch,
  Break,
  ControlTotal,
  Instruction,
  InstructionFields,
  JournalEntry,
  JournalLine,
  Standing,
} from "./model/index.ts";
export { type Amount, Decimal } from "./money/index.ts";
export {
  assignBreakStep,
  type BaselineReport,
  type BreakAssignment,
  type BreakDecision,
  type BreakFilter,
  type BreakNoting,
  type BreakStory,
  type BreaksReport,
  baselineStep,
  breaksStep,
  noteBreakStep,
  type ReconciliationReport,
  reconcileStep,
  reopenBreakStep,
  settleStep,
  showBreakStep,
} from "./nights/index.ts";
export { type ApprovalOptions, type ApprovalReport, approveStep } from "./pipeline/approve-step.ts";
export { type BackupReport, backupStep } from "./pipeline/backup-step.ts";
export { type NamedBalance, showAccountsOfUser, showBalances } from "./pipeline/balances-step.ts";
export {
  authorizeStep,
  createDepositStep,
  type DepositRequest,
  voidDepositStep,
  voidPayoutStep,
} from "./pipeline/change-step.ts";
export { type CreatedPayout, createPayoutStep, type PayoutRequest } from "./pipeline/create-payout-step.ts";
export { type Check, doctorStep } from "./pipeline/doctor-step.ts";
export {
  acceptShownStep,
  type Resolving,
  type ResolvingChange,
  reopenStep,
  resolveChangeStep,
  resolveDoubtStep,
} from "./pipeline/doubt-step.ts";
export {
  explainNamedStep,
  explainStep,
  type OtherStory,
  type Story,
  type StoryLine,
} from "./pipeline/explain-step.ts";
export type { FileReport } from "./pipeline/files/file-report.ts";
export { type IntakeReport, intakeStep } from "./pipeline/intake-step.ts";
export { type PayAgainRequest, payAgainStep } from "./pipeline/pay-again-step.ts";
export { payStep } from "./pipeline/pay-step.ts";
export {
  type AddPerson,
  addPersonStep,
  type Enrolment,
  enrolStep,
  listPeopleStep,
  type Revocation,
  type RosterReport,
  revokeStep,
} from "./pipeline/people/people-step.ts";
export type { AskedToSign, Sign } from "./pipeline/people/sign.ts";
export { type PilotReport, type PilotRequest, pilotStep } from "./pipeline/pilot-step.ts";
export { type BatchPreview, previewBalances, previewStep } from "./pipeline/preview-step.ts";
export { recallStep } from "./pipeline/recall-step.ts";
export { type FileToRepair, fileToRepair, type RepairRequest, repairStep } from "./pipeline/repair-step.ts";
export {
  type SearchReport,
  type SearchRequest,
  searchDeposits,
  searchPayouts,
  showDeposits,
  showPayouts,
} from "./pipeline/search-step.ts";
export {
  giveStopOrder,
  liftStopOrder,
  type StopOrder,
  stopOrder,
} from "./pipeline/sending/stop-order.ts";
export { type BatchStatus, statusOfBatches } from "./pipeline/status/batch-status.ts";
export { type ChangeDoubt, type Doubt, type DoubtReport, listDoubts } from "./pipeline/status/doubts.ts";
export { type Overview, overviewOf } from "./pipeline/status/overview.ts";
export { statusOf } from "./pipeline/status/payment-status.ts";
export { type SubmitReport, submitFile } from "./pipeline/submit-step.ts";
export { type TemplateReport, templateStep } from "./pipeline/template-step.ts";
export { type TrackOptions, type TrackReport, trackStep } from "./pipeline/track-step.ts";
export { validateFile } from "./pipeline/validate-step.ts";
export { openWorkplace, openWorkplaceForReading, type Workplace } from "./pipeline/workplace/workplace.ts";
export {
  type AccountBalance,
  type AccountBalancesRequest,
  type AccountsOfUserRequest,
  type AuthorizingPayoutCreation,
  type BalanceResponse,
  type Deposit,
  type DepositCreated,
  type DepositCreation,
  type DepositSearchResponse,
  type DepositVoid,
  type ErrorObject,
  type PagedDepositSearch,
  type PagedPayoutSearch,
  type Payout,
  type PayoutCreated,
  type PayoutCreation,
  type PayoutSearchResponse,
  type PayoutVoid,
  parseJson,
  writeJson,
} from "./wire/index.ts";
