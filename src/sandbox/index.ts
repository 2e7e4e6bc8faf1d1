/** The whole Payment Execution Service in one process, for offline trials. Public as `paydrop/sandbox`. */
export { demoSeed } from "./demo-seed.ts";
export type { FaultEffect, FaultScript } from "./fault-scripts.ts";
export type { Delivery } from "./faults.ts";
export type { SandboxAnswer } from "./handle.ts";
export { type RunningSandbox, SANDBOX_HEADERS, type ServerOptions, startSandbox } from "./http.ts";
export type { RouteChanges } from "./operations/routes.ts";
export type { NoncePolicy, SandboxOptions } from "./options.ts";
export { readOptionsFile } from "./options-file.ts";
export { type Creation, openSandbox, type Sandbox } from "./sandbox.ts";
export type { SandboxSeedInput } from "./seed.ts";
export type { Balance, Movement } from "./state/money.ts";
