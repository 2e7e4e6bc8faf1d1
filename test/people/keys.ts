/**
 * Keys of people, made by OpenSSH. Ed25519 keys sign here as OpenSSH signs, byte for byte (ssh-signature.test.ts
 * has the proof): a test signs dozens of times, and a process for each takes longer than the rest of it.
 */
import { execFileSync } from "node:child_process";
import { createPrivateKey, type JsonWebKey, type KeyObject, sign } from "node:crypto";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Credential } from "../../src/people/index.ts";
import { SIGNATURE_NAMESPACE, signedBytes, TRIAL_NAMESPACE } from "../../src/people/ssh-signature.ts";
import { readFields, wireString } from "../../src/people/ssh-wire.ts";
import { sshSignature } from "./openssh.ts";

const FOLDER = mkdtempSync(join(tmpdir(), "paydrop-keys-"));

export interface Key {
  /** Of the private key; the public one is beside it as `.pub`. */
  readonly path: string;
  readonly credential: Credential;
  /** As `ssh-keygen -lf` shows it. */
  readonly fingerprint: string;
  /** Undefined for keys that are not ed25519. */
  readonly privateKey: KeyObject | undefined;
}

let made = 0;

/** `type`: as `ssh-keygen -t` takes it. */
export function makeKey(type = "ed25519", ...options: readonly string[]): Key {
  made += 1;
  const path = join(FOLDER, `key-${made}`);
  execFileSync("ssh-keygen", ["-q", "-t", type, ...options, "-N", "", "-C", "", "-f", path]);
  const [, fingerprint = ""] = execFileSync("ssh-keygen", ["-lf", path]).toString().split(" ");
  const privateKey = type === "ed25519" ? ed25519In(readFileSync(path, "utf8")) : undefined;
  return { path, fingerprint, privateKey, credential: { key: readFileSync(`${path}.pub`, "utf8").trim() } };
}

/** The armored signature of a text, as `ssh-keygen -Y sign` writes it. */
export function signBy(key: Key, text: string, namespace: string = SIGNATURE_NAMESPACE): string {
  const { privateKey, credential } = key;
  const isOurs = namespace === SIGNATURE_NAMESPACE || namespace === TRIAL_NAMESPACE;
  if (privateKey === undefined || !isOurs) return signByOpenssh(key, text, namespace);
  const raw = sign(null, signedBytes(text, namespace), privateKey);
  return sshSignature(credential, Buffer.concat([wireString("ssh-ed25519"), wireString(raw)]), { namespace });
}

/** As `signBy`, by OpenSSH itself. */
export function signByOpenssh({ path }: Key, text: string, namespace: string = SIGNATURE_NAMESPACE): string {
  return execFileSync("ssh-keygen", ["-q", "-Y", "sign", "-n", namespace, "-f", path], {
    input: text,
    stdio: ["pipe", "pipe", "ignore"],
  }).toString();
}

/** The key of a file in OpenSSH's own format (PROTOCOL.key) without a passphrase, which node:crypto cannot read. */
function ed25519In(file: string): KeyObject {
  const bytes = Buffer.from(file.split("\n").slice(1, -2).join(""), "base64");
  const form = ["openssh-key-v1\0".length, "string", "string", "string", 4, "string", "string"] as const;
  const secret = readFields(bytes, form)?.[6];
  if (secret === undefined) throw new Error("this is no key of OpenSSH without a passphrase");
  // After eight bytes that check a passphrase: the type, the public key, and seed and public key as one string.
  const [x, d] = [secret.subarray(27, 59), secret.subarray(63, 95)].map((part) => part.toString("base64url"));
  return createPrivateKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x, d } as JsonWebKey });
}
