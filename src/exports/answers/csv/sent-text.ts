/** Reads the sent text after its byte order mark. */
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { TextDecoder } from "node:util";
import type { CsvSource } from "../../../model/row.ts";

/** `mark`: the file's byte order mark, if any. */
export async function sentText({ path, encoding }: CsvSource) {
  const file = await open(path, "r");
  try {
    const { buffer } = await file.read(Buffer.alloc(encoding.skipBytes), 0, encoding.skipBytes, 0);
    return { mark: buffer, chunks: decoded(path, encoding) };
  } finally {
    await file.close();
  }
}

async function* decoded(path: string, { label, skipBytes }: CsvSource["encoding"]): AsyncGenerator<string> {
  const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: true });
  const bytes: AsyncIterable<Buffer> = createReadStream(path, {
    start: skipBytes,
    highWaterMark: CHUNK_BYTES,
  });
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

const CHUNK_BYTES = 256 * 1024;
