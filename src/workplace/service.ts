/** The connection to the service under one client key: gateway, paging and one-time codes. */
import { hash } from "node:crypto";
import { type Config, type Environment, readSecrets, type Secrets } from "../config/index.ts";
import type { Context } from "../context/context.ts";
import { isThisMachine } from "../context/machine.ts";
import { fault, invariant } from "../faults/index.ts";
import {
  hmacSigner,
  moduleSigner,
  type OneTimeCodeSource,
  type OneTimeCodes,
  oneTimeCodes,
  openGateway,
  type Secret,
  type Signer,
} from "../gateway/index.ts";
import { adaptivePaging, type ObservationTools } from "../observation/index.ts";
import type { Store } from "../store/store.ts";

export interface Service {
  readonly tools: ObservationTools;
  readonly codes: OneTimeCodes;
  /** Fingerprint of the client key, never the key itself. */
  readonly keyId: string;
}

/** Asks the person at the terminal; rejects without a terminal. */
export type Ask = (question: string) => Promise<string>;

export interface ServicePlace {
  readonly config: Config;
  readonly environment: Environment;
  readonly context: Context;
  readonly store: Store;
  readonly codesOf: (secrets: Secrets) => OneTimeCodes;
  /** The name of a configured client key; undefined for the unnamed one. */
  readonly keyName: string | undefined;
}

/** Throws SERVICE_NOT_ENCRYPTED, SECRET_MISSING, or CONFIG_KEY_INVALID. */
export function openService({
  config,
  environment,
  context,
  store,
  codesOf,
  keyName,
}: ServicePlace): Service {
  const { service, http, paging, routes } = config;
  refusePlainHttp(config);
  const secrets = readSecrets(environment, config, keyName);
  refuseShownSecrets(config, secrets);
  const gateway = openGateway(context, {
    baseUrl: service.baseUrl,
    timeoutMs: http.timeoutMs,
    idleTimeoutMs: http.idleTimeoutMs,
    ratePerSecond: http.ratePerSecond,
    dateStyle: service.dateStyle,
    signer: signerOf(config, secrets),
    signingTimeoutMs: config.signing.timeoutMs,
    routes,
    secrets: namedSecrets(secrets),
  });
  return {
    tools: {
      context,
      store,
      gateway,
      confirmationsMin: config.ledger.confirmationsMin,
      paging: adaptivePaging(
        {
          pageSize: paging.size,
          firstPage: paging.firstPage,
          concurrency: paging.concurrency,
          sort: Object.entries(paging.sort).map(([property, direction]) => ({ property, direction })),
          idsPerRequest: paging.idsPerRequest,
        },
        context.log,
      ),
    },
    codes: codesOf(secrets),
    keyId: fingerprintOf(secrets.key),
  };
}

/** A fingerprint, never the key itself. */
export function fingerprintOf(clientKey: string): string {
  return hash("sha256", clientKey).slice(0, 12);
}

/** Throws SERVICE_NOT_ENCRYPTED if people on the network could read the key, the signature and the code. */
export function refusePlainHttp({ service: { baseUrl, allowPlainHttp } }: Pick<Config, "service">): void {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === "https:" || isThisMachine(hostname) || allowPlainHttp) return;
  throw fault("SERVICE_NOT_ENCRYPTED", { baseUrl }, { key: "service.baseUrl" });
}

/** The secrets with names for people; they are removed from answers and refused in the configuration. */
function namedSecrets({ key, signingSecret = "", otpSecret = "" }: Secrets): Secret[] {
  return [
    { name: "client key", text: key },
    { name: "signing secret", text: signingSecret },
    { name: "one-time code seed", text: otpSecret },
  ];
}

/** Shorter secrets occur inside other words by chance. */
const SECRET_CHARACTERS_MIN = 8;

/**
 * Refuses a callbackUrl that contains a secret, because every payout carries it in the open. Throws
 * CONFIG_KEY_INVALID.
 */
function refuseShownSecrets({ service: { callbackUrl } }: Config, secrets: Secrets): void {
  // A Base32 seed is equally usable in lower case.
  const shown = callbackUrl.toLowerCase();
  const held = namedSecrets(secrets).find(
    ({ text }) => text.length >= SECRET_CHARACTERS_MIN && shown.includes(text.toLowerCase()),
  );
  if (held === undefined) return;
  const key = "service.callbackUrl";
  const reason = `the key \`${key}\` is wrong: it holds the ${held.name}, and each payout carries it`;
  throw fault("CONFIG_KEY_INVALID", { path: key, reason, hint: "" }, { key });
}

/**
 * `environment`: the variables for a command, without secrets. Each source has one code generator, because keys may
 * share a user, and single-use codes make their lanes take turns.
 */
export function codesBySource(
  { otp }: Config,
  environment: Environment,
  { clock }: Context,
  ask: Ask,
): (secrets: Secrets) => OneTimeCodes {
  const known = new Map<string, OneTimeCodes>();
  return (secrets) => {
    const from = codeSource(otp, secrets, environment, ask);
    const name = from.source === "totp" ? `totp ${from.secret}` : from.source;
    const codes = known.get(name) ?? oneTimeCodes(clock, from, otp.singleUse);
    known.set(name, codes);
    return codes;
  };
}

function signerOf({ signing }: Config, { key, signingSecret }: Secrets): Signer {
  if (signing.module !== undefined) return moduleSigner(signing.module, key, signingSecret);
  if (signingSecret === undefined) throw fault("SECRET_MISSING", { name: "PAYDROP_SIGNING_SECRET" });
  return hmacSigner(key, signingSecret);
}

function codeSource(
  otp: Config["otp"],
  { otpSecret }: Secrets,
  environment: Environment,
  ask: Ask,
): OneTimeCodeSource {
  switch (otp.source) {
    case "totp":
      if (otpSecret === undefined) throw fault("SECRET_MISSING", { name: "PAYDROP_OTP_SECRET" });
      return { source: "totp", secret: otpSecret };
    case "command":
      invariant(otp.command !== undefined, "the schema requires otp.command");
      return { source: "command", command: otp.command, environment };
    case "prompt":
      return { source: "prompt", ask };
  }
}

export function askNobody(): Promise<string> {
  return Promise.reject(
    fault(
      "OTP_FAILED",
      { reason: "`otp.source: prompt` needs a person at a terminal" },
      { key: "otp.source" },
    ),
  );
}
