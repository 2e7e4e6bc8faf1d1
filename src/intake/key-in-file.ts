/**
 * Private keys in a file that is no table, before it is kept as it came: they are looked for in its bytes, whatever they mean, and
 * in those of a zip archive's parts. What is encrypted, or packed in another way, cannot be looked into.
 */
import { holdsPrivateKey } from "../model/private-key.ts";
import { fileChunks } from "./file-chunks.ts";
import type { FileLimits } from "./file-limits.ts";
import { openArchive } from "./xlsx/archive.ts";

/** Whether one stands anywhere in the file; of an archive's parts 16 MiB are looked through. Faults: those of a file that cannot be read. */
export async function fileHoldsKey(path: string, limits: FileLimits): Promise<boolean> {
  return (await chunksHoldKey(fileChunks(path))) || (await partsHoldKey(path, limits));
}

async function chunksHoldKey(chunks: AsyncIterable<Uint8Array>): Promise<boolean> {
  const decoder = new TextDecoder();
  let tail = "";
  for await (const chunk of chunks) {
    const text = tail + decoder.decode(chunk, { stream: true });
    // In UTF-16 every other byte of a key is zero.
    const isWide = text.includes("\0");
    if (holdsPrivateKey(text) || (isWide && holdsPrivateKey(text.replaceAll("\0", "")))) return true;
    tail = text.slice(-KEY_CHARACTERS_MAX);
  }
  return false;
}

/** The longest phrase in UTF-16, and a key that is broken into lines. */
const KEY_CHARACTERS_MAX = 1024;

async function partsHoldKey(path: string, limits: FileLimits): Promise<boolean> {
  // An archive that is damaged or refused has been looked through as it lies there.
  const archive = await openArchive(path, limits).catch(() => undefined);
  if (archive === undefined) return false;
  let bytesLeft = UNPACKED_BYTES_MAX;
  try {
    for (const name of archive.partNames) {
      bytesLeft -= archive.inflatedBytes(name);
      if (bytesLeft < 0) return false;
      if (await chunksHoldKey(archive.read(name)).catch(() => false)) return true;
    }
    return false;
  } finally {
    archive.close();
  }
}

const UNPACKED_BYTES_MAX = 16 * 1024 * 1024;
