/** What the machines on one database last used of their configurations: one row for each, by the name of its place. */
import type { Instant } from "../model/index.ts";
import { nouns, run, sql, type Transaction } from "./sql.ts";

/** Values by the names of their keys, as texts: "limits.perDay.BTC" is "10". */
export type NamedValues = Readonly<Record<string, string>>;

/** The part of a configuration that concerns more than one machine. */
export interface Settings {
  /** Fingerprints of the client keys, as binding as the rest; absent where nobody asked for the keys. */
  readonly keys?: NamedValues;
  /** Where they differ nothing is approved or sent: a payment could go elsewhere, twice, or past a limit. */
  readonly binding: NamedValues;
  /** Where they differ files are read, or movements booked, in two ways. */
  readonly advisory: NamedValues;
}

export interface UsedConfiguration {
  /** For people: "pay-1, /srv/paydrop". */
  readonly machine: string;
  readonly settings: Settings;
  readonly usedAt: Instant;
}

/** Those of all other machines, the one that was used last first. */
export function* listConfigurationsElsewhere(machine: string): Transaction<UsedConfiguration[]> {
  const kept = yield* nouns<Omit<UsedConfiguration, "settings"> & { settings: string }>(
    sql`select machine, settings, used_at from configuration where machine <> ${machine} order by used_at desc`,
  );
  return kept.map((used) => ({ ...used, settings: JSON.parse(used.settings) as Settings }));
}

/** In place of what this machine used before. */
export function* keepConfiguration({ machine, settings, usedAt }: UsedConfiguration): Transaction<void> {
  yield* run(sql`insert into configuration (machine, settings, used_at)
    values (${machine}, ${JSON.stringify(settings)}, ${usedAt})
    on conflict (machine) do update set settings = excluded.settings, used_at = excluded.used_at`);
}

/** What the others used before counts no more; they are compared with this machine from now on. */
export function* forgetConfigurationsElsewhere(machine: string): Transaction<void> {
  yield* run(sql`delete from configuration where machine <> ${machine}`);
}
