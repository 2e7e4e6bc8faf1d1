/**
 * Takes our secrets out of what comes back, before anybody reads it: a service, or a proxy before it, may repeat the request in its
 * answer, and what is answered is stored, logged and shown. The one place where that is done, for every operation.
 */
import type { HttpExchange } from "../context/transport.ts";
import type { Answer } from "./answer.ts";
import type { OperationName } from "./operations.ts";
import type { SignedHeaders } from "./signing.ts";

export interface Secret {
  /** What stands in its place: "(client key)". */
  readonly name: string;
  readonly text: string;
}

/** Texts that authenticate a request; a signer's other headers (a date, a version) are no secrets. */
const SECRET_HEADER = /key|sign|token|secret|auth|cookie|password/i;

/** The secrets among the headers of one request. */
export function headerSecrets(headers: SignedHeaders): Secret[] {
  return Object.entries(headers).flatMap(([name, text]) =>
    SECRET_HEADER.test(name) ? [{ name: name === "key" ? "client key" : name, text }] : [],
  );
}

/**
 * An exchange without these secrets. Of JSON only texts are changed, never a number: an amount may have the digits of a key. A member
 * `otpCode` loses its value whatever it is.
 */
export function scrubExchange(exchange: HttpExchange, secrets: readonly Secret[]): HttpExchange {
  const forms = secrets.flatMap(formsOf);
  if (exchange.kind === "unanswered") return { ...exchange, reason: scrub(exchange.reason, forms) };
  const { headers, text } = exchange;
  const isJson = /^\s*[[{]/.test(text);
  const clean = isJson ? scrubJson(text, forms) : scrub(text, forms);
  return { ...exchange, headers: scrubHeaders(headers, forms), text: clean };
}

/**
 * An answer without the one-time code of its request. Only of failures: of a success nothing is kept but ids and what a look-up found,
 * in which six digits may stand by chance.
 */
export function scrubFailure<Name extends OperationName>(
  answer: Answer<Name>,
  secrets: readonly Secret[],
): Answer<Name> {
  if (answer.kind === "success" || secrets.length === 0) return answer;
  const forms = secrets.flatMap(formsOf);
  if (answer.kind === "unanswered" || answer.kind === "unreadable")
    return { ...answer, reason: scrub(answer.reason, forms) };
  const errors = answer.errors.map(({ error, code, timestamp }) => ({
    error: error && scrub(error, forms),
    code: code && scrub(code, forms),
    timestamp: timestamp && scrub(timestamp, forms),
  }));
  return { ...answer, errors };
}

interface Form {
  readonly text: string;
  readonly pattern: RegExp;
  readonly replacement: string;
}

/** Shorter ones are taken out only where they stand as a word of their own: they are parts of other words by chance. */
const WORD_PART_MIN = 8;

/** As it is, as a URL has it, and as JSON in JSON has it; in upper or lower case, since hexadecimal digits have both. */
function formsOf({ name, text }: Secret): Form[] {
  if (text === "") return [];
  const forms = new Set([text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)]);
  return [...forms].map((form) => ({ text: form, pattern: patternOf(form), replacement: `(${name})` }));
}

/** Compiled once: most secrets are those of every request. */
const compiled = new Map<string, RegExp>();
const COMPILED_MAX = 200;

function patternOf(form: string): RegExp {
  const known = compiled.get(form);
  if (known !== undefined) return known;
  const literal = form.replace(/[^A-Za-z0-9]/g, "\\$&");
  const pattern = new RegExp(
    /^\d+$/.test(form)
      ? `(?<!\\d)${literal}(?!\\d)`
      : form.length < WORD_PART_MIN
        ? `(?<!\\w)${literal}(?!\\w)`
        : literal,
    "gi",
  );
  if (compiled.size >= COMPILED_MAX) compiled.clear();
  compiled.set(form, pattern);
  return pattern;
}

function scrub(text: string, forms: readonly Form[]): string {
  return forms.reduce((rest, { pattern, replacement }) => rest.replace(pattern, () => replacement), text);
}

/** Where an answer says where else to look, or how it is called; no other header is read. */
const READ_HEADERS = ["location", "x-request-id", "x-correlation-id", "request-id"];

function scrubHeaders(headers: Headers, forms: readonly Form[]): Headers {
  const scrubbed = READ_HEADERS.flatMap((name) => {
    const value = headers[name];
    return typeof value === "string" ? [[name, scrub(value, forms)] as const] : [];
  });
  return scrubbed.length === 0 ? headers : { ...headers, ...Object.fromEntries(scrubbed) };
}

type Headers = Extract<HttpExchange, { readonly kind: "answered" }>["headers"];

const JSON_TEXT = /"(?:[^"\\]|\\.)*"/gs;
const CODE_MEMBER = /("otp_?code"\s*:\s*)(?:"(?:[^"\\]|\\.)*"|-?[\d.]+)/gis;

/** Pages are long: a text without a secret and without an escape, which may hide one, costs one search for each. */
function scrubJson(text: string, forms: readonly Form[]): string {
  const withoutCode = text.replace(CODE_MEMBER, '$1"(one-time code)"');
  const isPlain = forms.every(({ pattern }) => withoutCode.search(pattern) < 0);
  if (isPlain && !withoutCode.includes("\\")) return withoutCode;
  return withoutCode.replace(JSON_TEXT, (literal) => {
    const isEscaped = literal.includes("\\");
    if (isPlain && !isEscaped) return literal;
    const value = isEscaped ? unescaped(literal) : literal.slice(1, -1);
    if (value === undefined) return literal;
    const scrubbed = scrub(value, forms);
    return scrubbed === value ? literal : JSON.stringify(scrubbed);
  });
}

/** Undefined for what is no JSON after all; then nobody reads it as such. */
function unescaped(literal: string): string | undefined {
  try {
    return JSON.parse(literal) as string;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
