/** The bytes of a file in chunks that all lie in one buffer: a file of any length takes the memory of one chunk. */
import { type FileHandle, open } from "node:fs/promises";
import { asUnreadable } from "./detect-format.ts";

const CHUNK_BYTES = 64 * 1024;

/** From byte `start` on. A chunk holds until the next one is asked for. Faults: those of a file that cannot be opened or read. */
export async function* fileChunks(path: string, start = 0): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let file: FileHandle | undefined;
  try {
    file = await open(path, "r");
    for (let position = start; ; ) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, position);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      position += bytesRead;
    }
  } catch (error) {
    throw asUnreadable(error, path);
  } finally {
    await file?.close();
  }
}
