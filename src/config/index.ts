export type { Config } from "./absolute-paths.ts";
export { ConfigFault } from "./config-fault.ts";
export type { Environment } from "./environment-variables.ts";
export { loadConfig } from "./load.ts";
export { rootSchema } from "./schema.ts";
export {
  namesSecret,
  readClientKey,
  readDatabaseUrl,
  readEventsReceiver,
  readNoticesPassword,
  readNoticesUrl,
  readProxyCredentials,
  readSecrets,
  type Secrets,
  serviceSecretsIn,
  withoutSecrets,
  withoutServiceSecrets,
} from "./secrets.ts";
