/**
 * One-time codes by which people enrol a key. A code is the seed of an ed25519 key. The admin's invitation contains
 * its public half, so that knowing the database is not enough to enrol a key.
 */
import { createPrivateKey, createPublicKey, hash, hkdfSync, type KeyObject, sign } from "node:crypto";
import { ed25519Key, type Namespace, signatureText, signedBytes } from "./ssh-signature.ts";

/** Crockford's Base32: without letters that people mistake for digits. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

const CODE_CHARACTERS = 20;

/** How long an invitation is valid. */
export const INVITATION_MS = 8 * 3_600_000;

/** "k3fd-9m2x-...": 100 bits, derived from an unguessable text. */
export function enrolmentCode(unguessable: string): string {
  const bytes = hash("sha256", unguessable, "buffer").subarray(0, CODE_CHARACTERS);
  const characters = [...bytes].map((byte) => ALPHABET[byte % ALPHABET.length] ?? "");
  return characters.join("").replaceAll(/(.{4})(?=.)/g, "$1-");
}

/** The public key of a code for a person, as an invitation names it: "ssh-ed25519 AAAA...". */
export function invitationKey(code: string, name: string): string {
  return ed25519Key(createPublicKey(privateKeyOf(code, name)));
}

/** Signs the enrolment of a key with a code. */
export function signByCode(text: string, code: string, name: string, namespace?: Namespace): string {
  return signByKey(text, privateKeyOf(code, name), namespace);
}

/** Signs with an ed25519 key in this process: one made from a code, or a trial's. */
export function signByKey(text: string, key: KeyObject, namespace?: Namespace): string {
  const made = sign(null, signedBytes(text, namespace), key);
  return signatureText(ed25519Key(createPublicKey(key)), made, namespace);
}

/** The bytes that PKCS #8 puts before the seed of an ed25519 key (RFC 8410). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

function privateKeyOf(code: string, name: string): KeyObject {
  const characters = code.toLowerCase().replaceAll(/[^0-9a-z]/g, "");
  const seed = Buffer.from(hkdfSync("sha256", characters, name, "paydrop enrolment", 32));
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: "der", type: "pkcs8" });
}
