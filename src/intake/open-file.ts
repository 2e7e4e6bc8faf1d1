/** Opens a sent file for reading: a file on a disk, and nothing that has no end or waits for somebody. */
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { fault, readFailure } from "../faults/index.ts";

/** Faults: FILE_NOT_FOUND, FILE_IS_FOLDER, FILE_UNREADABLE. */
export async function openFile(path: string): Promise<FileHandle> {
  try {
    // Opening a pipe would wait for its writer.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = await file.stat();
    if (found.isFile()) return file;
    await file.close();
    throw found.isDirectory()
      ? fault("FILE_IS_FOLDER", { path }, { file: path })
      : fault("FILE_UNREADABLE", { path, reason: "it is a device or a pipe" }, { file: path });
  } catch (error) {
    throw asUnreadable(error, path);
  }
}

/** Errors of the operating system as faults that name the file; anything else as it is. */
export function asUnreadable(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !("syscall" in error)) return error;
  const code = "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") return fault("FILE_NOT_FOUND", { path }, { file: path });
  if (code === "EISDIR") return fault("FILE_IS_FOLDER", { path }, { file: path });
  return fault("FILE_UNREADABLE", { path, reason: readFailure(error) }, { file: path }, { cause: error });
}
