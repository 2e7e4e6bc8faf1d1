/** Everything a step works with, opened from one configuration. The service's side opens only when a step needs it. */
import { createHash } from "node:crypto";
import { type Config, type Environment, loadConfig, readSecrets, type Secrets } from "../config/index.ts";
import { systemClock } from "../context/clock.ts";
import type { Context } from "../context/context.ts";
import { type Log, stderrLog } from "../context/log.ts";
import { systemRandom } from "../context/random.ts";
import { undiciTransport } from "../context/transport.ts";
import { type OneTimeCodeSource, oneTimeCodes } from "../execution/index.ts";
import type { OneTimeCodes } from "../execution/one-time-codes.ts";
import { fault, invariant } from "../faults/index.ts";
import { hmacSigner, moduleSigner, openGateway, type Signer } from "../gateway/index.ts";
import { type CustodyAccountId, custodyAccountId } from "../model/index.ts";
import { type CurrencyScales, currencyScales } from "../money/index.ts";
import { adaptivePaging, type ObservationTools } from "../observation/index.ts";
import type { Store } from "../store/store.ts";
import { namedSecrets, refuseShownSecrets } from "./named-secrets.ts";
import { openStore, openStoreForReading } from "./open-store.ts";

export interface Workplace {
  readonly config: Config;
  readonly context: Context;
  readonly store: Store;
  readonly scales: CurrencyScales;
  /** Opens the service's side on first use, under the first key where there are several. Throws SECRET_MISSING. */
  service(): Service;
  /** What the service has taken instead of the configured paging, by its keys; undefined while it takes that, or was not asked. */
  pagingTakenInstead(): string | undefined;
  /**
   * The same workplace under each of the configuration's client keys, with that key's custody accounts and side of the service;
   * itself where there is one key.
   */
  readonly underKeys: readonly Workplace[];
  close(): Promise<void>;
}

export interface Service {
  readonly tools: ObservationTools;
  readonly codes: OneTimeCodes;
  /** Fingerprint of the client key, never the key. */
  readonly keyId: string;
}

const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

/** Asks the person at the terminal; rejects where there is none. */
export type Ask = (question: string) => Promise<string>;

/**
 * Opens configuration and state. `ask` is needed only with `otp.source: prompt`. Throws a Fault that says what to correct;
 * nothing is sent by opening. When `stop` aborts, look-ups are not tried again.
 */
export function openWorkplace(
  configPath: string,
  environment: Environment,
  log: Log = stderrLog("warn"),
  ask: Ask = askNobody,
  stop?: AbortSignal,
): Workplace {
  const config = loadConfig(configPath, environment);
  const store = openStore(config, environment);
  const context = systemContext(config, log);
  return workplaceIn(config, environment, stop === undefined ? context : { ...context, stop }, store, ask);
}

/** A workplace for commands that only look: nothing is created beside the configuration, and nothing stored can change. */
export function openWorkplaceForReading(
  configPath: string,
  environment: Environment,
  log: Log = stderrLog("warn"),
): Workplace {
  const config = loadConfig(configPath, environment);
  const store = openStoreForReading(config, environment);
  return workplaceIn(config, environment, systemContext(config, log), store);
}

/** A workplace in a given context and store, so that a simulation can stand in for both. */
export function workplaceIn(
  config: Config,
  environment: Environment,
  context: Context,
  store: Store,
  ask: Ask = askNobody,
): Workplace {
  const shared = {
    context,
    store,
    scales: currencyScales(config.currencies),
    close: async () => {
      await context.transport.close();
      await store.close();
    },
  };
  const codesFrom = codesBySource(config, context);
  const underKey = (keyName: string | undefined): Workplace => {
    let service: Service | undefined;
    const custodyAccounts = config.custodyAccounts.filter(({ key }) => key === keyName);
    const view: Workplace = {
      ...shared,
      config: { ...config, custodyAccounts },
      service: () => {
        service ??= openService(
          config,
          environment,
          context,
          store,
          (secrets) => codesFrom(codeSource(config.otp, secrets, ask)),
          keyName,
        );
        return service;
      },
      pagingTakenInstead: () => service?.tools.paging.takenInstead,
      get underKeys() {
        return [view];
      },
    };
    return view;
  };
  const [first, ...others] = keyNames(config).map(underKey);
  invariant(first !== undefined, "a configuration without custody accounts");
  if (others.length === 0) return first;
  const underKeys = [first, ...others];
  const takenInstead = () => underKeys.map((view) => view.pagingTakenInstead()).find((taken) => taken);
  return { ...first, config, underKeys, pagingTakenInstead: takenInstead };
}

/** The keys of the custody accounts, in their order; undefined for the one without a name. */
function keyNames({ custodyAccounts }: Config): (string | undefined)[] {
  return [...new Set(custodyAccounts.map(({ key }) => key))];
}

/** The custody accounts of the keys other than the one that `view` is under. */
export function custodyAccountsElsewhere(workplace: Workplace, view: Workplace): CustodyAccountId[] {
  const others = workplace.underKeys.filter((other) => other !== view);
  return others.flatMap(({ config }) => custodyAccountsOf(config).map(({ id }) => id));
}

/**
 * The workplace under the key that pays from a custody account. Throws CUSTODY_ACCOUNT_GONE for an account that the configuration does
 * not have, where there are several keys.
 */
export function underKeyOf(workplace: Workplace, custodyAccountId: string): Workplace {
  const { underKeys } = workplace;
  const [first, second] = underKeys;
  if (first !== undefined && second === undefined) return first;
  const serves = ({ config }: Workplace) => config.custodyAccounts.some(({ id }) => id === custodyAccountId);
  const view = underKeys.find(serves);
  if (view === undefined) throw fault("CUSTODY_ACCOUNT_GONE", { id: custodyAccountId });
  return view;
}

/** The custody accounts of the configuration, with branded ids. */
export function custodyAccountsOf({ custodyAccounts }: Config) {
  return custodyAccounts.map((custody) => ({ ...custody, id: custodyAccountId(custody.id) }));
}

/** A custody account's configured name; its id where it has none. */
export function custodyNames({ custodyAccounts }: Config): (custodyAccountId: string) => string {
  const names = new Map(custodyAccounts.map(({ id, name }) => [id, name]));
  return (custodyAccountId) => names.get(custodyAccountId) ?? custodyAccountId;
}

/** The real clock, network and randomness. */
export function systemContext(config: Config, log: Log): Context {
  return {
    clock: systemClock,
    random: systemRandom,
    transport: undiciTransport({
      connections: config.http.concurrency * keyNames(config).length,
      answerBytesMax: ANSWER_BYTES_MAX,
    }),
    log,
  };
}

function openService(
  config: Config,
  environment: Environment,
  context: Context,
  store: Store,
  codesOf: (secrets: Secrets) => OneTimeCodes,
  keyName: string | undefined,
): Service {
  const { service, http, paging, routes } = config;
  const secrets = readSecrets(environment, config, keyName);
  refuseShownSecrets(config, secrets);
  const gateway = openGateway(context, {
    baseUrl: service.baseUrl,
    timeoutMs: http.timeoutMs,
    idleTimeoutMs: http.idleTimeoutMs,
    ratePerSecond: http.ratePerSecond,
    dateStyle: service.dateStyle,
    signer: signerOf(config, secrets),
    signingTimeoutMs: config.signing.timeoutMs,
    routes,
    secrets: namedSecrets(secrets),
  });
  return {
    tools: {
      context,
      store,
      gateway,
      paging: adaptivePaging(
        {
          pageSize: paging.size,
          firstPage: paging.firstPage,
          concurrency: paging.concurrency,
          sort: Object.entries(paging.sort).map(([property, direction]) => ({ property, direction })),
          idsPerRequest: paging.idsPerRequest,
        },
        context.log,
      ),
    },
    codes: codesOf(secrets),
    keyId: createHash("sha256").update(secrets.key).digest("hex").slice(0, 12),
  };
}

/**
 * The codes of each source, once: a code is the service's user's, and several keys may have the same one. Where a code may be used only
 * once, their lanes take turns.
 */
function codesBySource({ otp }: Config, { clock }: Context): (from: OneTimeCodeSource) => OneTimeCodes {
  const known = new Map<string, OneTimeCodes>();
  return (from) => {
    const name = from.source === "totp" ? `totp ${from.secret}` : from.source;
    const codes = known.get(name) ?? oneTimeCodes(clock, from, otp.singleUse);
    known.set(name, codes);
    return codes;
  };
}

function signerOf({ signing }: Config, { key, signingSecret }: Secrets): Signer {
  if (signing.module !== undefined) return moduleSigner(signing.module, key, signingSecret);
  if (signingSecret === undefined) throw fault("SECRET_MISSING", { name: "PAYDROP_SIGNING_SECRET" });
  return hmacSigner(key, signingSecret);
}

function codeSource(otp: Config["otp"], { otpSecret }: Secrets, ask: Ask): OneTimeCodeSource {
  switch (otp.source) {
    case "totp":
      if (otpSecret === undefined) throw fault("SECRET_MISSING", { name: "PAYDROP_OTP_SECRET" });
      return { source: "totp", secret: otpSecret };
    case "command":
      return commandSource(otp.command);
    case "prompt":
      return { source: "prompt", ask };
  }
}

function commandSource(command: string | undefined): OneTimeCodeSource {
  if (command === undefined) {
    const reason = "the key `otp.command` is missing";
    throw fault(
      "CONFIG_KEY_INVALID",
      { path: "otp.command", reason, hint: ", or set otp.source to totp" },
      { key: "otp.command" },
    );
  }
  return { source: "command", command };
}

function askNobody(): Promise<string> {
  return Promise.reject(
    fault(
      "OTP_FAILED",
      { reason: "`otp.source: prompt` needs a person at a terminal" },
      { key: "otp.source" },
    ),
  );
}
