export type { Answer, FailedAnswer } from "./answer.ts";
export type { Recognise } from "./elements.ts";
export {
  type Condition,
  type Consequence,
  failureOf,
  problemOf,
  type ServiceFailure,
  ServiceFault,
  unlessServiceFails,
} from "./failure.ts";
export {
  depositPages,
  type Find,
  type FindFilter,
  type FindPages,
  findDeposits,
  findPayouts,
  payoutPages,
  type Reading,
  type SearchOperation,
} from "./find.ts";
export { type Gateway, type GatewaySettings, openGateway } from "./gateway.ts";
export { lookUp, retryAfterMs } from "./look-up.ts";
export { type ModuleSigningInput, moduleSigner } from "./module-signer.ts";
export { type OneTimeCodeSource, type OneTimeCodes, oneTimeCodes } from "./one-time-codes.ts";
export type {
  OperationAnswer,
  OperationBodies,
  OperationName,
  OperationWith,
  PayoutCreationName,
} from "./operations.ts";
export type { FindPaging, Found, Pages, PagingReport, SortCriterion } from "./pages.ts";
export type { Route, Routes } from "./routes.ts";
export type { Secret } from "./scrub.ts";
export { hmacSigner, type SignedHeaders, type Signer, type SigningInput } from "./signing.ts";
