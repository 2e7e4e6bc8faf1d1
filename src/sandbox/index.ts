/** The whole Payment Execution Service in one process, for offline trials. Public as `paydrop/sandbox`. */
export type { SandboxAnswer, SandboxRequest } from "./core.ts";
export { demoSeed } from "./demo-seed.ts";
export type { FaultEffect, FaultScript } from "./fault-scripts.ts";
export { SANDBOX_HEADERS } from "./http-delivery.ts";
export { type RunningSandbox, type ServerOptions, startSandbox } from "./http-shell.ts";
export type { Delivery } from "./misbehaviour.ts";
export type { RouteChanges } from "./operations/routes.ts";
export type { NoncePolicy, SandboxOptions } from "./options.ts";
export { readOptionsFile } from "./options-schema.ts";
export { openSandbox, type Sandbox } from "./sandbox.ts";
export type { SandboxSeedInput } from "./seed.ts";
export type { Balance, Movement } from "./state/accounts.ts";
export type { Creation } from "./state/payouts.ts";
