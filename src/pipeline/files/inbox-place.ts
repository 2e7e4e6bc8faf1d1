/**
 * Where files may be taken from: whatever lies in an inbox is moved out of it, so a folder with our own files is none. Links
 * are followed first, because whoever may write to a folder can put one in the place of a folder in it.
 */
import { realpath } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
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
  const sources = [{ inbox: folders.inbox, work: folders.work, prefix: "", key: "folders.inbox" }];
  for (const [index, { name, folder }] of files.senders.entries())
    if (folder !== undefined) {
      const key = `files.senders.${index}.folder`;
      sources.push({ inbox: folder, work: join(folders.work, name), prefix: `${name}/`, key });
    }
  return sources;
}

/** The problem of an inbox from which nothing may be taken; undefined if there is none. */
export async function misplacedInbox(config: Config, { inbox, key }: Source): Promise<Problem | undefined> {
  const { inbox: outer } = config.folders;
  const real = await unlessGone(realpath(inbox));
  if (real === undefined) return undefined;
  const leadsOut = inbox.startsWith(`${outer}${sep}`) && !real.startsWith(`${await realpath(outer)}${sep}`);
  const why = leadsOut ? `it is a link that leads out of ${outer}` : await ownFileIn(config, real);
  if (why === undefined) return undefined;
  const reason = `nothing is taken out of ${inbox}: ${why}`;
  return problem("CONFIG_KEY_INVALID", { path: key, reason, hint: "" }, { key });
}

/** "the database is there", of what must stay in a folder; undefined if there is nothing. */
async function ownFileIn(
  { folders, databasePath, anchorPath, ledger, destinations, signing }: Config,
  real: string,
): Promise<string | undefined> {
  const { inbox: _, ...others } = folders;
  const files = [databasePath, anchorPath, ledger.chart, destinations.allowList, signing.module];
  const own = files.flatMap((path) => (path === undefined ? [] : [[path, dirname(path)] as const]));
  for (const [what, folder] of [...own, ...Object.entries(others)])
    if (real === (await unlessGone(realpath(folder)))) return `${what} is there`;
  return undefined;
}
