/** Reads the sent text after its byte order mark, and writes text in the sender's encoding. */
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { TextDecoder } from "node:util";
import type { CsvSource } from "../../../model/row.ts";

type Label = CsvSource["encoding"]["label"];

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

/** A single-byte encoding may lack characters of our own texts; they become question marks. */
export function encoderFor(label: Label): (text: string) => Buffer {
  switch (label) {
    case "utf-8":
      return (text) => Buffer.from(text);
    case "utf-16le":
      return (text) => Buffer.from(text, "utf16le");
    case "utf-16be":
      return (text) => Buffer.from(text, "utf16le").swap16();
    default: {
      const every = new TextDecoder(label).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
      const bytes = new Map([...every].map((character, byte) => [character, byte]));
      const unknown = "?".charCodeAt(0);
      return (text) => Buffer.from(Array.from(text, (character) => bytes.get(character) ?? unknown));
    }
  }
}
