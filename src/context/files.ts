/** The only way to put a file where others read it: whole or not at all, never half. Reading is done by intake. */
import { randomUUID } from "node:crypto";
import { link, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Fault, fault } from "../faults/index.ts";

/** Begins the names of files that are still being written; a watcher of the folder passes over them. */
export const UNFINISHED_PREFIX = ".paydrop-";

/**
 * Calls `write` with a temporary name in the folder of `path`, flushes what it wrote, and renames it to `path`.
 * An older file at `path` stays as it was until then. Throws OUTPUT_UNWRITABLE for a full disk, a missing folder or permission.
 */
export function writeWhole(path: string, write: (temporaryPath: string) => Promise<void>): Promise<void> {
  return writeAndPlace(path, write, rename);
}

/**
 * As `writeWhole`, but a file that is at `path` already stays, the very same one: another process may be reading it.
 * For names that say what the file holds.
 */
export function writeOnce(path: string, write: (temporaryPath: string) => Promise<void>): Promise<void> {
  return writeAndPlace(path, write, linkUnlessThere);
}

/** Removes a file for good: a name that a power cut brings back would be believed once more. One that is missing is no fault. */
export async function removeForGood(path: string): Promise<void> {
  await rm(path, { force: true });
  await flushFolder(dirname(path));
}

/**
 * Removes what processes that died left half written in a folder and in the folders below it. Only names of ours, and only
 * what has not changed for an hour: whoever still writes changes it all the time, and renames it seconds later. `nowMs` is in
 * milliseconds since 1970.
 */
export async function removeUnfinished(folder: string, nowMs: number): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !UNFINISHED_NAME.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const found = await unlessGone(stat(path));
    if (found !== undefined && nowMs - found.mtimeMs > UNFINISHED_AFTER_MS) await rm(path, { force: true });
  }
}

/** What comes of looking at a file, or of moving it; undefined where it is gone by now, because somebody has removed or renamed it. */
export async function unlessGone<Result>(working: Promise<Result>): Promise<Result | undefined> {
  try {
    return await working;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

const UNFINISHED_NAME = new RegExp(`^\\${UNFINISHED_PREFIX}[0-9a-f-]{36}\\.part$`);
const UNFINISHED_AFTER_MS = 3_600_000;

async function writeAndPlace(
  path: string,
  write: (temporaryPath: string) => Promise<void>,
  place: (temporaryPath: string, path: string) => Promise<void>,
): Promise<void> {
  // A short name of its own: one made from `path` could exceed the longest name that a file system takes.
  const temporaryPath = join(dirname(path), `${UNFINISHED_PREFIX}${randomUUID()}.part`);
  try {
    await write(temporaryPath);
    await flush(temporaryPath);
    await place(temporaryPath, path);
    await flushFolder(dirname(path));
  } catch (error) {
    // What could not be written may not be removable either; the first error is the one to tell.
    await rm(temporaryPath, { force: true }).catch(() => undefined);
    throw asFault(path, error);
  }
}

/** A second name, unlike a rename, never takes the place of another file. Where the file system has none, the rename has to do. */
async function linkUnlessThere(temporaryPath: string, path: string): Promise<void> {
  try {
    await link(temporaryPath, path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (CANNOT_LINK.has(code)) return rename(temporaryPath, path);
    if (code !== "EEXIST") throw error;
  }
  await rm(temporaryPath);
}

const CANNOT_LINK: ReadonlySet<unknown> = new Set(["EPERM", "ENOTSUP", "ENOSYS", "EMLINK"]);

async function flush(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the new name durable. Windows and some network shares do not open or flush folders; there the rename alone has to do. */
async function flushFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, "r");
    await folder.sync().finally(() => folder.close());
  } catch (error) {
    if (!(error instanceof Error && "code" in error && CANNOT_FLUSH_FOLDERS.has(error.code))) throw error;
  }
}

const CANNOT_FLUSH_FOLDERS: ReadonlySet<unknown> = new Set([
  "EINVAL",
  "EISDIR",
  "EPERM",
  "EACCES",
  "EBADF",
  "ENOTSUP",
]);

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk quota is used up"],
  ["EFBIG", "the file is larger than the disk allows"],
  ["EACCES", "permission is missing"],
  ["EPERM", "permission is missing, or the file is open in another program"],
  ["EBUSY", "the file is open in another program"],
  ["EROFS", "the disk is read-only"],
  ["ENOENT", "its folder does not exist"],
  ["ENOTDIR", "its folder is a file"],
  ["EISDIR", "a folder has this name"],
  ["ENAMETOOLONG", "its name is too long"],
]);

/** Only errors of the operating system are about the output; everything else passes through. */
function asFault(path: string, error: unknown): unknown {
  if (error instanceof Fault || !(error instanceof Error)) return error;
  if (!("code" in error) || !("syscall" in error) || typeof error.code !== "string") return error;
  return fault("OUTPUT_UNWRITABLE", { path, reason: writeFailure(error.code) }, {}, { cause: error });
}

/** "the disk is full" for a code of the operating system; the code itself where there are no words for it. */
export function writeFailure(code: string): string {
  return REASONS.get(code) ?? code;
}
