/**
 * The values that only the owner knows, as `init` asks for them, and the check of each answer. Writes and asks
 * nothing.
 */
import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { openChart } from "../books/index.ts";
import type { Environment } from "../config/index.ts";
import { isThisMachine } from "../context/machine.ts";
import { isProblem, orProblem, readFailure } from "../faults/index.ts";
import { isUuid } from "../model/index.ts";
import { currencyScales, Decimal } from "../money/index.ts";

export interface InitAnswers {
  readonly baseUrl: string;
  readonly username: string;
  readonly callbackUrl: string;
  /** Whether one-time codes are computed from a seed; otherwise a person types each. */
  readonly hasOtpSeed: boolean;
  readonly accounts: readonly NamedAccount[];
  readonly limits: readonly CurrencyLimits[];
  readonly installation: string;
  /** Fingerprints of the keys that may make the first admins. */
  readonly rootFingerprints: readonly string[];
  readonly peopleNeeded: number;
  readonly functionalCurrency: string;
  readonly timeZone: string;
  /** Absolute; absent to use the sample. */
  readonly chart?: string;
  readonly secrets: readonly SecretPlace[];
}

export interface NamedAccount {
  readonly name: string;
  readonly id: string;
  readonly currency: string;
}

export interface CurrencyLimits {
  readonly currency: string;
  readonly perRow: string;
  readonly perDay: string;
}

/** The place of a secret: an existing file, a typed value still to be written, or the environment. */
export type SecretPlace = { readonly name: SecretName } & (
  | { readonly file: string }
  | { readonly typed: string }
  | { readonly isInEnvironment: true }
);

export type SecretName = "PAYDROP_KEY" | "PAYDROP_SIGNING_SECRET" | "PAYDROP_OTP_SECRET";

/** An accepted answer, or one sentence that says why it is refused. */
export type Checked<Value> = { readonly value: Value } | { readonly why: string };

export function checkServiceAddress(text: string): Checked<string> {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return { why: "An address begins with https://." };
  if (url.username !== "" || url.search !== "" || url.hash !== "")
    return { why: "The address has a user, a query or a fragment: leave them out." };
  if (url.protocol === "http:" && !isThisMachine(url.hostname))
    return {
      why: "Over http:// everybody in between could read the key: an address of another machine begins with https://.",
    };
  return { value: text.replace(/\/+$/, "") };
}

/** This address is not one that Paydrop connects to, so it need not be encrypted. */
export function checkCallbackUrl(text: string): Checked<string> {
  const url = URL.parse(text);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && /^[\x21-\x7e]+$/.test(text);
  if (!isPlain || `${url.username}${url.search}${url.hash}` !== "")
    return { why: "An address begins with https://, and has no user, query or fragment." };
  return { value: text };
}

/** `given`: the name of the variable, or the path of a file. */
export function checkSecretPlace(
  name: SecretName,
  given: string,
  environment: Environment,
): Checked<SecretPlace> {
  if (given === name || given === `${name}_FILE`) {
    if (environment[given]) return { value: { name, isInEnvironment: true } };
    return { why: `There is no environment variable ${given}.` };
  }
  if (/^\$?[A-Z][A-Z0-9_]*$/.test(given))
    return { why: `Paydrop reads it from the variable ${name} only: export that one, or name a file.` };
  const file = resolve(given);
  try {
    accessSync(file, constants.R_OK);
    if (readFileSync(file, "utf8").trim() === "") return { why: `The file ${file} is empty.` };
    if ((statSync(file).mode & 0o044) !== 0)
      return { why: `Others may read ${file}: \`chmod go= ${file}\`, then name it again.` };
  } catch (error) {
    return { why: `The file ${file} cannot be read: ${readFailure(error)}.` };
  }
  return { value: { name, file } };
}

/** Checks a typed secret; a seed must be Base32. */
export function checkTypedSecret(name: SecretName, typed: string): Checked<SecretPlace> {
  const text = typed.trim();
  if (text === "") return { why: "Nothing was typed." };
  if (!/^[\x20-\x7e\x80-\xff]+$/.test(text)) return { why: "It holds characters that no request can carry." };
  if (name === "PAYDROP_OTP_SECRET" && !/^[A-Z2-7]{16,}=*$/.test(text.replace(/[\s-]/g, "").toUpperCase()))
    return { why: "A seed is in Base32: letters A to Z and digits 2 to 7, 16 at least." };
  return { value: { name, typed: text } };
}

/** The environment in which these secrets are found: variables with values or files. */
export function withSecrets(environment: Environment, places: readonly SecretPlace[]): Environment {
  const all: Record<string, string | undefined> = { ...environment };
  for (const place of places) {
    if ("isInEnvironment" in place) continue;
    delete all[place.name];
    delete all[`${place.name}_FILE`];
    if ("file" in place) all[`${place.name}_FILE`] = place.file;
    else all[place.name] = place.typed;
  }
  return all;
}

/** "1 3", "all" or accountIds: a choice from the listed accounts, and others. */
export function checkChosen(text: string, listed: readonly string[]): Checked<readonly string[]> {
  const words = text.split(/[\s,]+/).filter((word) => word !== "");
  if (words.length === 0) return { why: "At least one account must pay." };
  if (words.length === 1 && words[0] === "all" && listed.length > 0) return { value: listed };
  const chosen: string[] = [];
  for (const word of words) {
    const id = isUuid(word)
      ? word.toLowerCase()
      : /^\d{1,4}$/.test(word)
        ? listed[Number.parseInt(word, 10) - 1]
        : undefined;
    if (id === undefined) return { why: `"${word}" is neither a number of this list nor an accountId.` };
    chosen.push(id);
  }
  return { value: [...new Set(chosen)] };
}

export function checkAmount(text: string, currency: string, atLeast?: string): Checked<string> {
  if (!/^\d{1,15}(?:\.\d{1,18})?$/.test(text))
    return { why: "Write plain digits with a point, such as 0.5." };
  const value = Decimal.of(text);
  const scale = currencyScales().scaleOf(currency);
  if (value.isZero()) return { why: "It must be above zero." };
  if (scale !== undefined && value.normalized().scale > scale)
    return { why: `${currency} has ${scale} decimals at most.` };
  if (atLeast !== undefined && value.compare(Decimal.of(atLeast)) < 0)
    return { why: `A day's limit cannot be below that of one payment, ${atLeast} ${currency}.` };
  return { value: text };
}

/**
 * Checks how many people a rule needs: at least one fewer than there are approvers, because a file whose submitter
 * is not proven needs one more.
 */
export function checkPeopleNeeded(text: string, approvers: number): Checked<number> {
  const needed = /^\d{1,3}$/.test(text) ? Number.parseInt(text, 10) : 0;
  if (needed < 1) return { why: "Write a number, such as 2." };
  if (needed >= approvers)
    return {
      why: `With ${approvers} approvers it can be ${approvers - 1} at most: a file from the inbox takes one more.`,
    };
  return { value: needed };
}

export function checkTimeZone(text: string): Checked<string> {
  const isKnown = text === "UTC" || Intl.supportedValuesOf("timeZone").includes(text);
  return isKnown ? { value: text } : { why: "Write a time zone such as Europe/Madrid." };
}

export function checkFunctionalCurrency(text: string): Checked<string> {
  const code = text.toUpperCase();
  const isKnown = /^[A-Z]{3}$/.test(code) && Intl.supportedValuesOf("currency").includes(code);
  return isKnown ? { value: code } : { why: "Write a currency's code, such as EUR." };
}

export async function checkChart(text: string): Promise<Checked<string>> {
  const path = isAbsolute(text) ? text : resolve(text);
  const opened = await orProblem(() => openChart(path));
  return isProblem(opened) ? { why: `${opened.message}. ${opened.fix}` } : { value: path };
}

/** The starting configuration's values by their keys, as YAML. */
export function configValues(answers: InitAnswers): ReadonlyMap<string, string> {
  const { accounts, limits, rootFingerprints: root, installation } = answers;
  const quoted = JSON.stringify;
  const flow = (entries: readonly (readonly [string, string])[]) =>
    `{ ${entries.map(([name, value]) => `${name}: ${quoted(value)}`).join(", ")} }`;
  const perRow = limits.map(({ currency, perRow }) => [currency, perRow] as const);
  const perDay = limits.map(({ currency, perDay }) => [currency, perDay] as const);
  const byCurrency = [...new Map(accounts.toReversed().map(({ currency, name }) => [currency, name]))];
  return new Map([
    ["service.baseUrl", quoted(answers.baseUrl)],
    ["service.username", quoted(answers.username)],
    ["service.callbackUrl", quoted(answers.callbackUrl)],
    ...(answers.hasOtpSeed ? [] : ([["otp", "{ source: prompt, singleUse: true }"]] as const)),
    [
      "custodyAccounts",
      accounts
        .map(({ name, id, currency }) => `- { name: ${quoted(name)}, id: "${id}", currency: ${currency} }`)
        .join("\n  "),
    ],
    ["files.defaults", `{ custodyAccount: ${flow(byCurrency)}, feePolicy: NORMAL }`],
    ["limits.perRow", flow(perRow)],
    ["limits.perFile", flow(perDay)],
    ["limits.perDay", flow(perDay)],
    ["approval.rules", `- { people: ${answers.peopleNeeded} }`],
    ["people", `{ installation: ${quoted(installation)}, root: ${quoted(root)} }`],
    ["ledger.functionalCurrency", answers.functionalCurrency],
    ["ledger.timeZone", answers.timeZone],
    ...(answers.chart === undefined ? [] : ([["ledger.chart", quoted(answers.chart)]] as const)),
  ]);
}
