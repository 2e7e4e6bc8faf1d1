/** The configuration as the program uses it: each path in it is absolute, from the folder of paydrop.yaml. */
import { resolve } from "node:path";
import type { Problem } from "../faults/index.ts";
import type { ConfigFile } from "./schema.ts";

/** The configuration in use: paydrop.yaml with all paths absolute. */
export interface Config extends Omit<ConfigFile, "database" | "anchor"> {
  /** For PostgreSQL the URL is a secret: see `readDatabaseUrl`. */
  readonly databaseEngine: "sqlite" | "postgresql";
  /** Absolute path of the SQLite database. Other files are beside it, or (PostgreSQL) beside the configuration. */
  readonly databasePath: string;
  /** Absolute path of the database's anchor. */
  readonly anchorPath: string;
  /** Accepted settings that the owner should change. */
  readonly remarks: readonly Problem[];
}

export function withAbsolutePaths(file: ConfigFile, base: string): Omit<Config, "remarks"> {
  const { database, anchor, signing, destinations, people, desk, backup, ...others } = file;
  const { trialKeys, ...proven } = people;
  const { allowList } = destinations;
  const databaseEngine = database === "postgresql" ? database : "sqlite";
  const databasePath = resolve(base, database.replace(/^sqlite:/, ""));
  const folders = Object.fromEntries(
    Object.entries(file.folders).map(([name, path]) => [name, resolve(base, path)]),
  );
  return {
    ...others,
    signing: signing.module === undefined ? signing : { ...signing, module: resolve(base, signing.module) },
    databaseEngine,
    databasePath,
    anchorPath: anchor === undefined ? `${databasePath}.anchor` : resolve(base, anchor),
    folders: folders as ConfigFile["folders"],
    files: {
      ...file.files,
      senders: file.files.senders.map(({ folder, ...sender }) =>
        folder === undefined ? sender : { ...sender, folder: resolve(base, folder) },
      ),
    },
    destinations:
      allowList === undefined ? destinations : { ...destinations, allowList: resolve(base, allowList) },
    people: trialKeys === undefined ? proven : { ...proven, trialKeys: resolve(base, trialKeys) },
    ledger: { ...file.ledger, chart: resolve(base, file.ledger.chart) },
    backup: backup && { ...backup, folder: resolve(base, backup.folder) },
    desk:
      desk?.tls === undefined
        ? desk
        : { ...desk, tls: { key: resolve(base, desk.tls.key), cert: resolve(base, desk.tls.cert) } },
  };
}
