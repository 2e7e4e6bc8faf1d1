/** Writes a zip archive part by part: copies of stored parts, and new parts deflated on the way (APPNOTE 6.3). */
import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import { crc32, createDeflateRaw } from "node:zlib";

export interface StoredPart {
  readonly name: string;
  readonly method: number;
  readonly crc32: number;
  readonly compressedSize: number;
  readonly uncompressedSize: number;
}

export class ZipWriter {
  private readonly file: FileHandle;
  private readonly parts: (StoredPart & { readonly offset: number })[] = [];
  private position = 0;

  constructor(file: FileHandle) {
    this.file = file;
  }

  async copy(part: StoredPart, bytes: AsyncIterable<Buffer>): Promise<void> {
    const offset = this.position;
    await this.append(localHeader(part));
    for await (const chunk of bytes) await this.append(chunk);
    this.parts.push({ ...part, offset });
  }

  /** The XML is given without its declaration. */
  async addXml(name: string, chunks: Iterable<string> | AsyncIterable<string>): Promise<void> {
    const offset = this.position;
    const placeholder = { name, method: DEFLATED, crc32: 0, compressedSize: 0, uncompressedSize: 0 };
    await this.append(localHeader(placeholder));
    const start = this.position;
    let checksum = 0;
    let uncompressedSize = 0;
    const bytes = async function* (): AsyncGenerator<Buffer> {
      for await (const chunk of withDeclaration(chunks)) {
        const buffer = Buffer.from(chunk);
        checksum = crc32(buffer, checksum);
        uncompressedSize += buffer.length;
        yield buffer;
      }
    };
    // An error of the source destroys the stream, and so reaches the loop.
    const deflated = Readable.from(bytes(), { objectMode: false, highWaterMark: CHUNK_BYTES }).compose(
      createDeflateRaw({ level: DEFLATE_LEVEL, chunkSize: CHUNK_BYTES }),
    );
    for await (const chunk of deflated as AsyncIterable<Buffer>) await this.append(chunk);
    const part = { ...placeholder, crc32: checksum, compressedSize: this.position - start, uncompressedSize };
    await this.writeAt(offset, localHeader(part));
    this.parts.push({ ...part, offset });
  }

  async finish(): Promise<void> {
    const start = this.position;
    for (const part of this.parts) await this.append(directoryHeader(part, part.offset));
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(this.parts.length, 8);
    end.writeUInt16LE(this.parts.length, 10);
    end.writeUInt32LE(this.position - start, 12);
    end.writeUInt32LE(start, 16);
    await this.append(end);
  }

  private async append(bytes: Buffer): Promise<void> {
    await this.writeAt(this.position, bytes);
    this.position += bytes.length;
  }

  /** A disk that is nearly full takes a part of what it is given, and says why only when it is given the rest. */
  private async writeAt(position: number, bytes: Buffer): Promise<void> {
    for (let done = 0; done < bytes.length; )
      done += (await this.file.write(bytes, done, undefined, position + done)).bytesWritten;
  }
}

const DEFLATED = 8;
/** Takes half the time of zlib's default level 6, for files a tenth larger. */
const DEFLATE_LEVEL = 3;
const CHUNK_BYTES = 256 * 1024;

async function* withDeclaration(chunks: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  yield '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
  yield* chunks;
}

/** The fields that both headers of a part share, from "version needed" to "extra field length". */
function commonFields(part: StoredPart): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(NAMES_ARE_UTF_8, 2);
  fields.writeUInt16LE(part.method, 4);
  fields.writeUInt16LE(FIRST_DAY, 8);
  fields.writeUInt32LE(part.crc32, 10);
  fields.writeUInt32LE(part.compressedSize, 14);
  fields.writeUInt32LE(part.uncompressedSize, 18);
  fields.writeUInt16LE(Buffer.byteLength(part.name), 22);
  return fields;
}

const NAMES_ARE_UTF_8 = 0x0800;
/** 1980-01-01, as spreadsheet programs write it. */
const FIRST_DAY = 0x0021;

function localHeader(part: StoredPart): Buffer {
  return Buffer.concat([Buffer.from("PK\x03\x04"), commonFields(part), Buffer.from(part.name)]);
}

function directoryHeader(part: StoredPart, offset: number): Buffer {
  const start = Buffer.from("PK\x01\x02\x14\x00", "latin1");
  const end = Buffer.alloc(14);
  end.writeUInt32LE(offset, 10);
  return Buffer.concat([start, commonFields(part), end, Buffer.from(part.name)]);
}
