/** The only way to write files that others read: whole or not at all. Reading is done by intake. */
import { randomUUID } from "node:crypto";
import type { Dirent } from "node:fs";
import { appendFile, chmod, link, mkdir, mkdtemp, open, readdir, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Fault, fault, readFailure } from "../faults/index.ts";

let modes = { file: 0o640, folder: 0o750 };

/** Sets the modes of all that this process writes for others. Unlike a umask, they apply exactly as given. */
export function useModes(wanted: typeof modes): void {
  modes = wanted;
}

/** Creates a folder and the missing folders above it; existing ones keep their modes. Throws the system's error. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made))
    await ifSupported(chmod(made, modes.folder));
}

/**
 * Calls `work` with a new folder that only this user can read, in the system's folder for such (TMPDIR), and removes
 * it again. Throws OUTPUT_UNWRITABLE where none can be made, and if the disk is full.
 */
export async function inTemporaryFolder<Result>(
  name: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const path = join(tmpdir(), `paydrop-${name}-`);
  let folder: string | undefined;
  try {
    folder = await mkdtemp(path);
    return await work(folder);
  } catch (error) {
    const isOfDisk = error instanceof Error && "code" in error && FULL.has(error.code);
    throw folder === undefined || isOfDisk ? asFault(folder ?? path, error) : error;
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

const FULL: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);

/** Only we can read a file until it is whole. */
const UNFINISHED_MODE = 0o600;

/** Prefix of files still being written; watchers of a folder skip them. */
export const UNFINISHED_PREFIX = ".paydrop-";

/**
 * Calls `write` with a temporary name in the folder of `path`, flushes what it wrote, and renames it to `path`. An
 * older file at `path` stays as it was until then. Throws OUTPUT_UNWRITABLE for a full disk, a missing folder or
 * permission.
 */
export function writeWhole(path: string, write: (temporaryPath: string) => Promise<void>): Promise<void> {
  return writeAndPlace(path, write, (draft) => draft.place());
}

/**
 * A file that is written part by part, unseen by others until it is placed: under a temporary name, in the folder
 * of `path`. Its methods throw OUTPUT_UNWRITABLE.
 */
export class Draft {
  readonly path: string;
  /** A short independent name: one derived from `path` could be too long for the file system. */
  readonly temporaryPath: string;

  constructor(path: string) {
    this.path = path;
    this.temporaryPath = join(dirname(path), `${UNFINISHED_PREFIX}${randomUUID()}.part`);
  }

  append(content: Buffer): Promise<void> {
    return this.explained(appendFile(this.temporaryPath, content, { mode: UNFINISHED_MODE }));
  }

  /**
   * Flushes it and gives it its name, in place of an older file. `path`: a name in the same folder that depends on
   * the content.
   */
  place(path: string = this.path): Promise<void> {
    return this.explained(this.placeBy(rename, path));
  }

  /** As `place`, but keeps an existing file, which others may be reading. */
  placeOnce(): Promise<void> {
    return this.explained(this.placeBy(linkUnlessThere, this.path));
  }

  /** Removes a draft that is not placed. Never rejects, because the reason for not placing it matters more. */
  async drop(): Promise<void> {
    await rm(this.temporaryPath, { force: true }).catch(() => undefined);
  }

  private async placeBy(
    give: (temporaryPath: string, path: string) => Promise<void>,
    path: string,
  ): Promise<void> {
    await flush(this.temporaryPath);
    await give(this.temporaryPath, path);
    await flushFolder(dirname(path));
  }

  private async explained(working: Promise<void>): Promise<void> {
    try {
      await working;
    } catch (error) {
      throw asFault(this.path, error);
    }
  }
}

/** As `writeWhole`, but keeps an existing file, which others may be reading. For names that identify content. */
export function writeOnce(path: string, write: (temporaryPath: string) => Promise<void>): Promise<void> {
  return writeAndPlace(path, write, (draft) => draft.placeOnce());
}

/**
 * Removes a file durably: a name that a power failure brings back would be processed again. A missing file is no
 * error. Throws OUTPUT_UNWRITABLE.
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
 * Removes files that dead processes left half written, in a folder and its subfolders. Only our own names, and only
 * if unchanged for two days: a live writer renames its file within seconds, but the clock of a file server may be
 * wrong by a time zone, or a day. `nowMs`: since 1970.
 */
export async function removeUnfinished(folder: string, nowMs: number): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !UNFINISHED_NAME.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const found = await unlessGone(stat(path));
    if (found !== undefined && nowMs - found.mtimeMs > UNFINISHED_AFTER_MS) await rm(path, { force: true });
  }
}

/** The entries of a folder. Throws FILE_UNREADABLE. */
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
  place: (draft: Draft) => Promise<void>,
): Promise<void> {
  const draft = new Draft(path);
  try {
    await (await open(draft.temporaryPath, "wx", UNFINISHED_MODE)).close();
    await write(draft.temporaryPath);
    await place(draft);
  } catch (error) {
    await draft.drop();
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
    await ifSupported(file.chmod(modes.file));
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the new name durable. */
async function flushFolder(path: string): Promise<void> {
  const flushed = async () => {
    const folder = await open(path, "r");
    await folder.sync().finally(() => folder.close());
  };
  await ifSupported(flushed());
}

/** Windows and some file servers cannot flush folders, or have modes of their own: there this step is skipped. */
async function ifSupported(working: Promise<void>): Promise<void> {
  try {
    await working;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && UNSUPPORTED.has(error.code))) throw error;
  }
}

const UNSUPPORTED: ReadonlySet<unknown> = new Set([
  "EINVAL",
  "EISDIR",
  "EPERM",
  "EACCES",
  "EBADF",
  "ENOTSUP",
  "ENOSYS",
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
  ["EMFILE", "this process has too many files open"],
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
