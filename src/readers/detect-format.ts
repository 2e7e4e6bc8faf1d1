/**
 * Detects whether a file is a workbook or text, by its first bytes and never by its name. Refuses any other file,
 * naming its format. The workbook reader judges the contents of a zip archive.
 */
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
    const start = (await file.read(Buffer.alloc(512), 0, 512, 0)).buffer.toString("latin1");
    if (start.startsWith("PK\x03\x04") || start.startsWith("PK\x05\x06")) return "xlsx";
    const found = start.startsWith(OLE_SIGNATURE)
      ? describeOle(await file.readFile())
      : describeForeign(start);
    if (found === ENCRYPTED) throw fault("FILE_ENCRYPTED", {}, { file: path });
    if (found !== undefined) throw fault("FILE_FORMAT_UNKNOWN", { found }, { file: path });
    return "csv";
  } catch (error) {
    throw asUnreadable(error, path);
  } finally {
    await file.close();
  }
}

const OLE_SIGNATURE = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

const FOREIGN: readonly (readonly [start: RegExp, found: string])[] = [
  [/^%PDF-/, "a PDF document"],
  [/^\p{Cc}\x8b/u, "a gzip archive"],
  [/^7z\xbc\xaf/, "a 7-Zip archive"],
  [/^Rar!\p{Cc}/u, "a RAR archive"],
  [/^\xfd7zXZ/, "an xz archive"],
  [/^BZh[1-9]1AY&SY/, "a bzip2 archive"],
  [/^\x89PNG|^\xff\xd8\xff/, "a picture"],
  [/^\{\\rtf/, "a rich text document"],
  [/^SQLite format 3/, "a database"],
  [/^<(!doctype html|html|head|body|table|meta|style)\b/i, "a web page, perhaps under a spreadsheet's name"],
  [/^(<\?xml|<workbook)\b/i, "an XML document, perhaps an XML spreadsheet of 2003"],
  [/^(?:\{|\[\s*[{[])\s*"/, "a JSON document"],
];

function describeForeign(start: string): string | undefined {
  const text = start.replace(/^\xef\xbb\xbf/, "").trimStart();
  return FOREIGN.find(([pattern]) => pattern.test(text))?.[1];
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

/** The directory, anywhere in the file, contains the stream names in UTF-16 ([MS-CFB] 2.6). */
function describeOle(bytes: Buffer): string {
  const stream = OLE_STREAMS.find(([name]) => bytes.includes(Buffer.from(`${name}\0`, "utf16le")));
  return stream?.[1] ?? "an Office document of 97-2003";
}
