/** A passkey's signature of a challenge (WebAuthn Level 2, 7.2), and whether it is valid for that challenge. */
import { hash } from "node:crypto";
import { z } from "zod";
import type { SignatureFlaw } from "../faults/index.ts";
import { parsedJson } from "../model/parsed-json.ts";
import { base64Bytes, readFields } from "./ssh-wire.ts";

/** A passkey's signature covers `authenticatorData` and the SHA-256 of `clientData`. */
export interface Assertion {
  readonly authenticatorData: Buffer;
  /** JSON, as the browser wrote it. */
  readonly clientData: Buffer;
}

export const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;
const HAS_EXTENSIONS = 0x80;

/** Reads data without a credential: hash of the site, flags, counter, and extensions if the flags announce them. */
export function readAuthenticatorData(data: Buffer) {
  const [site, flags, counter, extensions] =
    readFields(data, [32, 1, 4, Math.max(0, data.length - 37)]) ?? [];
  if (site === undefined || flags === undefined || counter === undefined || extensions === undefined)
    return undefined;
  return areConsistent(flags, extensions) ? { site, flags, counter, extensions } : undefined;
}

/** Whether the flags announce exactly what follows them. OpenSSH refuses others as well. */
export function areConsistent(flags: Buffer, extensions: Buffer): boolean {
  return !has(flags, HAS_CREDENTIAL) && has(flags, HAS_EXTENSIONS) === extensions.length > 0;
}

export function has(flags: Buffer, flag: number): boolean {
  return ((flags[0] ?? 0) & flag) !== 0;
}

/** Why the assertion was not made by the passkey of this site, with its owner present, for this challenge. */
export function whyNotAsserted(
  { authenticatorData, clientData }: Assertion,
  challenge: Buffer,
  rp: string,
): SignatureFlaw | undefined {
  const data = readAuthenticatorData(authenticatorData);
  const client = readClientData(clientData);
  if (data === undefined || client === undefined) return "unreadable";
  if (!data.site.equals(hash("sha256", rp, "buffer")) || !isOriginOf(rp, client.origin)) return "other-site";
  if (!has(data.flags, USER_PRESENT)) return "nobody-present";
  if (!has(data.flags, USER_VERIFIED)) return "nobody-verified";
  return client.challenge === challenge.toString("base64url") ? undefined : "other-text";
}

const clientDataSchema = z.looseObject({
  type: z.literal("webauthn.get"),
  challenge: z.string(),
  origin: z.string(),
  /** Whether a page of another site had this page in a frame, and which one. */
  crossOrigin: z.literal(false).optional(),
  topOrigin: z.never().optional(),
});

/**
 * Undefined unless the text begins as browsers write it (WebAuthn Level 2, 5.8.1.1) and OpenSSH expects it.
 * Otherwise a second member of the same name could replace one of the first three.
 */
export function readClientData(
  bytes: Buffer,
): { readonly challenge: string; readonly origin: string } | undefined {
  const text = bytes.toString();
  const read = clientDataSchema.safeParse(parsedJson(text));
  if (!read.success) return undefined;
  const { type, challenge, origin } = read.data;
  const beginning = JSON.stringify({ type, challenge, origin }).slice(0, -1);
  return text.startsWith(beginning) ? { challenge, origin } : undefined;
}

function isOriginOf(rp: string, origin: string): boolean {
  const url = URL.parse(origin);
  if (url === null || url.origin !== origin || url.hostname !== rp) return false;
  return url.protocol === "https:" || (url.protocol === "http:" && rp === "localhost");
}

/** The stored form of a signature by an RSA passkey, because SSH signatures have none for it: canonical JSON. */
const rsaSchema = z.strictObject({
  authenticatorData: z.string(),
  clientDataJSON: z.string(),
  key: z.string(),
  signature: z.string(),
});

export interface RsaAssertion extends Assertion {
  readonly key: string;
  readonly signature: Buffer;
}

export function rsaSignatureText({ authenticatorData, clientData, key, signature }: RsaAssertion): string {
  return JSON.stringify({
    authenticatorData: authenticatorData.toString("base64url"),
    clientDataJSON: clientData.toString("base64url"),
    key,
    signature: signature.toString("base64url"),
  });
}

/** Undefined unless the text is exactly the one that `rsaSignatureText` gives for its assertion. */
export function readRsaSignature(text: string): RsaAssertion | undefined {
  const read = rsaSchema.safeParse(parsedJson(text));
  if (!read.success) return undefined;
  const { key } = read.data;
  const authenticatorData = base64Bytes(read.data.authenticatorData, "base64url");
  const clientData = base64Bytes(read.data.clientDataJSON, "base64url");
  const signature = base64Bytes(read.data.signature, "base64url");
  if (authenticatorData === undefined || clientData === undefined || signature === undefined)
    return undefined;
  const assertion = { authenticatorData, clientData, key, signature };
  return rsaSignatureText(assertion) === text ? assertion : undefined;
}
