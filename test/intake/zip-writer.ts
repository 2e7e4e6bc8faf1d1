/** A small zip writer for fixtures, hostile ones too: every field of the format that a guard looks at can be lied about. */
import { crc32, deflateRawSync } from "node:zlib";

export interface ZipPart {
  readonly name: string;
  readonly data: string | Buffer;
  readonly isStored?: boolean;
  /** Instead of the true figures. */
  readonly declaredBytes?: number;
  readonly declaredCrc?: number;
  readonly localName?: string;
  readonly flags?: number;
  readonly method?: number;
}

export function zip(parts: readonly ZipPart[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const data = Buffer.from(part.data);
    const stored = part.isStored === true ? data : deflateRawSync(data);
    const header = fields(part, data, stored);
    const localName = Buffer.from(part.localName ?? part.name);
    const name = Buffer.from(part.name);
    const local = Buffer.concat([signature(0x04034b50), header, nameLengths(localName), localName, stored]);
    locals.push(local);
    const position = Buffer.alloc(14);
    position.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([
        signature(0x02014b50),
        u16(20),
        header,
        nameLengths(name),
        position.subarray(0, 14),
        name,
      ]),
    );
    offset += local.length;
  }
  const directoryBytes = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(directoryBytes.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, directoryBytes, signature(0x06054b50), end]);
}

/** Version needed to sizes: the same 22 bytes in both headers. */
function fields(part: ZipPart, data: Buffer, stored: Buffer): Buffer {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(20, 0);
  header.writeUInt16LE(part.flags ?? 0, 2);
  header.writeUInt16LE(part.method ?? (part.isStored === true ? 0 : 8), 4);
  header.writeUInt32LE(part.declaredCrc ?? crc32(data), 10);
  header.writeUInt32LE(stored.length, 14);
  header.writeUInt32LE(part.declaredBytes ?? data.length, 18);
  return header;
}

function nameLengths(name: Buffer): Buffer {
  return Buffer.concat([u16(name.length), u16(0)]);
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}
