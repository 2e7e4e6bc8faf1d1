/**
 * The binary form of OpenSSH's keys and signatures (RFC 4251, 5): fields one after another, with no bytes after the
 * last.
 */

/** "string": a length in four bytes, and as many bytes. A number: this many bytes. */
type Field = "string" | number;

type Read<Fields extends readonly Field[]> = { readonly [Index in keyof Fields]: Buffer };

/** Undefined unless the bytes are exactly these fields. */
export function readFields<const Fields extends readonly Field[]>(
  bytes: Buffer,
  fields: Fields,
): Read<Fields> | undefined {
  const values: Buffer[] = [];
  let at = 0;
  for (const field of fields) {
    if (field === "string" && bytes.length - at < 4) return undefined;
    const start = field === "string" ? at + 4 : at;
    const end = start + (field === "string" ? bytes.readUInt32BE(at) : field);
    if (end > bytes.length) return undefined;
    values.push(bytes.subarray(start, end));
    at = end;
  }
  return at === bytes.length ? (values as unknown as Read<Fields>) : undefined;
}

/** A field "string". */
export function wireString(value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/**
 * A positive number as an mpint: without leading zeros, except one where the number would otherwise be negative.
 */
export function wireInteger(unsigned: Uint8Array): Buffer {
  const bytes = Buffer.from(unsigned);
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = bytes.subarray(first);
  return wireString((digits[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), digits]) : digits);
}

/** The value of an mpint in so many bytes. Undefined if it is not positive, is longer, or has superfluous zeros. */
export function readInteger(mpint: Buffer, bytes: number): Buffer | undefined {
  const [first = 0x80, second = 0] = mpint;
  if (first >= 0x80 || (first === 0 && second < 0x80)) return undefined;
  const digits = first === 0 ? mpint.subarray(1) : mpint;
  if (digits.length > bytes) return undefined;
  return Buffer.concat([Buffer.alloc(bytes - digits.length), digits]);
}

/** Undefined unless the text is the one form of its bytes: with padding in "base64", without in "base64url". */
export function base64Bytes(text: string, encoding: "base64" | "base64url"): Buffer | undefined {
  const bytes = Buffer.from(text, encoding);
  return bytes.toString(encoding) === text ? bytes : undefined;
}
