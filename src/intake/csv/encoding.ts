/**
 * Detects the character encoding of a text file and decodes it in chunks. UTF-16 is recognised only by its byte order
 * mark. What is not valid UTF-8 is read in the encoding that the caller names, otherwise as Windows-1252, which is then
 * a guess.
 */
import { isUtf8 } from "node:buffer";
import { StringDecoder } from "node:string_decoder";
import { TextDecoder } from "node:util";
import { fault, type Where } from "../../faults/index.ts";
import type { SingleByteEncoding, TextEncoding } from "../../model/text-encoding.ts";
import { fileChunks } from "../file-chunks.ts";
import { withoutEndMark } from "./end-mark.ts";

export interface Encoding {
  /** For people; distinguishes "UTF-8" and "UTF-8 with BOM". */
  readonly name: string;
  /** The label of the Encoding Standard. */
  readonly label: TextEncoding;
  /** Length of the byte order mark. */
  readonly skipBytes: number;
  readonly isGuessed?: true;
}

/** Reads the whole file once. Faults: FILE_FORMAT_UNKNOWN for binary data. */
export async function detectEncoding(path: string, otherwise?: SingleByteEncoding): Promise<Encoding> {
  const other = singleByteEncoding(otherwise);
  let carried: Buffer = Buffer.alloc(0);
  let marked: Encoding | undefined;
  let isFirst = true;
  for await (const chunk of fileChunks(path)) {
    if (isFirst) marked = encodingByMark(chunk);
    isFirst = false;
    if (marked !== undefined) return marked;
    if (chunk.includes(0)) {
      const found = "binary data, or UTF-16 without a byte order mark";
      throw fault("FILE_FORMAT_UNKNOWN", { found }, { file: path });
    }
    const bytes = carried.length === 0 ? chunk : Buffer.concat([carried, chunk]);
    const whole = bytes.subarray(0, endOfLastCharacter(bytes));
    if (!isUtf8(whole)) return other;
    carried = Buffer.from(bytes.subarray(whole.length));
  }
  return isUtf8(carried) ? UTF_8 : other;
}

/**
 * Yields the text between the byte order mark and the end mark of DOS, in chunks. Fault: ENCODING_INVALID with the offset
 * in the file.
 */
export function textChunks(path: string, encoding: Encoding): AsyncGenerator<string> {
  return withoutEndMark(decodedChunks(path, encoding));
}

async function* decodedChunks(path: string, encoding: Encoding): AsyncGenerator<string> {
  // A file without a mark was verified as UTF-8 when its encoding was detected.
  if (encoding === UTF_8) return yield* provenChunks(path);
  const decoder = new TextDecoder(encoding.label, { fatal: true, ignoreBOM: true });
  let offset = encoding.skipBytes;
  for await (const chunk of fileChunks(path, encoding.skipBytes)) {
    yield await decodeAt(decoder, chunk, offset, path, encoding);
    offset += chunk.length;
  }
  await decodeAt(decoder, undefined, offset, path, encoding);
}

/** Uses a StringDecoder, which is several times faster than a TextDecoder but does not report invalid bytes. */
async function* provenChunks(path: string): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  for await (const chunk of fileChunks(path)) yield decoder.write(chunk);
}

const UTF_8: Encoding = { name: "UTF-8", label: "utf-8", skipBytes: 0 };

/** The encoding with its usual spelling: "Windows-1250". */
function singleByteEncoding(label: SingleByteEncoding | undefined): Encoding {
  if (label === undefined)
    return { name: "Windows-1252", label: "windows-1252", skipBytes: 0, isGuessed: true };
  return { name: label.replace(/^windows/, "Windows").replace(/^iso/, "ISO"), label, skipBytes: 0 };
}

function encodingByMark(start: Buffer): Encoding | undefined {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) {
    return { name: "UTF-8 with BOM", label: "utf-8", skipBytes: 3 };
  }
  if (start[0] === 0xff && start[1] === 0xfe) return { name: "UTF-16 LE", label: "utf-16le", skipBytes: 2 };
  if (start[0] === 0xfe && start[1] === 0xff) return { name: "UTF-16 BE", label: "utf-16be", skipBytes: 2 };
  return undefined;
}

/** Offset of the last character if it may continue in the next chunk; otherwise the length. */
function endOfLastCharacter(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) return bytes.length - back;
  }
  return bytes.length;
}

/** The characters to which the Encoding Standard maps bytes that an encoding leaves undefined. */
const UNDEFINED = /[\x80-\x9f]/;

async function decodeAt(
  decoder: TextDecoder,
  chunk: Buffer | undefined,
  offset: number,
  path: string,
  encoding: Encoding,
): Promise<string> {
  let text: string;
  try {
    text = chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch (error) {
    const at = offset + (chunk === undefined ? 0 : firstInvalidByte(chunk, encoding));
    const where =
      encoding.label !== "utf-16le" && encoding.label !== "utf-16be"
        ? await placeOf(path, at)
        : { file: path };
    throw fault("ENCODING_INVALID", { offset: at, encoding: encoding.name }, where, { cause: error });
  }
  if (!encoding.label.startsWith("utf-")) {
    const at = text.search(UNDEFINED);
    if (at >= 0) {
      const params = { offset: offset + at, encoding: `UTF-8 or ${encoding.name}` };
      throw fault("ENCODING_INVALID", params, await placeOf(path, offset + at));
    }
  }
  const zero = text.indexOf("\0");
  if (zero >= 0) throw fault("FILE_FORMAT_UNKNOWN", { found: "text with NUL characters" }, { file: path });
  return text;
}

/** The line of a byte, which people find more easily than an offset. Not for UTF-16. */
async function placeOf(path: string, offset: number): Promise<Where> {
  let line = 1;
  let last = 0;
  let position = 0;
  for await (const chunk of fileChunks(path, 0)) {
    for (const byte of chunk.subarray(0, Math.max(0, offset - position))) {
      if (byte === CARRIAGE_RETURN || (byte === LINE_FEED && last !== CARRIAGE_RETURN)) line += 1;
      last = byte;
    }
    position += chunk.length;
    if (position >= offset) break;
  }
  return { file: path, line };
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * Searches byte by byte; used only for the message. The chunk's first character may have begun in the previous chunk.
 */
function firstInvalidByte(chunk: Buffer, encoding: Encoding): number {
  const decoder = new TextDecoder(encoding.label, { fatal: true, ignoreBOM: true });
  for (let index = 0; index < chunk.length; index += 1) {
    try {
      decoder.decode(chunk.subarray(index, index + 1), { stream: true });
    } catch {
      return index;
    }
  }
  return 0;
}
