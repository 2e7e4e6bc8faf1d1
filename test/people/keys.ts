/** Keys of people, made and used by OpenSSH itself. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Credential } from "../../src/people/index.ts";

const FOLDER = mkdtempSync(join(tmpdir(), "paydrop-keys-"));

export interface Key {
  /** Of the private key; the public one is beside it as `.pub`. */
  readonly path: string;
  readonly credential: Credential;
  /** As `ssh-keygen -lf` shows it. */
  readonly fingerprint: string;
}

let made = 0;

/** `type`: as `ssh-keygen -t` takes it. */
export function makeKey(type = "ed25519", ...options: readonly string[]): Key {
  made += 1;
  const path = join(FOLDER, `key-${made}`);
  execFileSync("ssh-keygen", ["-q", "-t", type, ...options, "-N", "", "-C", "", "-f", path]);
  const [, fingerprint = ""] = execFileSync("ssh-keygen", ["-lf", path]).toString().split(" ");
  return { path, fingerprint, credential: { key: readFileSync(`${path}.pub`, "utf8").trim() } };
}

/** `ssh-keygen -Y sign`: the armored signature of a text. */
export function signBy({ path }: Key, text: string, namespace = "paydrop-approval"): string {
  return execFileSync("ssh-keygen", ["-q", "-Y", "sign", "-n", namespace, "-f", path], {
    input: text,
    stdio: ["pipe", "pipe", "ignore"],
  }).toString();
}
