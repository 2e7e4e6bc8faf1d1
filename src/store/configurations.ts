/** The configuration that each machine on a shared database last used: one row per machine. */
import type { Instant } from "../model/index.ts";
import { objects, run, sql, type Transaction } from "./sql.ts";

/** Values by configuration key, as text: "limits.perDay.BTC" is "10". */
export type NamedValues = Readonly<Record<string, string>>;

/** The part of a configuration that the machines compare. */
export interface Settings {
  /** Fingerprints of the client keys that the machine has, binding like the rest. */
  readonly keys: NamedValues;
  /** If these differ, nothing is approved or sent: a payment could go elsewhere, twice, or past a limit. */
  readonly binding: NamedValues;
  /** If these differ, machines read files or book movements differently; this is reported. */
  readonly advisory: NamedValues;
}

export interface UsedConfiguration {
  /** Shown to people: "pay-1, /srv/paydrop". */
  readonly machine: string;
  readonly settings: Settings;
  readonly usedAt: Instant;
}

/** The configurations of all other machines, most recently used first. */
export function* listConfigurationsElsewhere(machine: string): Transaction<UsedConfiguration[]> {
  const kept = yield* objects<Omit<UsedConfiguration, "settings"> & { settings: string }>(
    sql`select machine, settings, used_at from configuration where machine <> ${machine} order by used_at desc`,
  );
  return kept.map((used) => ({ ...used, settings: JSON.parse(used.settings) as Settings }));
}

/** The fingerprints of client keys by their names in `keys`, as used last. */
export function* listKnownKeys(): Transaction<NamedValues> {
  const kept = yield* objects<{ settings: string }>(sql`select settings from configuration order by used_at`);
  return Object.assign({}, ...kept.map(({ settings }) => (JSON.parse(settings) as Settings).keys));
}

export function* recordConfiguration({ machine, settings, usedAt }: UsedConfiguration): Transaction<void> {
  yield* run(sql`insert into configuration (machine, settings, used_at)
    values (${machine}, ${JSON.stringify(settings)}, ${usedAt})
    on conflict (machine) do update set settings = excluded.settings, used_at = excluded.used_at`);
}

/** Removes the other machines' configurations; from now on they are compared with this machine's. */
export function* deleteConfigurationsElsewhere(machine: string): Transaction<void> {
  yield* run(sql`delete from configuration where machine <> ${machine}`);
}
