/**
 * Refuses two keys that name one place: files written for one key would be taken in, or overwritten, for the other.
 * Compares paths as written, but ignores case, as some disks do; the intake follows links.
 */
import { join } from "node:path";
import type { z } from "zod";
import type { Config } from "./absolute-paths.ts";

/** An issue for each key that names the place of an earlier one. */
export function sharedPlaces(config: Config): z.core.$ZodIssueCustom[] {
  const owners = new Map<string, string>();
  return placesOf(config).flatMap(({ path, key, what = key.join(".") }): z.core.$ZodIssueCustom[] => {
    const place = path.toLowerCase();
    const owner = owners.get(place);
    if (owner === undefined) owners.set(place, what);
    return owner === undefined ? [] : [{ code: "custom", path: key, message: `this is ${owner} already` }];
  });
}

interface Place {
  readonly path: string;
  readonly key: (string | number)[];
  /** The content of the place; default: its key. */
  readonly what?: string;
}

function placesOf(config: Config): Place[] {
  const { folders, files, ledger, destinations, people, signing, databaseEngine, databasePath, anchorPath } =
    config;
  const own = files.senders.flatMap(({ name, folder }, index) =>
    folder === undefined ? [] : [{ name, path: folder, key: ["files", "senders", index, "folder"] }],
  );
  const named: readonly (readonly [key: string, path: string | undefined])[] = [
    ["database", databaseEngine === "sqlite" ? databasePath : undefined],
    ["anchor", anchorPath],
    ["ledger.chart", ledger.chart],
    ["destinations.allowList", destinations.allowList],
    ["signing.module", signing.module],
    ["people.trialKeys", people.trialKeys],
    ...Object.entries(folders).map(([name, path]) => [`folders.${name}`, path] as const),
  ];
  return [
    ...named.flatMap(([key, path]) => (path === undefined ? [] : [{ path, key: key.split(".") }])),
    ...own.flatMap(({ name }) =>
      (["outbox", "work"] as const).map((folder) => ({
        path: join(folders[folder], name),
        key: ["folders", folder],
        what: `the folder of ${name} in folders.${folder}`,
      })),
    ),
    ...own,
  ];
}
