/** Searches content that is no table, chunk by chunk, for private keys in readable text. */
import { holdsPrivateKey } from "../model/private-key.ts";

/** Whether there is a private key in the first 64 MiB: no file of payments is longer, and searching takes time. */
export async function chunksHoldKey(chunks: AsyncIterable<Uint8Array>): Promise<boolean> {
  let tail = "";
  let bytesLeft = SEARCHED_BYTES_MAX;
  for await (const chunk of chunks) {
    const text = tail + writtenText(chunk);
    if (holdsPrivateKey(text.replace(BETWEEN_PARTS, "").replace(MARKUP_NAMES, NO_WORD_OF_A_SEED)))
      return true;
    tail = text.slice(-KEY_CHARACTERS_MAX);
    bytesLeft -= chunk.length;
    if (bytesLeft <= 0) break;
  }
  return false;
}

const SEARCHED_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Names of elements and attributes, which look like a seed phrase: `number`, `text` and `year` are in its word list,
 * and any OpenDocument file has twelve such names side by side. Names contain no digits, and keys nearly always do.
 * Matched from a name's first letter only: from each letter of a long word it would take quadratic time.
 */
const MARKUP_NAMES = /<\/?[a-z]+:[a-z-]+|(?<![a-z])[a-z]+:[a-z-]+(?==["'])/gi;
const NO_WORD_OF_A_SEED = " xml ";
/** What stands in a workbook between the parts of one text in several fonts. */
const BETWEEN_PARTS =
  /<\/(?:\w+:)?t>\s*<\/(?:\w+:)?r>\s*<(?:\w+:)?r>\s*(?:<(?:\w+:)?rPr>.{0,500}?<\/(?:\w+:)?rPr>\s*)?<(?:\w+:)?t(?:\s[^<>]{0,40})?>/gs;

/** Readable text: long runs of ASCII (in UTF-16 with zero bytes between), unlike random bytes. */
function writtenText(chunk: Uint8Array): string {
  const written = Buffer.allocUnsafe(chunk.length);
  let length = 0;
  // A run that began in the previous chunk may end soon.
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

/** Shorter than the shortest key. */
const RUN_BYTES_MIN = 20;
const BETWEEN_RUNS = 0x01;

/** Enough for the longest seed phrase in UTF-16, and for a key broken into lines. */
const KEY_CHARACTERS_MAX = 1024;
