/** The whole Payment Execution Service in one process, for offline trials. Public as `paydrop/sandbox`. */
export type { SandboxAnswer, SandboxRequest } from "./core.ts";
export { demoSeed } from "./demo-seed.ts";
export type { FaultEffect, FaultScript } from "./fault-scripts.ts";
export { type RunningSandbox, type ServerOptions, startSandbox } from "./http-shell.ts";
export type { Arrival, Delivery, PlannedDelivery } from "./misbehaviour.ts";
export type { Route, RouteChanges } from "./operations/routes.ts";
export type { Operator } from "./operator.ts";
export type {
  ExpiredRateCause,
  NoncePolicy,
  ReferencePolicy,
  RefusalStatuses,
  SandboxOptions,
  WrittenOptions,
} from "./options.ts";
export { type OptionsFile, readOptionsFile } from "./options-file.ts";

export type { SignatureCheck, SignedRequest } from "./rules/signature.ts";
export { openSandbox, type Sandbox } from "./sandbox.ts";
export { readSeed, type SandboxSeed, type SandboxSeedInput } from "./seed.ts";
export type { Balance, Movement, MovementKind } from "./state/accounts.ts";
export type { Creation } from "./state/payouts.ts";
