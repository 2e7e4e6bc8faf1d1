/**
 * Opens a sent file for reading. Accepts only a regular file: a device may have no end, and a pipe waits for its
 * writer.
 */
import { createHash } from "node:crypto";
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

/**
 * Small, so that objects made from a chunk are collected early; with longer chunks they would reach the old
 * generation.
 */
const CHUNK_BYTES = 64 * 1024;
/** Several chunks a read, because a round trip to the thread pool takes longer than the reading. */
const READ_BYTES = 4 * CHUNK_BYTES;

/**
 * Yields the bytes from `start` on, in the memory of a few chunks. A chunk is valid only until the next. Faults:
 * those of an unreadable file.
 */
export async function* fileChunks(path: string, start = 0): AsyncGenerator<Buffer> {
  const file = await openFile(path);
  try {
    const { size } = await file.stat();
    // Most files are short. A long buffer soon becomes garbage outside the heap, which makes collections frequent.
    const buffer = Buffer.allocUnsafe(Math.min(size + 1, READ_BYTES));
    for (let position = start; ; ) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
      if (bytesRead === 0) return;
      for (let first = 0; first < bytesRead; first += CHUNK_BYTES)
        yield buffer.subarray(first, Math.min(first + CHUNK_BYTES, bytesRead));
      position += bytesRead;
    }
  } catch (error) {
    throw asUnreadable(error, path);
  } finally {
    await file.close();
  }
}

/** Identifies a file, whatever its name. Throws FILE_NOT_FOUND, FILE_IS_FOLDER or FILE_UNREADABLE. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of fileChunks(path)) hash.update(chunk);
  return hash.digest("hex");
}
