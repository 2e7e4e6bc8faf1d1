/** The export batches that were issued, and their files in the ledger's folder. */
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { type IssuedFile, listExportBatches } from "../../store/export-batches.ts";
import type { Workplace } from "../../workplace/workplace.ts";

/** At most `count`, newest first; `number`: only those with this number. */
export function issuedExports({ store }: Workplace, count: number, number?: number) {
  return store.read(() => listExportBatches(count, number));
}

/**
 * Opens a file of a batch, only from `folders.ledger` itself. Undefined if the batch has no such file, or it is no
 * longer there; links are not followed.
 */
export async function openIssuedFile(
  { config }: Workplace,
  { files }: { readonly files: readonly IssuedFile[] },
  index: number,
): Promise<{ readonly name: string; readonly handle: FileHandle } | undefined> {
  const path = files[index]?.path;
  if (path === undefined || dirname(resolve(path)) !== resolve(config.folders.ledger)) return undefined;
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if ((await handle.stat()).isFile()) return { name: basename(path), handle };
    await handle.close();
    return undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && GONE.has(String(error.code))) return undefined;
    throw error;
  }
}

const GONE: ReadonlySet<string> = new Set(["ENOENT", "ELOOP"]);
