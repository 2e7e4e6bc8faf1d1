/**
 * Detects by its first bytes, never by its name, whether a file is a workbook or text; refuses anything else, naming
 * what it is. The workbook reader judges what is inside a zip archive.
 */
import type { FileHandle } from "node:fs/promises";
import { fault } from "../faults/index.ts";
import type { FileFormat } from "../model/grid.ts";
import type { FileLimits } from "./file-limits.ts";
import { asUnreadable, openFile } from "./open-file.ts";

/**
 * The format of a readable, non-empty file within its limit of bytes.
 * Faults: FILE_NOT_FOUND, FILE_IS_FOLDER, FILE_UNREADABLE, FILE_EMPTY, FILE_TOO_LARGE, FILE_ENCRYPTED,
 * FILE_FORMAT_UNKNOWN.
 */
export async function detectFormat(path: string, limits: FileLimits): Promise<FileFormat> {
  const file = await openFile(path);
  try {
    const { size } = await file.stat();
    if (size === 0) throw fault("FILE_EMPTY", {}, { file: path });
    if (size > limits.bytesMax) {
      throw fault("FILE_TOO_LARGE", { found: size, unit: "bytes", limit: limits.bytesMax }, { file: path });
    }
    const start = await readAt(file, 0, 512);
    if (startsWith(start, [0x50, 0x4b, 0x03, 0x04]) || startsWith(start, [0x50, 0x4b, 0x05, 0x06])) {
      return "xlsx";
    }
    const foreign = startsWith(start, OLE_SIGNATURE) ? await describeOle(file) : describeForeign(start);
    if (foreign === ENCRYPTED) throw fault("FILE_ENCRYPTED", {}, { file: path });
    if (foreign !== undefined) throw fault("FILE_FORMAT_UNKNOWN", { found: foreign }, { file: path });
    return "csv";
  } catch (error) {
    throw asUnreadable(error, path);
  } finally {
    await file.close();
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

function startsWith(bytes: Buffer, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}

const OLE_SIGNATURE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

const FOREIGN_SIGNATURES: readonly (readonly [signature: string, found: string])[] = [
  ["%PDF-", "a PDF document"],
  ["\x1f\x8b", "a gzip archive"],
  ["7z\xbc\xaf\x27\x1c", "a 7-Zip archive"],
  ["Rar!\x1a\x07", "a RAR archive"],
  ["\xfd7zXZ", "an xz archive"],
  ["\x89PNG", "a picture"],
  ["\xff\xd8\xff", "a picture"],
  ["{\\rtf", "a rich text document"],
  ["SQLite format 3", "a database"],
];

const FOREIGN_TEXTS: readonly (readonly [start: RegExp, found: string])[] = [
  [/^BZh[1-9]1AY&SY/, "a bzip2 archive"],
  [/^<(!doctype html|html|head|body|table|meta|style)\b/i, "a web page, perhaps under a spreadsheet's name"],
  [/^(<\?xml|<workbook)\b/i, "an XML document, perhaps an XML spreadsheet of 2003"],
  [/^(?:\{|\[\s*[{[])\s*"/, "a JSON document"],
];

function describeForeign(start: Buffer): string | undefined {
  const bytes = start.toString("latin1");
  const signed = FOREIGN_SIGNATURES.find(([signature]) => bytes.startsWith(signature));
  if (signed !== undefined) return signed[1];
  const text = bytes.replace(/^\xef\xbb\xbf/, "").trimStart();
  return FOREIGN_TEXTS.find(([pattern]) => pattern.test(text))?.[1];
}

/** Programs store an encrypted .xlsx in a container of the old format ([MS-OFFCRYPTO] 2.3.1). */
const ENCRYPTED = "an encrypted workbook";

const OLE_STREAMS: readonly (readonly [stream: string, found: string])[] = [
  ["EncryptedPackage", ENCRYPTED],
  ["WordDocument", "a Word document of 97-2003"],
  ["PowerPoint Document", "a presentation of 97-2003"],
  ["Workbook", "an Excel workbook of 97-2003 (.xls)"],
  ["Book", "an Excel workbook of 5.0 or 95 (.xls)"],
];

const OLE_SECTOR_LENGTH = 64 * 1024;

/** The directory, anywhere in the file, contains the stream names in UTF-16 ([MS-CFB] 2.6). */
async function describeOle(file: FileHandle): Promise<string> {
  const found = new Set<string>();
  const overlap = 64;
  for (let position = 0; ; position += OLE_SECTOR_LENGTH - overlap) {
    const bytes = await readAt(file, position, OLE_SECTOR_LENGTH);
    for (const [stream] of OLE_STREAMS) {
      if (bytes.includes(Buffer.from(`${stream}\0`, "utf16le"))) found.add(stream);
    }
    if (bytes.length < OLE_SECTOR_LENGTH) break;
  }
  return OLE_STREAMS.find(([stream]) => found.has(stream))?.[1] ?? "an Office document of 97-2003";
}
