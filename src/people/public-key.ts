/**
 * Public keys as OpenSSH writes them, and the credentials that people enrol. A key is checked completely before it
 * is used: its type, its point or modulus, and that no bytes follow it.
 */
import { createPublicKey, hash, type JsonWebKey, type KeyObject } from "node:crypto";
import { fault, type KeyFlaw } from "../faults/index.ts";
import { present } from "../model/present.ts";
import { base64Bytes, readFields, readInteger } from "./ssh-wire.ts";

/**
 * A credential as statements contain it. With `passkey`, a passkey of the site `rp` (WebAuthn's RP ID, a host
 * name).
 */
export interface Credential {
  /** "<type> <base64>" */
  readonly key: string;
  readonly passkey?: { readonly id: string; readonly rp: string } | undefined;
}

export interface PublicKey {
  /** "<type> <base64>", without a comment. */
  readonly key: string;
  /** "SHA256:..." as `ssh-keygen -lf` shows it. */
  readonly fingerprint: string;
  readonly type: KeyType;
  readonly blob: Buffer;
  /** For security keys and passkeys: what the key is for, "ssh:" or a site. */
  readonly application?: string;
  readonly cryptoKey: KeyObject;
}

export type KeyType = keyof typeof READERS;

/** Security keys sign for applications with this prefix, and passkeys for sites, which cannot begin with it. */
const SSH_APPLICATION = "ssh:";

const KEY_LENGTH_MAX = 2_000;
const KEY_LINE = /^([^\s]+)[ \t]+([^\s]+)(?:[ \t].*)?$/;

/** Reads "<type> <base64> [comment]", as in a file `.pub`. Throws KEY_UNUSABLE, also for the key of a passkey. */
export function readPublicKey(line: string): PublicKey {
  const [, type = "", base64 = ""] = KEY_LINE.exec(line.trim()) ?? [];
  return readCredential({ key: `${type} ${base64}` });
}

/** The key of a credential. Throws KEY_UNUSABLE. */
export function readCredential(credential: Credential): PublicKey {
  const key = keyOf(credential);
  if (typeof key === "string") throw fault("KEY_UNUSABLE", { reason: key });
  return key;
}

/** As `ssh-keygen -lf` shows it. Does not check whether the key can be used. */
export function fingerprintOf({ key }: Credential): string {
  return fingerprint(Buffer.from(key.split(" ")[1] ?? "", "base64"));
}

function fingerprint(blob: Buffer): string {
  return `SHA256:${hash("sha256", blob, "base64").replaceAll("=", "")}`;
}

/** A DNS name in lower case, as browsers give it. */
const SITE = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

/** WebAuthn allows 1,023 bytes. */
const PASSKEY_ID_LENGTH_MAX = 1_364;

/** As `readCredential`, for unchecked bytes: returns the flaw instead of throwing. */
export function keyOf({ key: text, passkey }: Credential): PublicKey | KeyFlaw {
  const key = keyOfText(text);
  if (typeof key === "string") return key;
  const { type, application } = key;
  if (passkey === undefined) {
    if (type === "ssh-rsa") return "rsa";
    return application?.startsWith(SSH_APPLICATION) === false ? "of-a-passkey" : key;
  }
  const { id, rp } = passkey;
  const isNamed = id !== "" && id.length <= PASSKEY_ID_LENGTH_MAX && base64Bytes(id, "base64url");
  if (!(isNamed && SITE.test(rp))) return "unreadable";
  const isOfSite =
    type === "ssh-rsa" || (type === "sk-ecdsa-sha2-nistp256@openssh.com" && application === rp);
  return isOfSite ? key : "of-no-passkey";
}

/**
 * Cached, because roster and decisions contain the same few keys in every reading, and reading a key takes as long
 * as checking a signature.
 */
const keysRead = new Map<string, PublicKey | KeyFlaw>();
const KEYS_READ_MAX = 10_000;

function keyOfText(text: string): PublicKey | KeyFlaw {
  if (text.length > KEY_LENGTH_MAX) return "unreadable";
  const known = keysRead.get(text);
  if (known !== undefined) return known;
  const key = keyReadFrom(text);
  if (keysRead.size >= KEYS_READ_MAX) keysRead.clear();
  keysRead.set(text, key);
  return key;
}

function keyReadFrom(text: string): PublicKey | KeyFlaw {
  const [type = "", base64 = "", ...others] = text.split(" ");
  const blob = base64Bytes(base64, "base64");
  if (blob === undefined || base64 === "" || others.length > 0) return "unreadable";
  if (!isKeyType(type)) return "type";
  const read = READERS[type](blob, type);
  if (read === undefined) return "unreadable";
  if (typeof read === "string") return read;
  const cryptoKey = imported(read.key);
  if (cryptoKey === undefined) return "unreadable";
  const application = read.application?.toString();
  return { key: text, fingerprint: fingerprint(blob), type, blob, cryptoKey, ...present({ application }) };
}

function isKeyType(type: string): type is KeyType {
  return Object.hasOwn(READERS, type);
}

/** Undefined for a point that is not on the curve. */
function imported(key: JsonWebKey): KeyObject | undefined {
  try {
    return createPublicKey({ key, format: "jwk" });
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

type KeyRead = { readonly key: JsonWebKey; readonly application?: Buffer } | KeyFlaw | undefined;

/** By type, the contents of a blob after its type (RFC 8709, RFC 5656, RFC 4253, and OpenSSH's PROTOCOL.u2f). */
const READERS = {
  "ssh-ed25519": (blob: Buffer, type: string): KeyRead => {
    const read = readFields(blob, ["string", "string"]);
    return isOf(type, read) ? ed25519(read[1]) : undefined;
  },
  "sk-ssh-ed25519@openssh.com": (blob: Buffer, type: string): KeyRead => {
    const read = readFields(blob, ["string", "string", "string"]);
    return isOf(type, read) ? withApplication(ed25519(read[1]), read[2]) : undefined;
  },
  "ecdsa-sha2-nistp256": ecdsa,
  "ecdsa-sha2-nistp384": ecdsa,
  "ecdsa-sha2-nistp521": ecdsa,
  "sk-ecdsa-sha2-nistp256@openssh.com": (blob: Buffer, type: string): KeyRead => {
    const read = readFields(blob, ["string", "string", "string", "string"]);
    return isOf(type, read) ? withApplication(pointOf("nistp256", read[1], read[2]), read[3]) : undefined;
  },
  "ssh-rsa": (blob: Buffer, type: string): KeyRead => {
    const read = readFields(blob, ["string", "string", "string"]);
    return isOf(type, read) ? rsa(read[1], read[2]) : undefined;
  },
} as const;

function isOf<Read extends readonly Buffer[]>(type: string, read: Read | undefined): read is Read {
  return read?.[0]?.toString("latin1") === type;
}

function withApplication(key: KeyRead, application: Buffer): KeyRead {
  return typeof key === "object" ? { ...key, application } : key;
}

/** By curve: its name in JSON web keys, and the bytes of a coordinate. */
const CURVES: Readonly<Record<string, { readonly crv: string; readonly bytes: number }>> = {
  nistp256: { crv: "P-256", bytes: 32 },
  nistp384: { crv: "P-384", bytes: 48 },
  nistp521: { crv: "P-521", bytes: 66 },
};

function ecdsa(blob: Buffer, type: string): KeyRead {
  const read = readFields(blob, ["string", "string", "string"]);
  return isOf(type, read) ? pointOf(type.slice("ecdsa-sha2-".length), read[1], read[2]) : undefined;
}

/** Points must be uncompressed: 4, x and y (SEC 1, 2.3.3). */
function pointOf(curve: string, named: Buffer, point: Buffer): KeyRead {
  const { crv, bytes } = CURVES[curve] ?? { crv: "", bytes: 0 };
  if (named.toString("latin1") !== curve || point.length !== 1 + 2 * bytes || point[0] !== 4)
    return undefined;
  const [x, y] = [point.subarray(1, 1 + bytes), point.subarray(1 + bytes)];
  return { key: { kty: "EC", crv, x: x.toString("base64url"), y: y.toString("base64url") } };
}

/** The points of small order, without their sign: anybody can sign for such keys. The list is libsodium's. */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
]);

const ED25519_BYTES = 32;

function ed25519(point: Buffer): KeyRead {
  if (point.length !== ED25519_BYTES) return undefined;
  const signless = Buffer.from(point);
  signless.writeUInt8((point[ED25519_BYTES - 1] ?? 0) & 0x7f, ED25519_BYTES - 1);
  if (SMALL_ORDER.has(signless.toString("hex"))) return "weak";
  return { key: { kty: "OKP", crv: "Ed25519", x: point.toString("base64url") } };
}

const RSA_BYTES_MIN = 256;
const RSA_BYTES_MAX = 512;

/** Nearly all keys have this exponent, and so do those of every authenticator. */
const RSA_EXPONENT = Buffer.of(1, 0, 1);

function rsa(exponent: Buffer, modulus: Buffer): KeyRead {
  const n = readInteger(modulus, RSA_BYTES_MAX);
  if (n === undefined || !exponent.equals(RSA_EXPONENT)) return "weak";
  const digits = n.subarray(n.findIndex((byte) => byte !== 0));
  const [first = 0, last = 0] = [digits.at(0), digits.at(-1)];
  if (digits.length < RSA_BYTES_MIN || first < 0x80 || last % 2 === 0) return "weak";
  return { key: { kty: "RSA", e: RSA_EXPONENT.toString("base64url"), n: digits.toString("base64url") } };
}
