/** Everything a step works with, opened from one configuration. Connects to the service only when needed. */
import {
  type Config,
  type Environment,
  loadConfig,
  readClientKey,
  readDatabaseUrl,
  readEventsReceiver,
  readNoticesPassword,
  readNoticesUrl,
  readProxyCredentials,
  withoutSecrets,
  withoutServiceSecrets,
} from "../config/index.ts";
import { systemClock } from "../context/clock.ts";
import type { Context } from "../context/context.ts";
import { useModes } from "../context/files.ts";
import { type Log, stderrLog } from "../context/log.ts";
import { systemRandom } from "../context/random.ts";
import { noTransport, undiciTransport } from "../context/transport.ts";
import { fault, invariant } from "../faults/index.ts";
import type { CustodyAccountId } from "../model/index.ts";
import { present } from "../model/present.ts";
import { type CurrencyScales, currencyScales } from "../money/index.ts";
import { type AnchoredPlace, anchorOf } from "../store/anchor.ts";
import { openPostgresStore, openPostgresStoreForReading } from "../store/engines/postgres-store.ts";
import { openSqliteStore, openSqliteStoreForReading } from "../store/engines/sqlite-store.ts";
import type { Machines, Store } from "../store/store.ts";
import { boundStore } from "./bound-store.ts";
import { custodyAccountsOf, keyNames } from "./custody-accounts.ts";
import { ownerIn } from "./root.ts";
import {
  type Ask,
  askNobody,
  codesBySource,
  fingerprintOf,
  openService,
  type Service,
  type ServicePlace,
} from "./service.ts";
import { type Sign, signNobody } from "./sign.ts";
import { makeTrialKeys, trialSigner, withTrialRoot } from "./trial-keys.ts";

export interface Workplace {
  readonly config: Config;
  readonly context: Context;
  readonly store: Store;
  readonly scales: CurrencyScales;
  /** The service, set up on first use; with several keys, under the first. Throws SECRET_MISSING. */
  service(): Service;
  /** As `service().keyId`; undefined if the client key is not set or may not be read. */
  keyId(): string | undefined;
  /**
   * The smaller page sizes that the service accepts, as configuration keys; undefined if it accepts the configured
   * ones.
   */
  pagingTakenInstead(): string | undefined;
  /**
   * This workplace once per client key, each with the key's custody accounts and service; with only one key, just
   * this one.
   */
  readonly underKeys: readonly Workplace[];
  /** The workplace with all keys: itself, or the one whose `underKeys` contain this one. */
  readonly whole: Workplace;
  /** Has people sign what they decide. */
  readonly sign: Sign;
  /** The machines that share the database; only in a daemon, and only if the database can be shared. */
  readonly machines?: Machines;
  /** Read at each call. Throws SECRET_UNREADABLE, SECRET_UNUSABLE and SECRET_MISSING. */
  noticesSecrets(): NoticesSecrets;
  close(): Promise<void>;
}

interface NoticesSecrets {
  /** The chat's webhook; absent without a chat. */
  readonly chatUrl?: string;
  /** The password of `notices.mail.user`; absent without one. */
  readonly mailPassword?: string;
  /** The receiver of events for systems. */
  readonly events?: EventsReceiver;
}

interface EventsReceiver {
  readonly url: string;
  /** The secret that signs each event. */
  readonly secret: string;
}

const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Opens configuration and database; sends nothing. `ask` is needed only with `otp.source: prompt`, `sign` for
 * decisions. When `stop` aborts, look-ups are not repeated, and the wait for an unresponsive database is short.
 * Throws a Fault that says what to correct.
 */
export function openWorkplace(
  configPath: string,
  environment: Environment,
  log: Log = stderrLog("warn"),
  ask: Ask = askNobody,
  stop?: AbortSignal,
  sign: Sign = signNobody,
): Workplace {
  const config = loadConfig(configPath, environment);
  makeTrialKeys(config);
  const context = systemContext(config, environment, log, stop);
  return workplaceIn(config, environment, context, openStore(config, environment, log, stop), ask, sign);
}

/**
 * As `openWorkplace`, for a process that serves only browsers: it has no secret of the service, and refuses every
 * request to it.
 */
export function openDeskWorkplace(
  configPath: string,
  environment: Environment,
  log: Log,
  stop?: AbortSignal,
): Workplace {
  const given = withoutServiceSecrets(environment);
  const config = loadConfig(configPath, given);
  makeTrialKeys(config);
  const context = { ...systemContext(config, given, log, stop), transport: noTransport };
  return workplaceIn(config, given, context, openStore(config, given, log, stop));
}

/** As `openWorkplace`, for reading only: nothing is created or changed. */
export function openWorkplaceForReading(
  configPath: string,
  environment: Environment,
  log: Log = stderrLog("warn"),
  stop?: AbortSignal,
): Workplace {
  const config = loadConfig(configPath, environment);
  const context = systemContext(config, environment, log, stop);
  return workplaceIn(config, environment, context, openStoreForReading(config, environment, stop));
}

/**
 * A workplace with the given context and store; a simulation may provide both. In a trial its keys sign for any
 * person named, instead of `sign`.
 */
export function workplaceIn(
  given: Config,
  environment: Environment,
  context: Context,
  anyStore: Store,
  ask: Ask = askNobody,
  sign: Sign = signNobody,
): Workplace {
  const config = withTrialRoot(given);
  const { trialKeys } = config.people;
  const store = boundStore(anyStore, ownerIn(config));
  const shared = {
    sign: trialKeys === undefined ? sign : trialSigner(trialKeys),
    context,
    store,
    scales: currencyScales(config.currencies),
    noticesSecrets: () => noticesSecretsIn(environment, config),
    close: () => context.transport.close().finally(() => store.close()),
  };
  const codesOf = codesBySource(config, withoutSecrets(environment), context, ask);
  const place = { config, environment, context, store, codesOf };
  let whole: Workplace | undefined;
  const views = keyNames(config).map((keyName) => underKey(shared, { ...place, keyName }, () => whole));
  const [first, second] = views;
  invariant(first !== undefined, "a configuration without custody accounts");
  if (second === undefined) return first;
  whole = underAllKeys(config, first, views);
  return whole;
}

function noticesSecretsIn(environment: Environment, { notices }: Config): NoticesSecrets {
  const mailPassword = notices.mail?.user === undefined ? undefined : readNoticesPassword(environment);
  if (notices.mail?.user !== undefined && mailPassword === undefined) {
    const name = "PAYDROP_NOTICES_PASSWORD";
    throw fault("SECRET_MISSING", { name }, { key: name });
  }
  return present({
    chatUrl: readNoticesUrl(environment),
    mailPassword,
    events: readEventsReceiver(environment),
  });
}

/** The workplace with one key's custody accounts and service. `whole`: undefined if there is no other key. */
function underKey(
  shared: Pick<Workplace, "context" | "store" | "scales" | "sign" | "noticesSecrets" | "close">,
  place: ServicePlace,
  whole: () => Workplace | undefined,
): Workplace {
  const { config, keyName } = place;
  const custodyAccounts = config.custodyAccounts.filter(({ key }) => key === keyName);
  let service: Service | undefined;
  const view: Workplace = {
    ...shared,
    config: { ...config, custodyAccounts },
    service: () => {
      service ??= openService(place);
      return service;
    },
    keyId: () => {
      if (service !== undefined) return service.keyId;
      const key = readClientKey(place.environment, keyName);
      return key && fingerprintOf(key);
    },
    pagingTakenInstead: () => service?.tools.paging.takenInstead,
    get underKeys() {
      return [view];
    },
    get whole() {
      return whole() ?? view;
    },
  };
  return view;
}

function underAllKeys(config: Config, first: Workplace, underKeys: readonly Workplace[]): Workplace {
  const all: Workplace = {
    ...first,
    config,
    underKeys,
    pagingTakenInstead: () => underKeys.map((view) => view.pagingTakenInstead()).find((taken) => taken),
    get whole() {
      return all;
    },
  };
  return all;
}

/** The custody accounts of all keys but the one of `view`. */
export function custodyAccountsElsewhere(workplace: Workplace, view: Workplace): CustodyAccountId[] {
  const others = workplace.underKeys.filter((other) => other !== view);
  return others.flatMap(({ config }) => custodyAccountsOf(config).map(({ id }) => id));
}

/** The workplace of the key that pays from an account. With several keys, throws CUSTODY_ACCOUNT_GONE. */
export function underKeyOf(workplace: Workplace, custodyAccountId: string): Workplace {
  const { underKeys } = workplace;
  const [first, second] = underKeys;
  if (first !== undefined && second === undefined) return first;
  const serves = ({ config }: Workplace) => config.custodyAccounts.some(({ id }) => id === custodyAccountId);
  const view = underKeys.find(serves);
  if (view === undefined) throw fault("CUSTODY_ACCOUNT_GONE", { id: custodyAccountId });
  return view;
}

/** The real clock, network and randomness, and the configured modes of files. Throws SECRET_UNREADABLE. */
export function systemContext(
  config: Config,
  environment: Environment,
  log: Log,
  stop: AbortSignal | undefined,
): Context {
  const { proxy, concurrency } = config.http;
  useModes(config.files.modes);
  return {
    clock: systemClock,
    random: systemRandom,
    transport: undiciTransport({
      connections: concurrency * keyNames(config).length,
      answerBytesMax: ANSWER_BYTES_MAX,
      proxy:
        proxy === undefined
          ? undefined
          : { url: proxy, ...present({ credentials: readProxyCredentials(environment) }) },
    }),
    log,
    ...present({ stop }),
  };
}

/**
 * Opens SQLite at once, PostgreSQL on first use. `stop` shortens the wait for an unresponsive server. Throws
 * SECRET_MISSING, and what the store throws.
 */
export function openStore(
  config: AnchoredPlace,
  environment: Environment,
  log: Log,
  stop?: AbortSignal,
): Store {
  const anchor = anchorOf(config);
  return config.databaseEngine === "postgresql"
    ? openPostgresStore(readDatabaseUrl(environment), { anchor, stop })
    : openSqliteStore(config.databasePath, { anchor, log });
}

/** As `openStore`, for reading only: nothing is created or changed. */
export function openStoreForReading(
  config: AnchoredPlace,
  environment: Environment,
  stop?: AbortSignal,
): Store {
  return config.databaseEngine === "postgresql"
    ? openPostgresStoreForReading(readDatabaseUrl(environment), stop)
    : openSqliteStoreForReading(config.databasePath);
}
