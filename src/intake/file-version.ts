/** Which version of a file stands under a path; tells that it was replaced or written to between two readings. */
import { stat } from "node:fs/promises";
import { fault } from "../faults/index.ts";
import { asUnreadable } from "./open-file.ts";

/** Equal for equal versions, and good for nothing else. Faults: FILE_NOT_FOUND, FILE_UNREADABLE. */
export async function versionOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs } = await stat(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  } catch (error) {
    throw asUnreadable(error, path);
  }
}

/** What is read from this version of the file. Fault: FILE_CHANGED, so that no two versions are mixed. */
export async function* ofVersion<Part>(
  path: string,
  version: string,
  parts: AsyncIterable<Part>,
): AsyncGenerator<Part> {
  if ((await versionOf(path)) !== version) throw fault("FILE_CHANGED", {}, { file: path });
  yield* parts;
  if ((await versionOf(path)) !== version) throw fault("FILE_CHANGED", {}, { file: path });
}
