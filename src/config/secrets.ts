/** Secrets come only from the environment: NAME, or NAME_FILE with a path (as container platforms mount them). */
import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { Fault, fault, type Problem, problem, readFailure } from "../faults/index.ts";
import { present } from "../model/present.ts";
import { ConfigFault } from "./config-fault.ts";
import type { Environment } from "./environment-variables.ts";

export interface Secrets {
  /** The client key; sent in the header `key`. */
  readonly key: string;
  /** Absent only if the user's own signing module needs none. */
  readonly signingSecret?: string;
  /** Base32 seed of the time-based one-time codes; needed only with `otp.source: totp`. */
  readonly otpSecret?: string;
}

const SECRET = new RegExp(
  [
    "^PAYDROP_(KEY|SIGNING_SECRET|OTP_SECRET|PROXY_CREDENTIALS",
    "|NOTICES_URL|NOTICES_PASSWORD|EVENTS_URL|EVENTS_SECRET)",
    "(_[A-Z0-9_]+)?$",
  ].join(""),
);

/** Whether a variable holds a secret or its path, and so is not a configuration key. */
export function isSecretVariable(variable: string): boolean {
  return SECRET.test(variable);
}

/** As `isSecretVariable`, and also the variables of the database. */
export function namesSecret(variable: string): boolean {
  return isSecretVariable(variable) || /^(?:DATABASE_URL(?:_FILE)?|PGPASSWORD)$/.test(variable);
}

/** The environment for a program that must not know our secrets. */
export function withoutSecrets(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([variable]) => !namesSecret(variable)));
}

/** The environment for a process that works on the database, and never speaks to the service. */
export function withoutServiceSecrets(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([variable]) => !isSecretVariable(variable)));
}

/** The names of the variables that hold secrets of the service. */
export function serviceSecretsIn(environment: Environment): string[] {
  const named = Object.entries(environment).filter(
    ([name, value]) => isSecretVariable(name) && Boolean(value),
  );
  return named.map(([name]) => name).toSorted();
}

/** The secrets that the configuration requires. */
interface SecretNeeds {
  readonly signing: { readonly scheme: "hmac-sha256" | "module" };
  readonly otp: { readonly source: "totp" | "command" | "prompt" };
}

/**
 * The secrets of a client key: PAYDROP_KEY_PAYROLL_EU and so on for `payroll-eu`, PAYDROP_KEY for the unnamed one.
 * Throws SECRET_MISSING naming all that are missing, SECRET_UNREADABLE or SECRET_UNUSABLE. Never prints a secret.
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

/** Characters allowed in a header (RFC 9110, section 5.5), since the key is sent as one. */
const HEADER_VALUE = /^[\x20-\x7e\x80-\xff]*$/;

/** Normalizes Base32, which services show in groups or lower case: two spellings of a seed give the same codes. */
function inOneSpelling(seed: string): string {
  return seed.replace(/[\s-]/g, "").toUpperCase();
}

/** The variable with a client key. */
export function keyVariable(keyName: string | undefined): string {
  return `PAYDROP_KEY${endingOf(keyName)}`;
}

function endingOf(keyName: string | undefined): string {
  return keyName === undefined ? "" : `_${keyName.replaceAll("-", "_").toUpperCase()}`;
}

/**
 * The client key alone; undefined if it is absent, or in a file that this user may not read, for example because
 * the user only approves.
 */
export function readClientKey(environment: Environment, keyName: string | undefined): string | undefined {
  try {
    return read(environment, keyVariable(keyName));
  } catch (error) {
    if (error instanceof Fault && error.problem.code === "SECRET_UNREADABLE") return undefined;
    throw error;
  }
}

/** The URL of the PostgreSQL database, which may hold a password. Throws SECRET_MISSING or SECRET_UNREADABLE. */
export function readDatabaseUrl(environment: Environment): string {
  const url = read(environment, "DATABASE_URL");
  if (url === undefined) throw fault("SECRET_MISSING", { name: "DATABASE_URL" }, { key: "DATABASE_URL" });
  return url;
}

/** "user:password" for a proxy that requires a login; undefined otherwise. Throws SECRET_UNREADABLE. */
export function readProxyCredentials(environment: Environment): string | undefined {
  return read(environment, "PAYDROP_PROXY_CREDENTIALS");
}

/**
 * The URL for notices, which is secret because anybody who has it can post. Throws SECRET_UNREADABLE or
 * SECRET_UNUSABLE.
 */
export function readNoticesUrl(environment: Environment): string | undefined {
  return readUrl(environment, "PAYDROP_NOTICES_URL");
}

/**
 * The receiver of events for systems, and the secret that signs them. Throws as `readNoticesUrl`, and
 * SECRET_MISSING.
 */
export function readEventsReceiver(
  environment: Environment,
): { readonly url: string; readonly secret: string } | undefined {
  const url = readUrl(environment, "PAYDROP_EVENTS_URL");
  if (url === undefined) return undefined;
  const name = "PAYDROP_EVENTS_SECRET";
  const secret = read(environment, name);
  if (secret === undefined) throw fault("SECRET_MISSING", { name }, { key: name });
  return { url, secret };
}

function readUrl(environment: Environment, name: string): string | undefined {
  const url = read(environment, name);
  if (url === undefined || /^https?:$/.test(URL.parse(url)?.protocol ?? "")) return url;
  const reason = "it is not an address that begins with https:// or http://";
  throw fault("SECRET_UNUSABLE", { name, reason }, { key: name });
}

/** The password of `notices.mail.user`. Throws SECRET_UNREADABLE. */
export function readNoticesPassword(environment: Environment): string | undefined {
  return read(environment, "PAYDROP_NOTICES_PASSWORD");
}

/** Undefined if the secret is absent or empty. */
function read(environment: Environment, name: string): string | undefined {
  const path = environment[`${name}_FILE`];
  const value = path === undefined ? environment[name]?.trim() : readSecretFile(name, path);
  return value === "" ? undefined : value;
}

function readSecretFile(name: string, path: string): string {
  const unreadable = (reason: string, cause?: unknown) =>
    fault("SECRET_UNREADABLE", { name, path, reason }, { key: `${name}_FILE` }, { cause });
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    throw unreadable(readFailure(cause), cause);
  }
  // Windows PowerShell writes UTF-16, whose bytes would silently become another secret. Without a mark it is valid
  // UTF-8 with zero bytes.
  if (!isUtf8(bytes) || bytes.includes(0)) throw unreadable("it is not in UTF-8; save it as UTF-8");
  return bytes.toString("utf8").trim();
}
