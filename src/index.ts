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
export { type CatalogueCode, catalogue, Fault, type Next, type Problem, type Where } from "./faults/index.ts";
export type { FileReport } from "./files/intake/file-report.ts";
export { type IntakeReport, intakeStep } from "./files/intake-step.ts";
export { type FileToRepair, fileToRepair, type RepairRequest, repairStep } from "./files/repair-step.ts";
export { type SubmitReport, submitFile } from "./files/submit-step.ts";
export { type TemplateReport, templateStep } from "./files/template-step.ts";
export { validateFile } from "./files/validate-step.ts";
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
export { type ApprovalOptions, type ApprovalReport, approveStep } from "./payments/approve-step.ts";
export {
  authorizeStep,
  createDepositStep,
  type DepositRequest,
  voidDepositStep,
  voidPayoutStep,
} from "./payments/change-step.ts";
export { type CreatedPayout, createPayoutStep, type PayoutRequest } from "./payments/create-payout-step.ts";
export {
  acceptShownStep,
  type Resolving,
  type ResolvingChange,
  reopenStep,
  resolveChangeStep,
  resolveDoubtStep,
} from "./payments/doubt-step.ts";
export { type PayAgainRequest, payAgainStep } from "./payments/pay-again-step.ts";
export { payStep } from "./payments/pay-step.ts";
export { recallStep } from "./payments/recall-step.ts";
export {
  giveStopOrder,
  liftStopOrder,
  type StopOrder,
  stopOrder,
} from "./payments/run/stop-order.ts";
export type {
  ChangeReport,
  Decision,
  ExecutionOptions,
  ExecutionReport,
  Resolution,
} from "./payments/sending/index.ts";
export { type TrackOptions, type TrackReport, trackStep } from "./payments/track-step.ts";
export {
  type AddPerson,
  addPersonStep,
  type Enrolment,
  enrolStep,
  listPeopleStep,
  type Revocation,
  type RosterReport,
  revokeStep,
} from "./proof/people-step.ts";
export { type BackupReport, backupStep } from "./setup/backup-step.ts";
export { type Check, doctorStep } from "./setup/doctor-step.ts";
export { type PilotReport, type PilotRequest, pilotStep } from "./setup/pilot-step.ts";
export { type NamedBalance, showAccountsOfUser, showBalances } from "./views/balances-step.ts";
export { type BatchStatus, statusOfBatches } from "./views/batch-status.ts";
export { type ChangeDoubt, type Doubt, type DoubtReport, listDoubts } from "./views/doubts.ts";
export {
  explainNamedStep,
  explainStep,
  type OtherStory,
  type Story,
  type StoryLine,
} from "./views/explain-step.ts";
export { type Overview, overviewOf } from "./views/overview.ts";
export { statusOf } from "./views/payment-status.ts";
export { type BatchPreview, previewBalances, previewStep } from "./views/preview-step.ts";
export {
  type SearchReport,
  type SearchRequest,
  searchDeposits,
  searchPayouts,
  showDeposits,
  showPayouts,
} from "./views/search-step.ts";
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
export type { AskedToSign, Sign } from "./workplace/sign.ts";
export { openWorkplace, openWorkplaceForReading, type Workplace } from "./workplace/workplace.ts";
