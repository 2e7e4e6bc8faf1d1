/** Secrets come from the environment only: NAME, or NAME_FILE with a path (as container platforms mount them). */
import { readFileSync } from "node:fs";
import { fault, readFailure } from "../faults/index.ts";
import type { Environment } from "./environment-variables.ts";

export interface Secrets {
  /** The client key; sent in the header `key`. */
  readonly key: string;
  /** Absent only where a module of the user's signs and needs none. */
  readonly signingSecret?: string;
  /** Base32 seed of the time-based one-time codes; needed only with `otp.source: totp`. */
  readonly otpSecret?: string;
}

const NAMES = ["PAYDROP_KEY", "PAYDROP_SIGNING_SECRET", "PAYDROP_OTP_SECRET"] as const;

type SecretName = (typeof NAMES)[number];

/** The variables that hold secrets and are therefore no configuration keys. */
export const SECRET_VARIABLES: ReadonlySet<string> = new Set(NAMES.flatMap((name) => [name, `${name}_FILE`]));

/** What the configuration makes necessary. */
export interface SecretNeeds {
  readonly signing: { readonly scheme: "hmac-sha256" | "module" };
  readonly otp: { readonly source: "totp" | "command" | "prompt" };
}

/** Throws SECRET_MISSING for a secret that is needed and absent, or SECRET_UNREADABLE. Never prints one. */
export function readSecrets(environment: Environment, { signing, otp }: SecretNeeds): Secrets {
  const key = read(environment, "PAYDROP_KEY");
  const signingSecret = read(environment, "PAYDROP_SIGNING_SECRET", signing.scheme === "hmac-sha256");
  const otpSecret = otp.source === "totp" ? read(environment, "PAYDROP_OTP_SECRET") : undefined;
  return {
    key,
    ...(signingSecret === undefined ? {} : { signingSecret }),
    ...(otpSecret === undefined ? {} : { otpSecret }),
  };
}

function read(environment: Environment, name: SecretName): string;
function read(environment: Environment, name: SecretName, isNeeded: boolean): string | undefined;
function read(environment: Environment, name: SecretName, isNeeded = true): string | undefined {
  const path = environment[`${name}_FILE`];
  const value = path === undefined ? environment[name]?.trim() : readSecretFile(name, path);
  if (value !== undefined && value !== "") return value;
  if (isNeeded) throw fault("SECRET_MISSING", { name }, { key: name });
  return undefined;
}

function readSecretFile(name: SecretName, path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (cause) {
    const reason = readFailure(cause);
    throw fault("SECRET_UNREADABLE", { name, path, reason }, { key: `${name}_FILE` }, { cause });
  }
}
