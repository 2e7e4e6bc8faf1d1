/** The only way to write files that others read: whole or not at all. Reading is done by intake. */
import { randomUUID } from "node:crypto";
import type { Dirent } from "node:fs";
import { link, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Fault, fault, readFailure } from "../faults/index.ts";

/** Prefix of files still being written; watchers of a folder skip them. */
export const UNFINISHED_PREFIX = ".paydrop-";

/**
 * Calls `write` with a temporary name in the folder of `path`, flushes what it wrote, and renames it to `path`.
 * An older file at `path` stays as it was until then. Throws OUTPUT_UNWRITABLE for a full disk, a missing folder or permission.
 */
export function writeWhole(path: string, write: (temporaryPath: string) => Promise<void>): Promise<void> {
  return writeAndPlace(path, write, rename);
}

/** As `writeWhole`, but keeps an existing file, which others may be reading. For names that identify the content. */
export function writeOnce(path: string, write: (temporaryPath: string) => Promise<void>): Promise<void> {
  return writeAndPlace(path, write, linkUnlessThere);
}

/**
 * Removes a file durably: a name that a power failure brings back would be processed again. A missing file is no error.
 * Throws OUTPUT_UNWRITABLE.
 */
export async function removeForGood(path: string): Promise<void> {
  try {
    await rm(path, { force: true });
    await flushFolder(dirname(path));
  } catch (error) {
    throw asFault(path, error);
  }
}

/**
 * Removes files that dead processes left half written, in a folder and its subfolders. Only our own names, and only if
 * unchanged for two days: a live writer renames its file within seconds, but the clock of a file server may be wrong by
 * a time zone, or a day. `nowMs`: since 1970.
 */
export async function removeUnfinished(folder: string, nowMs: number): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !UNFINISHED_NAME.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const found = await unlessGone(stat(path));
    if (found !== undefined && nowMs - found.mtimeMs > UNFINISHED_AFTER_MS) await rm(path, { force: true });
  }
}

/** What lies in a folder. Throws FILE_UNREADABLE. */
export async function listFolder(path: string): Promise<Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (cause) {
    throw fault("FILE_UNREADABLE", { path, reason: readFailure(cause) }, {}, { cause });
  }
}

/** The result of reading or moving a file; undefined if it no longer exists. */
export async function unlessGone<Result>(working: Promise<Result>): Promise<Result | undefined> {
  try {
    return await working;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

const UNFINISHED_NAME = new RegExp(`^\\${UNFINISHED_PREFIX}[0-9a-f-]{36}\\.part$`);
const UNFINISHED_AFTER_MS = 2 * 24 * 3_600_000;

async function writeAndPlace(
  path: string,
  write: (temporaryPath: string) => Promise<void>,
  place: (temporaryPath: string, path: string) => Promise<void>,
): Promise<void> {
  // A short independent name: one derived from `path` could be too long for the file system.
  const temporaryPath = join(dirname(path), `${UNFINISHED_PREFIX}${randomUUID()}.part`);
  try {
    await write(temporaryPath);
    await flush(temporaryPath);
    await place(temporaryPath, path);
    await flushFolder(dirname(path));
  } catch (error) {
    // Removing may fail as well; the first error is the one to throw.
    await rm(temporaryPath, { force: true }).catch(() => undefined);
    throw asFault(path, error);
  }
}

/** A hard link, unlike a rename, never replaces another file. File systems without links get a rename. */
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

/** Makes the new name durable. Windows and some network shares cannot flush folders; there the rename must do. */
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

/** Turns errors of the operating system into OUTPUT_UNWRITABLE; any other is returned unchanged. */
function asFault(path: string, error: unknown): unknown {
  if (error instanceof Fault || !(error instanceof Error)) return error;
  if (!("code" in error) || !("syscall" in error) || typeof error.code !== "string") return error;
  return fault("OUTPUT_UNWRITABLE", { path, reason: writeFailure(error.code) }, {}, { cause: error });
}

/** An operating-system error code in words ("the disk is full"), or the code itself. */
export function writeFailure(code: string): string {
  return REASONS.get(code) ?? code;
}
