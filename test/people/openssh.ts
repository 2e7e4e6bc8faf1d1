/**
 * OpenSSH and openssl as judges of what people signed, and the parts of signatures that only hardware makes
 * otherwise.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { Credential } from "../../src/people/index.ts";
import { signedBytes } from "../../src/people/ssh-signature.ts";
import { wireInteger, wireString } from "../../src/people/ssh-wire.ts";

const FOLDER = mkdtempSync(join(tmpdir(), "paydrop-openssh-"));

/** Whether `ssh-keygen -Y verify` accepts the signature as this credential's. */
export function opensshAccepts(text: string, signature: string, { key }: Credential): boolean {
  const signers = join(FOLDER, "allowed_signers");
  writeFileSync(signers, `somebody namespaces="paydrop-approval" ${key}\n`);
  const file = join(FOLDER, "text.sig");
  writeFileSync(file, signature);
  const call = ["-Y", "verify", "-n", "paydrop-approval", "-I", "somebody", "-f", signers, "-s", file];
  return spawnSync("ssh-keygen", call, { input: text }).status === 0;
}

/** An agent that holds the key alone, while `work` runs: its private file is not needed for signing. */
export function inAgent<Result>(
  privateKey: string,
  work: (environment: NodeJS.ProcessEnv) => Result,
): Result {
  const [, socket = "", pid = ""] =
    /SSH_AUTH_SOCK=([^;]+);.*SSH_AGENT_PID=(\d+);/s.exec(execFileSync("ssh-agent", ["-s"]).toString()) ?? [];
  const environment = { ...process.env, SSH_AUTH_SOCK: socket };
  try {
    execFileSync("ssh-add", ["-q", privateKey], { env: environment });
    return work(environment);
  } finally {
    process.kill(Number(pid));
  }
}

export interface SecurityKey {
  readonly type: string;
  readonly credential: Credential;
  readonly application: string;
  readonly privateKey: KeyObject;
}

/** A key as a security key has it (OpenSSH's PROTOCOL.u2f). */
export function securityKey(kind: "ed25519" | "ecdsa", application = "ssh:"): SecurityKey {
  const type = { ed25519: "sk-ssh-ed25519@openssh.com", ecdsa: "sk-ecdsa-sha2-nistp256@openssh.com" }[kind];
  const { privateKey, publicKey } =
    kind === "ed25519" ? generateKeyPairSync("ed25519") : generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const [left, right] = [Buffer.from(x, "base64url"), Buffer.from(y, "base64url")];
  const parts =
    kind === "ed25519" ? [left] : [Buffer.from("nistp256"), Buffer.concat([Buffer.of(4), left, right])];
  const blob = [Buffer.from(type), ...parts, Buffer.from(application)].map((part) => wireString(part));
  const key = `${type} ${Buffer.concat(blob).toString("base64")}`;
  return { type, application, privateKey, credential: { key } };
}

/** As a security key signs, with any flags: 1 says that somebody touched it, 4 that it verified by PIN who did. */
export function signBySecurityKey(
  text: string,
  { type, ...key }: SecurityKey,
  flags = 1,
  counter = 7,
): string {
  const state = Buffer.of(flags, 0, 0, 0, counter);
  const data = Buffer.concat([sha256(key.application), state, sha256(signedBytes(text))]);
  const raw = rawSignature(data, key.privateKey);
  return sshSignature(key.credential, Buffer.concat([wireString(type), wireString(raw), state]));
}

/** 64 bytes of an ed25519 key; r and s as mpints of an ECDSA key. */
export function rawSignature(data: Buffer, key: KeyObject): Buffer {
  if (key.asymmetricKeyType === "ed25519") return sign(null, data, key);
  const signature = sign("sha256", data, { key, dsaEncoding: "ieee-p1363" });
  return Buffer.concat([wireInteger(signature.subarray(0, 32)), wireInteger(signature.subarray(32))]);
}

/** Whether openssl accepts an RSA passkey's signature of its authenticator data and client data. */
export function opensslAccepts(signature: string): boolean {
  const { key, ...parts } = z.record(z.string(), z.string()).parse(JSON.parse(signature));
  const [data, client, made] = ["authenticatorData", "clientDataJSON", "signature"].map((name) =>
    Buffer.from(parts[name] ?? "", "base64url"),
  );
  const [keyFile, madeFile] = [join(FOLDER, "rsa.pub"), join(FOLDER, "rsa.signature")];
  writeFileSync(keyFile, `${key}\n`);
  writeFileSync(madeFile, made ?? "");
  const pem = execFileSync("ssh-keygen", ["-e", "-m", "PKCS8", "-f", keyFile]);
  writeFileSync(keyFile, pem);
  const input = Buffer.concat([data ?? Buffer.of(), sha256(client ?? "")]);
  const call = ["dgst", "-sha256", "-verify", keyFile, "-signature", madeFile];
  return spawnSync("openssl", call, { input }).status === 0;
}

/** The parts of an SSH signature; each may be another than Paydrop's. */
export function sshSignature(
  { key }: Credential,
  signature: Buffer,
  { namespace = "paydrop-approval", reserved = "", hash = "sha512", version = 1, behind = "" } = {},
): string {
  const blob = Buffer.from(key.split(" ")[1] ?? "", "base64");
  const strings = [blob, namespace, reserved, hash, signature].map((part) => wireString(part));
  return armored(
    Buffer.concat([Buffer.from("SSHSIG"), Buffer.of(0, 0, 0, version), ...strings, Buffer.from(behind)]),
  );
}

export function armored(bytes: Buffer): string {
  const lines = bytes.toString("base64").match(/.{1,70}/g) ?? [];
  return `-----BEGIN SSH SIGNATURE-----\n${lines.join("\n")}\n-----END SSH SIGNATURE-----\n`;
}

export function dearmored(signature: string): Buffer {
  return Buffer.from(signature.split("\n").slice(1, -2).join(""), "base64");
}

export function sha256(data: string | Buffer): Buffer {
  return createHash("sha256").update(data).digest();
}
