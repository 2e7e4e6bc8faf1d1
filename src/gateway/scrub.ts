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

/** The secrets among the headers of one request that are not among those known. */
export function headerSecrets(headers: SignedHeaders, known: readonly Secret[]): Secret[] {
  return Object.entries(headers).flatMap(([name, text]) =>
    SECRET_HEADER.test(name) && !known.some((one) => one.text === text)
      ? [{ name: name === "key" ? "client key" : name, text }]
      : [],
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
  if (answer.kind === "success") return answer;
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

/** One way in which a secret may be written. */
interface Form {
  readonly text: string;
  readonly lowerCase: string;
  readonly replacement: string;
}

/** Most secrets are the same in every request, so their forms are made once. */
const formsKnown = new WeakMap<Secret, readonly Form[]>();

function formsOf(secret: Secret): readonly Form[] {
  const forms = formsKnown.get(secret) ?? newFormsOf(secret);
  formsKnown.set(secret, forms);
  return forms;
}

/** As it is, URL-encoded, and escaped as in JSON. */
function newFormsOf({ name, text }: Secret): Form[] {
  if (text === "") return [];
  // Without special characters all three are the same.
  const forms = /^[\w.-]+$/.test(text)
    ? [text]
    : new Set([text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)]);
  return [...forms].map((form) => ({
    text: form,
    lowerCase: form.toLowerCase(),
    replacement: `(${name})`,
  }));
}

/** In upper or lower case, since hexadecimal digits have both. Nearly always there is nothing to do, which costs one search for each. */
function scrub(text: string, forms: readonly Form[]): string {
  return formsIn(text, forms).reduce(
    (rest, form) => rest.replace(patternOf(form), () => form.replacement),
    text,
  );
}

function formsIn(text: string, forms: readonly Form[]): Form[] {
  const lowerCase = text.toLowerCase();
  return forms.filter((form) => lowerCase.includes(form.lowerCase));
}

/** Shorter ones are taken out only where they stand as a word of their own: they are parts of other words by chance. */
const WORD_PART_MIN = 8;

function patternOf({ text }: Form): RegExp {
  const literal = text.replace(/[^A-Za-z0-9]/g, "\\$&");
  if (/^\d+$/.test(text)) return new RegExp(`(?<!\\d)${literal}(?!\\d)`, "g");
  return new RegExp(text.length < WORD_PART_MIN ? `(?<!\\w)${literal}(?!\\w)` : literal, "gi");
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

function scrubJson(text: string, forms: readonly Form[]): string {
  const clean = /otp/i.test(text) ? text.replace(CODE_MEMBER, '$1"(one-time code)"') : text;
  const isPlain = formsIn(clean, forms).length === 0;
  // A secret may be written with escapes.
  if (isPlain && !clean.includes("\\")) return clean;
  return clean.replace(JSON_TEXT, (literal) => {
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
