export { acceptByPerson } from "./accept.ts";
export { fillAuthorizationBody } from "./authorization-body.ts";
export { type ChangeName, type ChangeReport, type ChangeRequest, change } from "./change.ts";
export {
  abandonChangeByPerson,
  acceptChangeByPerson,
  type ChangeDecision,
} from "./change-decide.ts";
export { isCreation, resolveEarlierChanges } from "./change-doubt.ts";
export {
  abandonByPerson,
  reopenByPerson,
  resendByPerson,
} from "./decide.ts";
export { type Decision, decisionRefused } from "./decision.ts";
export { doubtWhatWasUnderWay, type Resolution } from "./doubt.ts";
export { execute } from "./execute.ts";
export { type OneTimeCodeSource, oneTimeCodes } from "./one-time-codes.ts";
export { whyNotProvenDead } from "./proven-dead.ts";
export { mayBeRecalled, recallByPerson } from "./recall.ts";
export type { ExecutionOptions, ExecutionReport } from "./report.ts";
export { type AgainSight, sightBesideFailed, sightOfRefused, sightOfUnsent } from "./sight-of-earlier.ts";
export type { Creation, ExecutionPolicy, ExecutionTools } from "./tools.ts";
