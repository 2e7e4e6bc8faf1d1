/** The bytes of a file in chunks that all lie in one buffer: a file of any length takes the memory of a few chunks. */
import { asUnreadable, openFile } from "./open-file.ts";

/** What is made of a chunk soon dies; of a longer one it would be kept for long-lived things. */
const CHUNK_BYTES = 64 * 1024;
/** A thread of the pool is asked for many chunks at once: to ask takes longer than to read one. */
const READ_BYTES = 4 * CHUNK_BYTES;

/** From byte `start` on. A chunk holds until the next one is asked for. Faults: those of a file that cannot be opened or read. */
export async function* fileChunks(path: string, start = 0): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  const file = await openFile(path);
  try {
    for (let position = start; ; ) {
      const { bytesRead } = await file.read(buffer, 0, READ_BYTES, position);
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
