/** Identifies the version of a file at a path, to detect that it was replaced or written to between two readings. */
import { stat } from "node:fs/promises";
import { fault } from "../faults/index.ts";
import { asUnreadable } from "./open-file.ts";

/**
 * An opaque text, equal for equal versions. With the time of the last change (ctime), since anybody may set that of the last
 * write back. Faults: FILE_NOT_FOUND, FILE_UNREADABLE.
 */
export async function versionOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch (error) {
    throw asUnreadable(error, path);
  }
}

/** Fault: FILE_CHANGED if the file is not this version any more, so that two are never mixed. */
export async function* ofVersion<Part>(
  path: string,
  version: string,
  parts: AsyncIterable<Part>,
): AsyncGenerator<Part> {
  if ((await versionOf(path)) !== version) throw fault("FILE_CHANGED", {}, { file: path });
  yield* parts;
  if ((await versionOf(path)) !== version) throw fault("FILE_CHANGED", {}, { file: path });
}
