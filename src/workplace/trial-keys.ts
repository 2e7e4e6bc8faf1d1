/**
 * The keys of a trial: ed25519 keys in their own folder, created on first use. With them the faces of the trial
 * sign for any person named. They sign in a namespace that real installations refuse, and Paydrop reads no other
 * private keys.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject } from "node:crypto";
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/index.ts";
import { writeFailure } from "../context/files.ts";
import { fault, readFailure } from "../faults/index.ts";
import { isRosterName } from "../model/index.ts";
import { type Credential, ed25519Key, fingerprintOf, signByKey, TRIAL_NAMESPACE } from "../people/index.ts";
import type { Sign } from "./sign.ts";

/** The people on the roster of every trial, with all roles. */
export const TRIAL_PEOPLE = ["ann", "ben", "carol", "dave"] as const;

/** The person of the root's key, who adds the others. */
export const TRIAL_ADMIN = "trial";

const TRIAL_INSTALLATION = "trial";

/**
 * The configuration with the root from a trial's folder. Returns any other configuration unchanged, and also a
 * trial's whose folder does not exist yet.
 */
export function withTrialRoot(config: Config): Config {
  const { trialKeys } = config.people;
  if (trialKeys === undefined || !existsSync(rootKeyIn(trialKeys))) return config;
  const root = [fingerprintOf(credentialOf(readKey(rootKeyIn(trialKeys))))];
  return { ...config, people: { ...config.people, installation: TRIAL_INSTALLATION, root } };
}

/** Makes a trial's folder, and the missing keys of its root and of `TRIAL_PEOPLE`. Throws OUTPUT_UNWRITABLE. */
export function makeTrialKeys({ people: { trialKeys } }: Pick<Config, "people">): void {
  if (trialKeys === undefined || existsSync(rootKeyIn(trialKeys))) return;
  for (const name of TRIAL_PEOPLE) trialKeyOf(trialKeys, name);
  // The root's key is made last: with it the folder counts as complete.
  keyAt(rootKeyIn(trialKeys));
}

/** The key of a person in a trial; created if it does not exist. Throws OUTPUT_UNWRITABLE and KEY_UNUSABLE. */
export function trialKeyOf(folder: string, name: string): KeyObject {
  if (name === TRIAL_ADMIN) return keyAt(rootKeyIn(folder));
  const file = isRosterName(name) ? name : hash("sha256", name).slice(0, NAME_DIGITS);
  return keyAt(join(folder, "people", `${file}.key`));
}

/** Enough of a hash to tell the names of one trial apart, for names that cannot be file names. */
const NAME_DIGITS = 32;

export function credentialOf(key: KeyObject): Credential {
  return { key: ed25519Key(createPublicKey(key)) };
}

/** Signs for any person named, without asking the person. */
export function trialSigner(folder: string): Sign {
  return ({ person, text, credentials, orKeys = [] }) => {
    const key = trialKeyOf(folder, person);
    const fingerprint = fingerprintOf(credentialOf(key));
    const wanted = [...credentials.map(fingerprintOf), ...orKeys];
    if (wanted.includes(fingerprint))
      return Promise.resolve({ text, signature: signByKey(text, key, TRIAL_NAMESPACE) });
    const keys = wanted.join(", ");
    return Promise.reject(fault("PROOF_MISSING", { person, reason: "trial", folder, keys }));
  };
}

function rootKeyIn(folder: string): string {
  return join(folder, "root.key");
}

function keyAt(path: string): KeyObject {
  if (!existsSync(path)) writeKey(path);
  return readKey(path);
}

function readKey(path: string): KeyObject {
  try {
    return createPrivateKey(readFileSync(path));
  } catch (cause) {
    const isOfDisk = cause instanceof Error && "syscall" in cause;
    const why = isOfDisk ? readFailure(cause) : "it is no private key";
    throw fault("KEY_UNUSABLE", { reason: "file", path, why }, {}, { cause });
  }
}

/** Writes the file completely or not at all, and never over one that another process has created meanwhile. */
function writeKey(path: string): void {
  const folder = join(path, "..");
  const temporary = `${path}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { privateKey } = generateKeyPairSync("ed25519");
    writeFileSync(temporary, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
    chmodSync(temporary, 0o600);
    if (!existsSync(path)) linkSync(temporary, path);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    if (code !== "EEXIST")
      throw fault("OUTPUT_UNWRITABLE", { path: folder, reason: writeFailure(code) }, {}, { cause });
  } finally {
    // A folder that is closed to us has nothing of ours, and removing would hide why.
    if (existsSync(temporary)) rmSync(temporary);
  }
}
