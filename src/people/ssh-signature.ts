/**
 * Signatures of statements, made by `ssh-keygen -Y sign` (OpenSSH's PROTOCOL.sshsig), by security keys
 * (PROTOCOL.u2f) or by passkeys. Here node:crypto alone verifies them. `ssh-keygen -Y verify` accepts every
 * signature that is accepted here; for an RSA passkey, openssl does.
 *
 * Anybody can alter an ECDSA signature into another valid one of the same text. Paydrop does not depend on a single
 * signature, because it names statements by the hash of their text.
 */
import { hash, type KeyObject, verify } from "node:crypto";
import type { SignatureFlaw } from "../faults/index.ts";
import {
  type Assertion,
  areConsistent,
  has,
  readClientData,
  readRsaSignature,
  USER_PRESENT,
  whyNotAsserted,
} from "./assertion.ts";
import { type Credential, keyOf, type PublicKey } from "./public-key.ts";
import { readFields, readInteger, wireString } from "./ssh-wire.ts";

export const SIGNATURE_NAMESPACE = "paydrop-approval";

/** For trials: a trial's signature does not count in a real installation, nor the other way round. */
export const TRIAL_NAMESPACE = "paydrop-trial";

export type Namespace = typeof SIGNATURE_NAMESPACE | typeof TRIAL_NAMESPACE;

const MAGIC = Buffer.from("SSHSIG");
const VERSION = Buffer.of(0, 0, 0, 1);
const HASH = "sha512";

/** Longer signatures are not read. A browser's client data has some hundred bytes. */
const SIGNATURE_LENGTH_MAX = 16_384;

/** The bytes that a signature of this text covers. A passkey takes them as its challenge. */
export function signedBytes(text: string, namespace: Namespace = SIGNATURE_NAMESPACE): Buffer<ArrayBuffer> {
  const parts = [namespace, "", HASH, hash(HASH, text, "buffer")];
  return Buffer.concat([MAGIC, ...parts.map((part) => wireString(part))]);
}

/**
 * Why the signature is not this credential's over this text; undefined if it is. Never throws, even for malformed
 * bytes.
 */
export function whyNotSigned(
  text: string,
  signature: string,
  credential: Credential,
  namespace: Namespace = SIGNATURE_NAMESPACE,
): SignatureFlaw | undefined {
  const key = keyOf(credential);
  if (typeof key === "string") return "key-unusable";
  if (signature.length > SIGNATURE_LENGTH_MAX) return "unreadable";
  const { passkey } = credential;
  const signed = signedBytes(text, namespace);
  if (key.type === "ssh-rsa") return whyNotByRsaPasskey(signed, signature, key, passkey?.rp ?? "");
  const read = readSignature(signature);
  if (read === undefined) return "unreadable";
  if (read.namespace !== namespace) return "other-purpose";
  if (read.hash !== HASH) return "other-hash";
  if (!read.blob.equals(key.blob)) return "other-key";
  if (passkey !== undefined) return whyNotByPasskey(signed, read.signature, key, passkey.rp);
  return key.application === undefined
    ? whyNotByKey(signed, read.signature, key)
    : whyNotBySecurityKey(signed, read.signature, key, key.application);
}

/** The key that the signature names as its own: "<type> <base64>". Undefined if it cannot be read. */
export function signatureKey(signature: string): string | undefined {
  if (signature.length > SIGNATURE_LENGTH_MAX) return undefined;
  if (signature.startsWith("{")) return readRsaSignature(signature)?.key;
  const blob = readSignature(signature)?.blob;
  const length = blob !== undefined && blob.length >= 4 ? blob.readUInt32BE() : 0;
  return blob && `${blob.toString("latin1", 4, 4 + length)} ${blob.toString("base64")}`;
}

/** The text of a signature that a plain key made of `signedBytes`, as `ssh-keygen -Y sign` writes it. */
export function signatureText(
  key: string,
  signature: Uint8Array,
  namespace: Namespace = SIGNATURE_NAMESPACE,
): string {
  const [type = ""] = key.split(" ");
  return armored(key, Buffer.concat([wireString(type), wireString(signature)]), namespace);
}

/** As `signatureText`, for the signature of an ECDSA passkey. `integers`: r and s, each an mpint. */
export function passkeySignatureText(
  key: string,
  integers: Buffer,
  { authenticatorData, clientData }: Assertion,
): string {
  return armored(
    key,
    Buffer.concat([
      wireString(PASSKEY_SIGNATURE),
      wireString(integers),
      authenticatorData.subarray(32, 37),
      wireString(readClientData(clientData)?.origin ?? ""),
      wireString(clientData),
      wireString(authenticatorData.subarray(37)),
    ]),
  );
}

/** "ssh-ed25519 AAAA..." of an ed25519 key. */
export function ed25519Key(key: KeyObject): string {
  const { x = "" } = key.export({ format: "jwk" });
  const type = "ssh-ed25519";
  const blob = Buffer.concat([wireString(type), wireString(Buffer.from(x, "base64url"))]);
  return `${type} ${blob.toString("base64")}`;
}

const BEGIN = "-----BEGIN SSH SIGNATURE-----\n";
const END = "\n-----END SSH SIGNATURE-----\n";

function armored(key: string, signature: Buffer, namespace: Namespace = SIGNATURE_NAMESPACE): string {
  const blob = Buffer.from(key.split(" ")[1] ?? "", "base64");
  const parts = [blob, namespace, "", HASH, signature];
  return armor(Buffer.concat([MAGIC, VERSION, ...parts.map((part) => wireString(part))]));
}

function armor(bytes: Buffer): string {
  return `${BEGIN}${bytes.toString("base64").replaceAll(/.{70}(?=.)/g, "$&\n")}${END}`;
}

/** Undefined unless the text is the one form of its bytes, and these are one whole signature. */
function readSignature(text: string) {
  const bytes = Buffer.from(text.slice(BEGIN.length, -END.length), "base64");
  if (armor(bytes) !== text) return undefined;
  const read = readFields(bytes, [MAGIC.length, 4, "string", "string", "string", "string", "string"]);
  if (read === undefined) return undefined;
  const [magic, version, blob, namespace, reserved, hashName, signature] = read;
  if (!magic.equals(MAGIC) || !version.equals(VERSION) || reserved.length > 0) return undefined;
  return { blob, namespace: namespace.toString(), hash: hashName.toString(), signature };
}

function whyNotByKey(signed: Buffer, signature: Buffer, key: PublicKey): SignatureFlaw | undefined {
  const [type, raw] = readFields(signature, ["string", "string"]) ?? [];
  if (type?.toString() !== key.type || raw === undefined) return "unreadable";
  return whyNotMadeBy(key, signed, raw);
}

function whyNotBySecurityKey(
  signed: Buffer,
  signature: Buffer,
  key: PublicKey,
  application: string,
): SignatureFlaw | undefined {
  const [type, raw, flags, counter] = readFields(signature, ["string", "string", 1, 4]) ?? [];
  if (type?.toString() !== key.type || raw === undefined || flags === undefined || counter === undefined)
    return "unreadable";
  if (!areConsistent(flags, Buffer.alloc(0))) return "unreadable";
  const data = Buffer.concat([sha256(application), flags, counter, sha256(signed)]);
  return whyNotMadeBy(key, data, raw) ?? (has(flags, USER_PRESENT) ? undefined : "nobody-present");
}

const PASSKEY_SIGNATURE = "webauthn-sk-ecdsa-sha2-nistp256@openssh.com";

function whyNotByPasskey(
  signed: Buffer,
  signature: Buffer,
  key: PublicKey,
  rp: string,
): SignatureFlaw | undefined {
  const read = readFields(signature, ["string", "string", 1, 4, "string", "string", "string"]);
  if (read === undefined) return "unreadable";
  const [type, raw, flags, counter, origin, clientData, extensions] = read;
  if (type.toString() !== PASSKEY_SIGNATURE) return "unreadable";
  if (readClientData(clientData)?.origin !== origin.toString()) return "unreadable";
  const authenticatorData = Buffer.concat([sha256(rp), flags, counter, extensions]);
  const data = Buffer.concat([authenticatorData, sha256(clientData)]);
  return whyNotAsserted({ authenticatorData, clientData }, signed, rp) ?? whyNotMadeBy(key, data, raw);
}

function whyNotByRsaPasskey(
  signed: Buffer,
  text: string,
  key: PublicKey,
  rp: string,
): SignatureFlaw | undefined {
  const assertion = readRsaSignature(text);
  if (assertion === undefined) return "unreadable";
  if (assertion.key !== key.key) return "other-key";
  const data = Buffer.concat([assertion.authenticatorData, sha256(assertion.clientData)]);
  const isMade = verify("sha256", data, key.cryptoKey, assertion.signature);
  return whyNotAsserted(assertion, signed, rp) ?? (isMade ? undefined : "other-text");
}

function sha256(data: string | Buffer): Buffer {
  return hash("sha256", data, "buffer");
}

/** By the end of a key's type: the hash of its signatures, and the bytes of their two numbers. */
const ECDSA: Readonly<Record<string, { readonly digest: string; readonly bytes: number }>> = {
  nistp256: { digest: "sha256", bytes: 32 },
  nistp384: { digest: "sha384", bytes: 48 },
  nistp521: { digest: "sha512", bytes: 66 },
};

/**
 * Signatures that this process has verified, by key, bytes and signature. Every reading checks the roster's, and
 * the same three always give the same answer. Invalid ones are not kept.
 */
const verified = new Set<string>();
const VERIFIED_MAX = 10_000;

function whyNotMadeBy(key: PublicKey, data: Buffer, raw: Buffer): SignatureFlaw | undefined {
  const which = sha256([key.key, data.toString("base64"), raw.toString("base64")].join(" ")).toString(
    "base64",
  );
  if (verified.has(which)) return undefined;
  const why = whyNotVerified(key, data, raw);
  if (why !== undefined) return why;
  if (verified.size >= VERIFIED_MAX) verified.clear();
  verified.add(which);
  return undefined;
}

function whyNotVerified(
  { type, cryptoKey }: PublicKey,
  data: Buffer,
  raw: Buffer,
): SignatureFlaw | undefined {
  const curve = ECDSA[/nistp\d+/.exec(type)?.[0] ?? ""];
  if (curve === undefined) return verify(null, data, cryptoKey, raw) ? undefined : "other-text";
  const [r, s] = readFields(raw, ["string", "string"]) ?? [];
  const numbers = [r, s].map((number) => number && readInteger(number, curve.bytes));
  const [left, right] = numbers;
  if (left === undefined || right === undefined) return "unreadable";
  const signature = Buffer.concat([left, right]);
  const key = { key: cryptoKey, dsaEncoding: "ieee-p1363" } as const;
  return verify(curve.digest, data, key, signature) ? undefined : "other-text";
}
