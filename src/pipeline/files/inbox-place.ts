/**
 * Where files may be taken from: whatever lies in an inbox is moved out of it, so a folder with our own files is none. Links
 * are followed first, because whoever may write to a folder can put one in the place of a folder in it.
 */
import { realpath } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { Config } from "../../config/index.ts";
import { unlessGone } from "../../context/files.ts";
import { type Problem, problem } from "../../faults/index.ts";

/** A folder in which files are dropped, and the folder in which they are read. */
export interface Source {
  readonly inbox: string;
  readonly work: string;
  /** Prefix of its files' names: "acme/". */
  readonly prefix: string;
  /** By which the inbox is configured. */
  readonly key: string;
}

/** The inbox, and the senders' folders. */
export function sourcesOf({ folders, files }: Config): Source[] {
  const { inbox, work } = folders;
  const own = files.senders.flatMap(({ name, folder }, index) =>
    folder === undefined
      ? []
      : [
          {
            inbox: folder,
            work: join(work, name),
            prefix: `${name}/`,
            key: `files.senders.${index}.folder`,
          },
        ],
  );
  return [{ inbox, work, prefix: "", key: "folders.inbox" }, ...own];
}

/** The problem of an inbox from which nothing may be taken; undefined if there is none. */
export async function misplacedInbox(config: Config, { inbox, key }: Source): Promise<Problem | undefined> {
  const refused = (reason: string) =>
    problem(
      "CONFIG_KEY_INVALID",
      { path: key, reason: `nothing is taken out of ${inbox}: ${reason}`, hint: "" },
      { key },
    );
  const { inbox: outer } = config.folders;
  const real = await unlessGone(realpath(inbox));
  if (real === undefined) return undefined;
  if (isWithin(inbox, outer) && !isWithin(real, await realpath(outer)))
    return refused(`it lies in ${outer}, yet it is a link that leads out of it`);
  for (const [what, folder] of ownFolders(config))
    if (real === (await unlessGone(realpath(folder)))) return refused(`${what} is there`);
  return undefined;
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, resolve(path));
  return way !== ".." && !way.startsWith(`..${sep}`);
}

/** The folders with files that must stay where they are. */
function ownFolders({ folders, databasePath, anchorPath, ledger, destinations, signing }: Config) {
  const { inbox: _, ...others } = folders;
  const files = {
    "the database": databasePath,
    "its anchor": anchorPath,
    "the chart of accounts": ledger.chart,
    "the list of destinations": destinations.allowList,
    "the signing module": signing.module,
  };
  return [
    ...Object.entries(files).flatMap(([what, path]) =>
      path === undefined ? [] : [[what, dirname(path)] as const],
    ),
    ...Object.entries(others).map(([name, path]) => [`folders.${name}`, path] as const),
  ];
}
