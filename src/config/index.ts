export type { Environment } from "./environment-variables.ts";
export { type Config, ConfigFault, loadConfig } from "./load.ts";
export { readSecrets, type Secrets } from "./secrets.ts";
