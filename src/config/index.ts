export { ConfigFault } from "./config-fault.ts";
export type { Environment } from "./environment-variables.ts";
export { type Config, loadConfig } from "./load.ts";
export {
  readDatabaseUrl,
  readNoticesUrl,
  readProxyCredentials,
  readSecrets,
  type Secrets,
} from "./secrets.ts";
