export { fillAuthorizationBody } from "./authorization-body.ts";
export { type ChangeName, type ChangeReport, type ChangeRequest, change } from "./change.ts";
export {
  abandonByPerson,
  acceptByPerson,
  type Decision,
  reopenByPerson,
  resendByPerson,
} from "./decide.ts";
export type { Resolution } from "./doubt.ts";
export { execute } from "./execute.ts";
export { type OneTimeCodeSource, oneTimeCodes } from "./one-time-codes.ts";
export type { ExecutionOptions, ExecutionReport } from "./report.ts";
export type { Creation, ExecutionPolicy, ExecutionTools } from "./tools.ts";
