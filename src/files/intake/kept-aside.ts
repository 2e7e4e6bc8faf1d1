/**
 * Files that seem to contain a private key. The search can be wrong, so they are not destroyed but kept beside the
 * archive, in a folder that only its owner may enter. No answer, backup or page of the desk reads that folder.
 */
import { existsSync } from "node:fs";
import { chmod, mkdir, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Config } from "../../config/index.ts";
import { listFolder, unlessGone, writeWhole } from "../../context/files.ts";
import { fault } from "../../faults/index.ts";
import { DAY_MS, type Instant, shifted } from "../../model/index.ts";
import { requirePerson } from "../../proof/required-person.ts";
import { fileChunks } from "../../readers/index.ts";
import { appendAudit } from "../../store/audit.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { copyPath, type SentBytes } from "./archive.ts";
import { copyTotalsFiles, isTotalsFile, removeWithTotals } from "./totals-file.ts";

/** How long a file is kept aside, unless `retention.suspectedDays` says otherwise. */
const KEPT_ASIDE_DAYS = 30;

export interface KeptAside {
  /** The name within the folder; begins with the file's hash. */
  readonly name: string;
  readonly path: string;
  readonly since: Instant;
  /** When it will be removed, unless somebody removes it earlier. */
  readonly until: Instant;
}

/**
 * Moves the file that was submitted as `name` aside, with its totals file. Returns its new path. Throws
 * OUTPUT_UNWRITABLE.
 */
export async function keepAside(
  { config, store, context }: Workplace,
  { path: from, sha256 }: SentBytes,
  name: string,
  person: string,
): Promise<string> {
  const path = join(folderOf(config), basename(copyPath(config, { sha256, name })));
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeWhole(path, (temporaryPath) => writeFile(temporaryPath, fileChunks(from)));
  for (const kept of [path, ...(await copyTotalsFiles(from, path))]) await chmod(kept, 0o600);
  await removeWithTotals(from);
  const entry = { at: context.clock.now(), person, subject: sha256, detail: { path } };
  await store.write(() => appendAudit({ ...entry, action: "keep aside" }));
  return path;
}

/** Oldest first. */
export async function listKeptAside({ config }: Pick<Workplace, "config">): Promise<KeptAside[]> {
  const folder = folderOf(config);
  const days = config.retention?.suspectedDays ?? KEPT_ASIDE_DAYS;
  const found: KeptAside[] = [];
  for (const { name } of existsSync(folder) ? await listFolder(folder) : []) {
    const path = join(folder, name);
    const file = isTotalsFile(name) ? undefined : await unlessGone(stat(path));
    if (file === undefined) continue;
    const since = file.mtime.toISOString();
    found.push({ name, path, since, until: shifted(since, days * DAY_MS) });
  }
  return found.toSorted((left, right) => (left.since < right.since ? -1 : 1));
}

/** Deletes files by their names in the folder. Throws NAME_UNKNOWN without deleting any. */
export async function removeKeptAside(
  workplace: Workplace,
  names: readonly string[],
  person: string,
): Promise<readonly KeptAside[]> {
  requirePerson(person);
  const kept = await listKeptAside(workplace);
  const meant = names.map((name) => {
    const found = kept.find((one) => one.name === name || one.path === name);
    if (found === undefined)
      throw fault("NAME_UNKNOWN", {
        what: `file ${name} kept aside`,
        how: "`paydrop suspected` lists them.",
      });
    return found;
  });
  await removeEach(workplace, meant, person);
  return meant;
}

/** Deletes files whose time has expired. */
export async function removeOldKeptAside(workplace: Workplace): Promise<void> {
  const now = workplace.context.clock.now();
  const kept = await listKeptAside(workplace);
  const old = kept.filter(({ until }) => until <= now);
  if (old.length > 0) await removeEach(workplace, old, "intake");
}

async function removeEach(
  { store, context }: Workplace,
  files: readonly KeptAside[],
  person: string,
): Promise<void> {
  for (const { path } of files) {
    await removeWithTotals(path);
    const entry = { at: context.clock.now(), person, subject: basename(path), detail: { path } };
    await store.write(() => appendAudit({ ...entry, action: "remove what was kept aside" }));
  }
}

function folderOf({ folders }: Config): string {
  return join(dirname(folders.archive), "suspected");
}
