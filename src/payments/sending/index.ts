export { fillAuthorizationBody } from "./changes/authorization-body.ts";
export { type ChangeName, type ChangeReport, type ChangeRequest, change } from "./changes/change.ts";
export {
  abandonChangeByPerson,
  acceptChangeByPerson,
  type ChangeDecision,
} from "./changes/change-decide.ts";
export { doubtEarlierChanges, isCreation, resolveEarlierChanges } from "./changes/change-doubt.ts";
export { sentFields } from "./creation-body.ts";
export { acceptByPerson, listAcceptable } from "./doubts/accept.ts";
export {
  abandonByPerson,
  reopenByPerson,
  resendByPerson,
} from "./doubts/decide.ts";
export { type Decision, decisionRefused, paidAgainAs } from "./doubts/decision.ts";
export { checkIdentity, doubtInterrupted, type Resolution } from "./doubts/doubt.ts";
export { execute } from "./execute.ts";
export { lookBeforePayAgain } from "./pay-again-looks.ts";
export { mayBeRecalled, recallByPerson } from "./recall.ts";
export type { ExecutionOptions, ExecutionReport, Pause } from "./report.ts";
export { type SpendingLimits, spend } from "./spend.ts";
export type { Creation, ExecutionPolicy, ExecutionTools, ReleaseStamps } from "./tools.ts";
