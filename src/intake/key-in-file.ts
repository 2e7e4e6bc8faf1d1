/**
 * Private keys in a file that is no table, before it is kept as it came: they are looked for in its bytes, whatever they mean, and
 * in those of a zip archive's parts. What is encrypted, or packed in another way, cannot be looked into.
 */
import { Fault } from "../faults/index.ts";
import { holdsPrivateKey } from "../model/private-key.ts";
import { fileChunks } from "./file-chunks.ts";
import type { FileLimits } from "./file-limits.ts";
import { openArchive } from "./xlsx/archive.ts";

/**
 * Whether one stands in the first 64 MiB of the file, or in 16 MiB of an archive's parts: a longer one that is no table is nobody's
 * payments, and searching it must not take minutes. Faults: those of a file that cannot be read.
 */
export async function fileHoldsKey(path: string, limits: FileLimits): Promise<boolean> {
  return (await chunksHoldKey(fileChunks(path))) || (await partsHoldKey(path, limits));
}

async function chunksHoldKey(chunks: AsyncIterable<Uint8Array>): Promise<boolean> {
  let tail = "";
  let bytesLeft = SEARCHED_BYTES_MAX;
  for await (const chunk of chunks) {
    const text = tail + writtenText(chunk);
    if (holdsPrivateKey(text.replace(MARKUP_NAMES, NO_WORD_OF_A_SEED))) return true;
    tail = text.slice(-KEY_CHARACTERS_MAX);
    bytesLeft -= chunk.length;
    if (bytesLeft <= 0) break;
  }
  return false;
}

const SEARCHED_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Names of elements and attributes are words like `number`, `text` and `year`: any OpenDocument file has twelve of them side by side.
 * No name has a digit, and hardly a key has none. A name is looked for at its first letter only: from each letter of a long word it
 * would take quadratic time.
 */
const MARKUP_NAMES = /<\/?[a-z]+:[a-z-]+|(?<![a-z])[a-z]+:[a-z-]+(?==["'])/gi;
const NO_WORD_OF_A_SEED = " xml ";

/** What people and programs write stands in long runs of ASCII, in UTF-16 with a zero beside each byte; chance makes short ones only. */
function writtenText(chunk: Uint8Array): string {
  const written = Buffer.allocUnsafe(chunk.length);
  let length = 0;
  // One that began in the chunk before may end shortly.
  let runStart = -RUN_BYTES_MIN;
  for (const byte of chunk) {
    if (byte === 0) continue;
    if (byte < 0x7f && (byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d))) {
      written[length++] = byte;
      continue;
    }
    if (length - runStart < RUN_BYTES_MIN) length = Math.max(0, runStart);
    if (length === 0 || written[length - 1] !== BETWEEN_RUNS) written[length++] = BETWEEN_RUNS;
    runStart = length;
  }
  return written.toString("latin1", 0, length);
}

/** Below the shortest key. */
const RUN_BYTES_MIN = 20;
const BETWEEN_RUNS = 0x01;

/** The longest phrase in UTF-16, and a key that is broken into lines. */
const KEY_CHARACTERS_MAX = 1024;

async function partsHoldKey(path: string, limits: FileLimits): Promise<boolean> {
  const archive = await unlessRefused(openArchive(path, limits));
  if (archive === undefined) return false;
  let bytesLeft = UNPACKED_BYTES_MAX;
  try {
    for (const name of archive.partNames) {
      bytesLeft -= archive.inflatedBytes(name);
      if (bytesLeft < 0) return false;
      if (await unlessRefused(chunksHoldKey(archive.read(name)))) return true;
    }
    return false;
  } finally {
    archive.close();
  }
}

/** Undefined where an archive, or a part of it, is damaged or refused: it has been looked through as it lies there. */
async function unlessRefused<Found>(looking: Promise<Found>): Promise<Found | undefined> {
  try {
    return await looking;
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

const UNPACKED_BYTES_MAX = 16 * 1024 * 1024;
