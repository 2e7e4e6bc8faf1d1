export { ConfigFault } from "./config-fault.ts";
export type { Environment } from "./environment-variables.ts";
export { type Config, loadConfig } from "./load.ts";
export { readDatabaseUrl, readProxyCredentials, readSecrets, type Secrets } from "./secrets.ts";
