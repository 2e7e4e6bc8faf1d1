/**
 * Machines that share a database must send with the same configuration. Each stores the settings that it uses. A
 * machine that differs from another reports it, and sends nothing until a person has decided which is right. A
 * machine on its own may change its settings at any time.
 */
import { dirname } from "node:path";
import { isGoneKey } from "../config/gone-keys.ts";
import { keyVariable } from "../config/secrets.ts";
import { placeName } from "../context/machine.ts";
import { type Fault, fault } from "../faults/index.ts";
import { applying } from "../model/applying.ts";
import { minuteText } from "../model/index.ts";
import { present } from "../model/present.ts";
import {
  listConfigurationsElsewhere,
  listKnownKeys,
  type NamedValues,
  recordConfiguration,
  type UsedConfiguration,
} from "../store/configurations.ts";
import type { Transaction } from "../store/sql.ts";
import { keyNames } from "./custody-accounts.ts";
import { settingsOf } from "./settings.ts";
import type { Workplace } from "./workplace.ts";

const DIFFERENCES_TOLD = 5;
const VALUE_CHARACTERS_TOLD = 100;

export interface Disagreement {
  readonly machine: string;
  /** "2026-11-22 10:05 UTC" */
  readonly when: string;
  /** In words: "nonce.rule is unique here and unknown there". */
  readonly what: string;
}

export interface Disagreements {
  /** The differences that prevent this machine from sending. */
  readonly binding?: Disagreement;
  /** The differences by which machines would read files or book movements differently. */
  readonly advisory?: Disagreement;
}

/** Throws CONFIGURATION_DIFFERS. */
export async function checkAgreement(workplace: Workplace): Promise<void> {
  const { binding } = await disagreements(workplace);
  if (binding !== undefined) throw differs(binding);
}

/**
 * As `checkAgreement`, right before sending; stores this machine's settings. In a database that is not shared,
 * stores the keys' fingerprints, for approvers who do not have the keys. Throws SECRET_MISSING.
 */
export async function agreeBeforeSending({ whole }: Workplace): Promise<void> {
  if (!whole.store.isShared) return noteKeys(whole);
  const used = await usedBy(whole, (view) => view.service().keyId);
  await whole.store.write(function* (): Transaction<void> {
    const { binding } = yield* compared(used);
    if (binding !== undefined) throw differs(binding);
    yield* recordConfiguration(used);
  });
}

async function noteKeys(whole: Workplace): Promise<void> {
  const known = await whole.store.read(() => listKnownKeys());
  const used = await usedBy(whole, (view) => view.keyId());
  const here = Object.entries(used.settings.keys);
  if (here.every(([name, keyId]) => known[name] === keyId)) return;
  const keys = { ...known, ...used.settings.keys };
  await whole.store.write(() => recordConfiguration({ ...used, settings: { ...used.settings, keys } }));
}

/**
 * The fingerprint of the client key with this name: from the environment, otherwise from the database, where an
 * earlier run stored it.
 */
export async function keyIdNamed(
  { whole: { config, underKeys, store } }: Workplace,
  name: string | undefined,
): Promise<string | undefined> {
  const keyId = underKeys[keyNames(config).indexOf(name)]?.keyId();
  return keyId ?? (await store.read(() => listKnownKeys()))[fingerprintName(name)];
}

function fingerprintName(name: string | undefined): string {
  return `the fingerprint of ${keyVariable(name)}`;
}

/** How the other machines' settings differ from this machine's. */
export async function disagreements({ whole }: Workplace): Promise<Disagreements> {
  if (!whole.store.isShared) return {};
  const used = await usedBy(whole, (view) => view.keyId());
  return whole.store.read(() => compared(used));
}

/**
 * Throws CONFIG_KEY_INVALID if two names have the same client key: a key has one lane, so they would wait for each
 * other for ever.
 */
export function refuseSharedKey({ config, underKeys }: Workplace): void {
  const names = Map.groupBy(keyNames(config), (_name, index) => underKeys[index]?.service().keyId);
  const shared = [...names.values()].find(({ length }) => length > 1);
  if (shared === undefined) return;
  const reason = `${shared.map(keyVariable).join(" and ")} hold the same client key`;
  const hint = ": custody accounts of one client key name the same one of `keys`, or none";
  throw fault("CONFIG_KEY_INVALID", { path: "keys", reason, hint }, { key: "keys" });
}

export async function usedBy(
  { config, context, underKeys }: Workplace,
  keyIdOf: (view: Workplace) => string | undefined,
): Promise<UsedConfiguration> {
  const names = keyNames(config);
  const keys = underKeys.flatMap((view, index) => {
    const keyId = keyIdOf(view);
    return keyId === undefined ? [] : [[fingerprintName(names[index]), keyId]];
  });
  return {
    machine: placeName(dirname(config.databasePath)),
    settings: { ...(await settingsOf(config)), keys: Object.fromEntries(keys) as NamedValues },
    usedAt: context.clock.now(),
  };
}

function* compared(used: UsedConfiguration): Transaction<Disagreements> {
  const others = yield* listConfigurationsElsewhere(used.machine);
  const [binding] = others.flatMap((other) => bindingDifference(used, other) ?? []);
  const [advisory] = others.flatMap((other) => difference(used, other, ["advisory"]) ?? []);
  return present({ binding, advisory });
}

export function bindingDifference(
  here: UsedConfiguration,
  there: UsedConfiguration,
): Disagreement | undefined {
  // A key that is not set here can neither ask nor send here, so it counts as equal.
  const keys = { ...there.settings.keys, ...here.settings.keys };
  return difference({ ...here, settings: { ...here.settings, keys } }, there, ["keys", "binding"]);
}

function difference(
  here: UsedConfiguration,
  there: UsedConfiguration,
  parts: readonly ("keys" | "binding" | "advisory")[],
): Disagreement | undefined {
  const valuesOf = ({ settings }: UsedConfiguration): NamedValues =>
    Object.assign({}, ...parts.map((part) => settings[part]));
  const [left, right] = [valuesOf(here), valuesOf(there)];
  const all = Object.keys({ ...left, ...right });
  // A machine of an earlier version still stores settings that no longer exist.
  const names = all.filter((name) => left[name] !== right[name] && !isGoneKey(name));
  if (names.length === 0) return undefined;
  const differences = names
    .slice(0, DIFFERENCES_TOLD)
    .map((name) => `${name} is ${shown(left[name])} here and ${shown(right[name])} there`);
  const more = names.length - differences.length;
  const what = applying(...differences, more > 0 && `and ${more} more`).join("; ");
  return { machine: there.machine, when: minuteText(there.usedAt), what };
}

function shown(value: string | undefined): string {
  if (value === undefined) return "not set";
  return value.length > VALUE_CHARACTERS_TOLD ? `${value.slice(0, VALUE_CHARACTERS_TOLD)}...` : value;
}

export function differs({ machine, when, what }: Disagreement): Fault {
  return fault("CONFIGURATION_DIFFERS", { machine, when, what });
}
