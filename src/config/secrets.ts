/** Secrets come from the environment only: NAME, or NAME_FILE with a path (as container platforms mount them). */
import { readFileSync } from "node:fs";
import { fault, type Problem, problem, readFailure } from "../faults/index.ts";
import { present } from "../model/present.ts";
import { ConfigFault } from "./config-fault.ts";
import type { Environment } from "./environment-variables.ts";

export interface Secrets {
  /** The client key; sent in the header `key`. */
  readonly key: string;
  /** Absent only where a module of the user's signs and needs none. */
  readonly signingSecret?: string;
  /** Base32 seed of the time-based one-time codes; needed only with `otp.source: totp`. */
  readonly otpSecret?: string;
}

const SECRET = /^PAYDROP_(KEY|SIGNING_SECRET|OTP_SECRET|PROXY_CREDENTIALS|NOTICES_URL)(_[A-Z0-9_]+)?$/;

/** Whether a variable holds a secret, or the path of one, and is therefore no configuration key. */
export function isSecretVariable(variable: string): boolean {
  return SECRET.test(variable);
}

/** What the configuration makes necessary. */
export interface SecretNeeds {
  readonly signing: { readonly scheme: "hmac-sha256" | "module" };
  readonly otp: { readonly source: "totp" | "command" | "prompt" };
}

/**
 * The secrets of a client key: `payroll-eu` has PAYDROP_KEY_PAYROLL_EU and so on, the one without a name PAYDROP_KEY. Throws
 * SECRET_MISSING for all that are needed and absent at once, SECRET_UNREADABLE or SECRET_UNUSABLE. Never prints one.
 */
export function readSecrets(
  environment: Environment,
  { signing, otp }: SecretNeeds,
  keyName?: string,
): Secrets {
  const ending = endingOf(keyName);
  const missing: Problem[] = [];
  const needed = (name: string): string => {
    const value = read(environment, name);
    if (value === undefined) missing.push(problem("SECRET_MISSING", { name }, { key: name }));
    return value ?? "";
  };
  const variable = keyVariable(keyName);
  const key = needed(variable);
  const signingName = `PAYDROP_SIGNING_SECRET${ending}`;
  const signingSecret =
    signing.scheme === "hmac-sha256" ? needed(signingName) : read(environment, signingName);
  const otpSecret = otp.source === "totp" ? inOneSpelling(needed(`PAYDROP_OTP_SECRET${ending}`)) : undefined;
  if (missing.length > 0) throw new ConfigFault(missing);
  if (!HEADER_VALUE.test(key)) {
    const reason = "it holds a line break, or another character that no request can carry as its key";
    throw fault("SECRET_UNUSABLE", { name: variable, reason }, { key: variable });
  }
  return {
    key,
    ...present({ signingSecret, otpSecret }),
  };
}

/** What a request's header can carry (RFC 9110, section 5.5); the key goes as one. */
const HEADER_VALUE = /^[\x20-\x7e\x80-\xff]*$/;

/** Base32 as services show it to people, in groups or small letters: two spellings of one seed make the same codes. */
function inOneSpelling(seed: string): string {
  return seed.replace(/[\s-]/g, "").toUpperCase();
}

/** The secret that holds a client key. */
export function keyVariable(keyName: string | undefined): string {
  return `PAYDROP_KEY${endingOf(keyName)}`;
}

function endingOf(keyName: string | undefined): string {
  return keyName === undefined ? "" : `_${keyName.replaceAll("-", "_").toUpperCase()}`;
}

/** The URL of the PostgreSQL database, which may hold a password. Throws SECRET_MISSING or SECRET_UNREADABLE. */
export function readDatabaseUrl(environment: Environment): string {
  const url = read(environment, "DATABASE_URL");
  if (url === undefined) throw fault("SECRET_MISSING", { name: "DATABASE_URL" }, { key: "DATABASE_URL" });
  return url;
}

/** "user:password", for a proxy that asks who it is; undefined where it asks nobody. Throws SECRET_UNREADABLE. */
export function readProxyCredentials(environment: Environment): string | undefined {
  return read(environment, "PAYDROP_PROXY_CREDENTIALS");
}

/**
 * Where notices are told; whoever has such an address can write there, so that it is kept like a password. Undefined where nobody is told.
 * Throws SECRET_UNREADABLE or SECRET_UNUSABLE.
 */
export function readNoticesUrl(environment: Environment): string | undefined {
  const name = "PAYDROP_NOTICES_URL";
  const url = read(environment, name);
  if (url === undefined || /^https?:$/.test(URL.parse(url)?.protocol ?? "")) return url;
  const reason = "it is no address that begins with https:// or http://";
  throw fault("SECRET_UNUSABLE", { name, reason }, { key: name });
}

/** Undefined where it is absent or empty. */
function read(environment: Environment, name: string): string | undefined {
  const path = environment[`${name}_FILE`];
  const value = path === undefined ? environment[name]?.trim() : readSecretFile(name, path);
  return value === "" ? undefined : value;
}

function readSecretFile(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (cause) {
    const reason = readFailure(cause);
    throw fault("SECRET_UNREADABLE", { name, path, reason }, { key: `${name}_FILE` }, { cause });
  }
}
