/**
 * Checks everything that must be right before money can move: the configuration, secrets, files, folders, the
 * database, the clock, and the service by one harmless read under each key. Changes nothing and prints no secret.
 */
import { type Config, type Environment, loadConfig } from "../config/index.ts";
import { systemClock } from "../context/clock.ts";
import { stderrLog } from "../context/log.ts";
import { applying } from "../model/applying.ts";
import { LEARNT } from "../model/index.ts";
import { refuseUnlessSandbox } from "../proof/sandbox-only.ts";
import { openEmptyStore } from "../store/engines/sqlite-store.ts";
import type { Store } from "../store/store.ts";
import { keyNames } from "../workplace/custody-accounts.ts";
import { withTrialRoot } from "../workplace/trial-keys.ts";
import { openStoreForReading, systemContext, type Workplace, workplaceIn } from "../workplace/workplace.ts";
import { type Check, checked } from "./doctor/check.ts";
import { checkLimits, checkPeople } from "./doctor/people-checks.ts";
import {
  checkClientKeys,
  checkDatabase,
  checkDisk,
  checkFiles,
  checkFolders,
  checkInDoubt,
  checkLearnt,
  checkMachines,
  checkSecrets,
} from "./doctor/place-checks.ts";
import { checkDatabaseTls, checkSecretFiles } from "./doctor/privacy-checks.ts";
import { checkEncryption, checkService } from "./doctor/service-checks.ts";

export type { Check } from "./doctor/check.ts";

/**
 * All checks, in the order in which problems are best fixed. If the configuration cannot be read, it is the only
 * one.
 */
export async function doctorStep(
  configPath: string,
  environment: Environment,
  stop: AbortSignal,
): Promise<readonly Check[]> {
  let config: Config | undefined;
  const configuration = await checked("configuration", () => {
    config = withTrialRoot(loadConfig(configPath, environment));
    const notices = config.remarks.map(({ message, fix }) => `; ${message}. ${fix}`).join("");
    return `${configPath}: ${config.service.baseUrl}, nonce.rule ${config.nonce.rule}${notices}`;
  });
  if (config === undefined) return [configuration];
  const context = systemContext(config, environment, stderrLog("silent"), stop);
  const { store, checks } = await openedStore(config, environment, stop);
  const workplace = workplaceIn(config, environment, context, store);
  try {
    const keys = await checkKeys(workplace, environment);
    const encryption = await checkEncryption(config);
    const here = [
      configuration,
      ...keys.map(({ secrets }) => secrets),
      ...applying(checkSecretFiles(environment)),
      ...(await checkFiles(config, systemClock)),
      ...(await checkFolders(config)),
      await checkDisk(config),
      ...checks,
      ...applying(isAnyLearnt(config) && (await checkLearnt(workplace))),
      checkLimits(config),
      await checkPeople(workplace),
      ...applying(store.isShared && (await checkDatabaseTls(environment))),
      encryption,
    ];
    const { opened, services } = await checkServices(encryption.isGood ? keys : []);
    const found = [...here, ...services];
    // Client keys are compared only if all secrets are there.
    if (opened.length === keys.length)
      found.push(
        ...applying(keys.length > 1 && (await checkClientKeys(workplace)), await checkInDoubt(store, opened)),
      );
    return store.isShared ? [...found, await checkMachines(workplace)] : found;
  } finally {
    await workplace.close();
  }
}

function isAnyLearnt({ files }: Config): boolean {
  return files.senders.some(({ due }) => due === LEARNT);
}

/** The workplace under one client key, with the check of that key's secrets. */
interface CheckedKey {
  readonly view: Workplace;
  readonly secrets: Check;
  /** Names the service in checks. */
  readonly service: string;
}

function checkKeys(workplace: Workplace, environment: Environment): Promise<CheckedKey[]> {
  const { config, underKeys } = workplace;
  const names = keyNames(config);
  return Array.fromAsync(underKeys.entries(), async ([index, view]) => ({
    view,
    secrets: await checkSecrets(config, environment, systemClock, names[index]),
    service: names[index] === undefined ? "service" : `service, key ${names[index]}`,
  }));
}

/** Asks the service under each key whose secrets are good. `opened`: the workplaces that could be set up. */
async function checkServices(keys: readonly CheckedKey[]) {
  const services: Check[] = [];
  const opened: Workplace[] = [];
  for (const { view, secrets, service } of keys) {
    if (!secrets.isGood) continue;
    const opening = await checked(service, () => view.service().keyId);
    if (!opening.isGood) {
      services.push(opening);
      continue;
    }
    opened.push(view);
    services.push(...(await checkService(view, service)));
    // Only now is it known who answers.
    const trial = await checked("trial", () => {
      if (view.service().tools.gateway.isSandbox() !== undefined) refuseUnlessSandbox(view);
      return "";
    });
    if (!trial.isGood) services.push(trial);
  }
  return { opened, services };
}

/** An unusable database does not prevent checking the service. */
async function openedStore(
  config: Config,
  environment: Environment,
  stop: AbortSignal,
): Promise<{ store: Store; checks: Check[] }> {
  let store: Store | undefined;
  const opening = await checked("database", () => {
    store = openStoreForReading(config, environment, stop);
    return "";
  });
  if (store !== undefined) return { store, checks: await checkDatabase(config, environment, store) };
  return { store: openEmptyStore(), checks: [opening] };
}
