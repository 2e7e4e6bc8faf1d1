/** Prepares the configured folders before anything is stored, so that every answer can be written. */
import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import type { Context } from "../context/context.ts";
import { makeFolder, removeUnfinished, writeFailure } from "../context/files.ts";
import { fault } from "../faults/index.ts";
import type { Workplace } from "./workplace.ts";

/**
 * Creates missing folders, and once an hour removes files that a dead process left half-written. Throws
 * OUTPUT_UNWRITABLE for a folder that cannot be created or written to.
 */
export async function openFolders(
  { config, context }: Workplace,
  ...names: readonly (keyof Workplace["config"]["folders"])[]
): Promise<void> {
  const nowMs = Date.parse(context.clock.now());
  for (const name of names) {
    const folder = config.folders[name];
    await openFolder(folder, `folders.${name}`);
    if (!isTidyDue(context, folder, nowMs)) continue;
    // Left-over files do no harm, so a failure to remove them is only logged.
    await removeUnfinished(folder, nowMs).catch((error: unknown) =>
      context.log.warn("half-written files were not removed", { file: folder, message: String(error) }),
    );
  }
}

/** Looking through an archive of years takes too long to do for each file that is taken in. */
const TIDIED_EVERY_MS = 3_600_000;

const tidiedAtMs = new WeakMap<Context, Map<string, number>>();

function isTidyDue(context: Context, folder: string, nowMs: number): boolean {
  const tidied = tidiedAtMs.get(context) ?? new Map<string, number>();
  tidiedAtMs.set(context, tidied);
  const isDue = Math.abs(nowMs - (tidied.get(folder) ?? 0)) >= TIDIED_EVERY_MS;
  if (isDue) tidied.set(folder, nowMs);
  return isDue;
}

/** Reserved for the answers of ERPs: intake reads no payments there. */
export function erpAnswersFolder({ folders }: Pick<Workplace["config"], "folders">): string {
  return join(folders.inbox, "erp-answers");
}

/** Reserved for files of expected receipts: intake reads no payments there. */
export function expectedFolder({ folders }: Pick<Workplace["config"], "folders">): string {
  return join(folders.inbox, "expected");
}

/** As `openFolders`, for one folder that the configuration names under `key`. */
export async function openFolder(path: string, key: string): Promise<void> {
  try {
    await makeFolder(path);
    await access(path, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw fault("OUTPUT_UNWRITABLE", { path, reason: reasonOf(cause) }, { key }, { cause });
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  return code === "EEXIST" ? "a file has this name" : writeFailure(code);
}
