/**
 * Opens the zip archive of a workbook safely: it inflates nothing before it has checked the archive's directory,
 * and no part may yield more bytes than it declares. It knows nothing of spreadsheets.
 */
import { pipeline, type Readable } from "node:stream";
import { crc32, createInflateRaw, type InflateRaw } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { Fault, fault } from "../../faults/index.ts";
import { type FileLimits, tooMany } from "../file-limits.ts";
import { asUnreadable, fileChunks } from "../open-file.ts";

export interface Archive {
  readonly path: string;
  readonly limits: FileLimits;
  /** The names of all parts, as written in the directory. */
  readonly partNames: readonly string[];
  /** The part's name as written in the directory; part names are case-insensitive (ECMA-376 part 2, 6.2.2). */
  find(partName: string): string | undefined;
  /**
   * Inflates a part that `find` knows. Fault: XLSX_MALFORMED if the bytes differ from the stored checksum or size.
   */
  read(partName: string): AsyncGenerator<Buffer>;
  inflatedBytes(partName: string): number;
  close(): void;
}

/** Faults: XLSX_MALFORMED if damaged, XLSX_REFUSED if dangerous, FILE_ENCRYPTED, FILE_TOO_LARGE. */
export async function openArchive(path: string, limits: FileLimits): Promise<Archive> {
  const zip = await openPromise(path, { autoClose: false, strictFileNames: true }).catch((error: unknown) => {
    throw asMalformed(error, path);
  });
  // Without a listener a descriptor error would end the process; reading encounters the same error.
  zip.on("error", () => undefined);
  try {
    const entries = await readDirectory(zip, path, limits);
    return {
      path,
      limits,
      partNames: [...entries.values()].map((entry) => entry.fileName),
      find: (partName) => entries.get(partName.toLowerCase())?.fileName,
      read: (partName) => readPart(zip, entryOf(entries, partName, path), path),
      inflatedBytes: (partName) => entryOf(entries, partName, path).uncompressedSize,
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw asMalformed(error, path);
  }
}

export function refused(reason: string, path: string): Fault {
  return fault("XLSX_REFUSED", { reason }, { file: path });
}

export function malformed(reason: string, path: string, options?: ErrorOptions): Fault {
  return fault("XLSX_MALFORMED", { reason }, { file: path }, options);
}

async function readDirectory(
  zip: ZipFile,
  path: string,
  limits: FileLimits,
): Promise<ReadonlyMap<string, Entry>> {
  if (zip.entryCount > limits.zipEntriesMax) {
    throw refused(`it has ${zip.entryCount} parts, more than ${limits.zipEntriesMax}`, path);
  }
  const entries = new Map<string, Entry>();
  let inflatedBytes = 0;
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName;
    const key = name.toLowerCase();
    if (entries.has(key)) throw refused(`it holds the part ${name} twice`, path);
    if (entry.isEncrypted()) throw fault("FILE_ENCRYPTED", {}, { file: path });
    if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
      throw refused(`the part ${name} is compressed by a method other than deflate`, path);
    }
    inflatedBytes += entry.uncompressedSize;
    if (inflatedBytes > limits.inflatedBytesMax) {
      throw tooMany("bytes when unpacked", limits.inflatedBytesMax, { file: path });
    }
    const ratio = entry.uncompressedSize / Math.max(1, entry.compressedSize);
    if (entry.uncompressedSize > RATIO_FREE_BYTES && ratio > limits.inflationRatioMax) {
      throw refused(`the part ${name} unpacks to ${Math.round(ratio)} times its size`, path);
    }
    entries.set(key, entry);
  }
  await refuseSecondArchive(zip, path);
  return entries;
}

/**
 * Refuses an archive with anything between its directory and its end. Programs that search backwards for the
 * directory would find another one, and show another workbook (two archives joined, one in the comment of another).
 */
async function refuseSecondArchive(zip: ZipFile, path: string): Promise<void> {
  // yauzl's types wrongly declare it as boolean.
  const directoryEnd = Number(zip.readEntryCursor);
  for await (const tail of fileChunks(path, directoryEnd)) {
    const isWide = tail.length >= ZIP64_END_BYTES && tail.readUInt32LE(0) === ZIP64_END_SIGNATURE;
    const end = isWide ? ZIP64_END_BYTES : 0;
    const isEnd = tail.length >= end + 4 && tail.readUInt32LE(end) === END_SIGNATURE;
    if (isEnd && directoryEnd + end + END_BYTES + zip.comment.length === zip.fileSize) return;
    break;
  }
  throw refused("its archive holds another one, and programs differ in which they show", path);
}

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const ZIP64_END_SIGNATURE = 0x06064b50;
/** The record and its locator (APPNOTE 4.3.14 and 4.3.15). */
const ZIP64_END_BYTES = 56 + 20;

const STORED = 0;
const DEFLATED = 8;
const RATIO_FREE_BYTES = 1024 * 1024;

function entryOf(entries: ReadonlyMap<string, Entry>, partName: string, path: string): Entry {
  const entry = entries.get(partName.toLowerCase());
  if (entry === undefined) throw malformed(`its part ${partName} is missing`, path);
  return entry;
}

async function* readPart(zip: ZipFile, entry: Entry, path: string): AsyncGenerator<Buffer> {
  try {
    const local = await zip.readLocalFileHeaderPromise(entry);
    if (!local.fileName.equals(entry.fileNameRaw)) {
      throw refused(`the part ${entry.fileName} has another name in the archive's directory`, path);
    }
    const stored: Readable = await zip.openReadStreamPromise(entry, { decodeFileData: false });
    // The reader receives its errors.
    const stream =
      entry.compressionMethod === STORED ? stored : pipeline(stored, inflater(), () => undefined);
    let bytes = 0;
    let checksum = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      checksum = crc32(chunk, checksum);
      if (bytes > entry.uncompressedSize) break;
      yield chunk;
    }
    if (bytes !== entry.uncompressedSize)
      throw new Error(`${entry.fileName} unpacks to another size than it says`);
    if (checksum !== entry.crc32) throw malformed(`the part ${entry.fileName} is damaged`, path);
  } catch (error) {
    throw asMalformed(error, path);
  }
}

/** Four times zlib's default: content that spans two chunks is read in a slower way (xml-part.ts). */
const INFLATED_CHUNK_BYTES = 64 * 1024;

function inflater(): InflateRaw {
  return createInflateRaw({ chunkSize: INFLATED_CHUNK_BYTES });
}

/** Turns the plain errors of yauzl and zlib, whose messages describe the damage, into XLSX_MALFORMED. */
function asMalformed(error: unknown, path: string): unknown {
  if (error instanceof Fault || !(error instanceof Error)) return error;
  const readable = asUnreadable(error, path);
  if (readable !== error) return readable;
  return malformed(
    `its zip archive is damaged, cut off or unusual (${error.message.replace(/\.$/, "")})`,
    path,
    {
      cause: error,
    },
  );
}

/**
 * Why a reader failed, for people. An engine's own messages, such as those of a TypeError, mean nothing to them.
 */
export function reasonOf(error: unknown): string {
  const isWorded = error instanceof Error && error.constructor === Error && error.message !== "";
  return isWorded ? error.message : "it came upon something that it does not know";
}
