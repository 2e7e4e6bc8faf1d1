/**
 * A small zip writer for fixtures, hostile ones included: every field of the format that a guard checks can be
 * falsified.
 */
import { crc32, deflateRawSync } from "node:zlib";

export interface ZipPart {
  readonly name: string;
  readonly data: string | Buffer;
  readonly isStored?: boolean;
  /** Replace the true figures. */
  readonly declaredBytes?: number;
  readonly declaredCrc?: number;
  readonly localName?: string;
  readonly flags?: number;
  readonly method?: number;
}

export interface ZipStyle {
  /** Size and checksum follow the data, as streaming writers do (APPNOTE 4.3.9). */
  readonly hasDataDescriptors?: boolean;
  /** All sizes and offsets are in 64-bit fields (APPNOTE 4.5.3, 4.3.14). */
  readonly isZip64?: boolean;
}

export function zip(parts: readonly ZipPart[], style: ZipStyle = {}): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const entry = entryOf(part, style);
    const local = Buffer.concat([localHeader(entry, style), entry.stored, descriptor(entry, style)]);
    locals.push(local);
    directory.push(directoryHeader(entry, offset, style));
    offset += local.length;
  }
  const directoryBytes = Buffer.concat(directory);
  return Buffer.concat([...locals, directoryBytes, end(parts.length, directoryBytes.length, offset, style)]);
}

interface Entry {
  readonly part: ZipPart;
  readonly stored: Buffer;
  readonly inflatedBytes: number;
  readonly crc: number;
}

const DATA_DESCRIPTOR_FLAG = 8;
const IN_64_BIT_FIELD = 0xffffffff;

function entryOf(part: ZipPart, { hasDataDescriptors = false }: ZipStyle): Entry {
  const data = Buffer.from(part.data);
  const flags = (part.flags ?? 0) | (hasDataDescriptors ? DATA_DESCRIPTOR_FLAG : 0);
  return {
    part: { ...part, flags },
    stored: part.isStored === true ? data : deflateRawSync(data),
    inflatedBytes: part.declaredBytes ?? data.length,
    crc: part.declaredCrc ?? crc32(data),
  };
}

function localHeader(entry: Entry, style: ZipStyle): Buffer {
  const { hasDataDescriptors = false, isZip64 = false } = style;
  const figures = hasDataDescriptors ? [0, 0, 0] : figuresOf(entry, style);
  const extra = isZip64 ? zip64Extra([entry.inflatedBytes, entry.stored.length]) : Buffer.alloc(0);
  const name = Buffer.from(entry.part.localName ?? entry.part.name);
  return Buffer.concat([
    u32(0x04034b50),
    fields(entry.part, figures),
    u16(name.length),
    u16(extra.length),
    name,
    extra,
  ]);
}

function descriptor(entry: Entry, { hasDataDescriptors = false }: ZipStyle): Buffer {
  if (!hasDataDescriptors) return Buffer.alloc(0);
  return Buffer.concat([0x08074b50, entry.crc, entry.stored.length, entry.inflatedBytes].map(u32));
}

function directoryHeader(entry: Entry, offset: number, style: ZipStyle): Buffer {
  const { isZip64 = false } = style;
  const extra = isZip64 ? zip64Extra([entry.inflatedBytes, entry.stored.length, offset]) : Buffer.alloc(0);
  const name = Buffer.from(entry.part.name);
  return Buffer.concat([
    u32(0x02014b50),
    u16(45),
    fields(entry.part, figuresOf(entry, style)),
    u16(name.length),
    u16(extra.length),
    // No comment, first disk, no attributes.
    Buffer.alloc(10),
    u32(isZip64 ? IN_64_BIT_FIELD : offset),
    name,
    extra,
  ]);
}

/** Checksum, stored length, inflated length. */
function figuresOf({ crc, stored, inflatedBytes }: Entry, { isZip64 = false }: ZipStyle): readonly number[] {
  return isZip64 ? [crc, IN_64_BIT_FIELD, IN_64_BIT_FIELD] : [crc, stored.length, inflatedBytes];
}

/** Version needed to sizes: the same 22 bytes in both headers. */
function fields(part: ZipPart, figures: readonly number[]): Buffer {
  const method = part.method ?? (part.isStored === true ? 0 : 8);
  return Buffer.concat([u16(45), u16(part.flags ?? 0), u16(method), Buffer.alloc(4), ...figures.map(u32)]);
}

function zip64Extra(values: readonly number[]): Buffer {
  return Buffer.concat([u16(1), u16(values.length * 8), ...values.map(u64)]);
}

function end(count: number, directoryBytes: number, offset: number, { isZip64 = false }: ZipStyle): Buffer {
  const plain = Buffer.concat([
    u32(0x06054b50),
    u32(0),
    ...[count, count].map((value) => u16(isZip64 ? 0xffff : value)),
    ...[directoryBytes, offset].map((value) => u32(isZip64 ? IN_64_BIT_FIELD : value)),
    u16(0),
  ]);
  if (!isZip64) return plain;
  const wide = Buffer.concat([
    u32(0x06064b50),
    u64(44),
    u16(45),
    u16(45),
    Buffer.alloc(8),
    ...[count, count, directoryBytes, offset].map(u64),
  ]);
  const locator = Buffer.concat([u32(0x07064b50), u32(0), u64(offset + directoryBytes), u32(1)]);
  return Buffer.concat([wide, locator, plain]);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
