/** Reads a file in chunks that share one buffer: a file of any length takes the memory of a few chunks. */
import { asUnreadable, openFile } from "./open-file.ts";

/** Small, so that what is made from a chunk dies young; with longer chunks it would survive into the old generation. */
const CHUNK_BYTES = 64 * 1024;
/** Several chunks per read, since a round trip to the thread pool takes longer than the reading. */
const READ_BYTES = 4 * CHUNK_BYTES;

/** Yields the bytes from `start` on. A chunk is valid only until the next. Faults: those of an unreadable file. */
export async function* fileChunks(path: string, start = 0): AsyncGenerator<Buffer> {
  const file = await openFile(path);
  try {
    const { size } = await file.stat();
    // Most files are short. Each long buffer is soon garbage outside of the heap, which makes collections frequent.
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
