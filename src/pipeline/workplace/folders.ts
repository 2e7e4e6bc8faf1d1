/** Prepares the configured folders before anything is stored, so that no answer is owed that cannot be written. */
import { access, constants, mkdir } from "node:fs/promises";
import { removeUnfinished } from "../../context/files.ts";
import { fault, readFailure } from "../../faults/index.ts";
import type { Workplace } from "./workplace.ts";

/**
 * Creates missing folders, and removes what a dead process left half written. Throws OUTPUT_UNWRITABLE for a folder
 * that cannot be created or written to.
 */
export async function openFolders(
  { config, context }: Workplace,
  ...names: readonly (keyof Workplace["config"]["folders"])[]
): Promise<void> {
  const nowMs = Date.parse(context.clock.now());
  for (const name of names) {
    const folder = config.folders[name];
    await openFolder(folder, `folders.${name}`);
    // Left-over files are only untidy.
    await removeUnfinished(folder, nowMs).catch((error: unknown) =>
      context.log.warn("half-written files were not removed", { file: folder, message: String(error) }),
    );
  }
}

/** As `openFolders`, for one folder that the configuration names under `key`. */
export async function openFolder(path: string, key: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
    await access(path, constants.W_OK);
  } catch (cause) {
    throw fault("OUTPUT_UNWRITABLE", { path, reason: reasonOf(cause) }, { key }, { cause });
  }
}

function reasonOf(error: unknown): string {
  const isFile = error instanceof Error && "code" in error && error.code === "EEXIST";
  return isFile ? "a file has this name" : readFailure(error);
}
