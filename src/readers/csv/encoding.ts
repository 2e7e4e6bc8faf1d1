/**
 * Detects the character encoding of a text file. UTF-16 is recognised only by its byte order mark. Bytes that are
 * not valid UTF-8 are read in the encoding that the caller names, otherwise as Windows-1252, which is then a guess.
 */
import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";
import { fault } from "../../faults/index.ts";
import type { SingleByteEncoding, TextEncoding } from "../../model/text-encoding.ts";

export interface Encoding {
  /** For people; distinguishes "UTF-8" and "UTF-8 with BOM". */
  readonly name: string;
  /** The label of the Encoding Standard. */
  readonly label: TextEncoding;
  /** Length of the byte order mark. */
  readonly skipBytes: number;
  readonly isGuessed?: true;
}

/** Faults: FILE_FORMAT_UNKNOWN for binary data, ENCODING_INVALID for broken UTF-8 after its byte order mark. */
export function detectEncoding(bytes: Buffer, file: string, otherwise?: SingleByteEncoding): Encoding {
  const marked = MARKS.find(({ mark }) => bytes.subarray(0, mark.length).equals(mark));
  if (marked === undefined && bytes.includes(0)) {
    const found = "binary data, or UTF-16 without a byte order mark";
    throw fault("FILE_FORMAT_UNKNOWN", { found }, { file });
  }
  if (marked !== undefined) return { ...marked, skipBytes: marked.mark.length };
  return isUtf8(bytes) ? UTF_8 : singleByteEncoding(otherwise);
}

/**
 * The text of the file without its byte order mark, in pieces: UTF-8 as its own bytes, other encodings decoded.
 * Faults: ENCODING_INVALID, FILE_FORMAT_UNKNOWN for text with NUL characters.
 */
export function* textPieces(bytes: Buffer, encoding: Encoding, file: string): Generator<Buffer | string> {
  const marked = bytes.subarray(encoding.skipBytes);
  // In UTF-16 the byte of the end mark is half a letter.
  const content = encoding.label.startsWith("utf-16") ? marked : withoutEndMark(marked);
  if (encoding.label === "utf-8") {
    if (!isUtf8(content)) throw invalid(bytes, encoding, file);
    if (content.includes(0)) throw holdsNul(file);
  }
  const decoder = new TextDecoder(encoding.label, { fatal: true, ignoreBOM: true });
  for (let start = 0; start < content.length; start += PIECE_BYTES) {
    const piece = content.subarray(start, start + PIECE_BYTES);
    yield encoding.label === "utf-8" ? piece : decoded(piece, start + PIECE_BYTES >= content.length);
  }

  function decoded(piece: Buffer, isLast: boolean): string {
    let text: string;
    try {
      text = decoder.decode(piece, { stream: !isLast });
    } catch (cause) {
      throw invalid(bytes, encoding, file, cause);
    }
    if (!encoding.label.startsWith("utf-") && UNDEFINED.test(text)) throw invalid(bytes, encoding, file);
    if (text.includes("\0")) throw holdsNul(file);
    return text;
  }
}

const PIECE_BYTES = 64 * 1024;

const MARKS: readonly (Pick<Encoding, "name" | "label"> & { readonly mark: Buffer })[] = [
  { name: "UTF-8 with BOM", label: "utf-8", mark: Buffer.from([0xef, 0xbb, 0xbf]) },
  { name: "UTF-16 LE", label: "utf-16le", mark: Buffer.from([0xff, 0xfe]) },
  { name: "UTF-16 BE", label: "utf-16be", mark: Buffer.from([0xfe, 0xff]) },
];

const UTF_8: Encoding = { name: "UTF-8", label: "utf-8", skipBytes: 0 };

/** The encoding with its usual spelling: "Windows-1250". */
function singleByteEncoding(label: SingleByteEncoding | undefined): Encoding {
  if (label === undefined)
    return { name: "Windows-1252", label: "windows-1252", skipBytes: 0, isGuessed: true };
  return { name: label.replace(/^windows/, "Windows").replace(/^iso/, "ISO"), label, skipBytes: 0 };
}

/** The characters to which the Encoding Standard maps bytes that a single-byte encoding leaves undefined. */
const UNDEFINED = /[\x80-\x9f]/;

/** Ctrl-Z (0x1A): DOS programs end a text with it, and some fill the last block of 128 bytes with it. */
const END_MARK = 0x1a;
const BLOCK_BYTES = 128;

function withoutEndMark(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && bytes.length - end < BLOCK_BYTES && bytes[end - 1] === END_MARK) end -= 1;
  return bytes.subarray(0, end);
}

function holdsNul(file: string): Error {
  return fault("FILE_FORMAT_UNKNOWN", { found: "text with NUL characters" }, { file });
}

/** The fault names the line, except in UTF-16. */
function invalid(bytes: Buffer, { name, label }: Encoding, file: string, cause?: unknown): Error {
  const encoding = label.startsWith("utf-") ? name : `UTF-8 or ${name}`;
  if (label.startsWith("utf-16")) return fault("ENCODING_INVALID", { encoding }, { file }, { cause });
  const decoder = new TextDecoder(label);
  const lines = bytes.toString("latin1").split(/\r\n|\n|\r/);
  const found = lines.findIndex((line) => {
    const written = Buffer.from(line, "latin1");
    return label === "utf-8" ? !isUtf8(written) : UNDEFINED.test(decoder.decode(written));
  });
  return fault("ENCODING_INVALID", { encoding }, { file, line: found + 1 }, { cause });
}
