/**
 * Removes our secrets from answers before anything else reads them: a service, or a proxy in front of it, may echo
 * the request, and answers are stored, logged and shown. Done here only, for every operation.
 */
import type { HttpExchange } from "../context/transport.ts";
import { endOfText } from "../wire/index.ts";
import type { Answer } from "./answer.ts";
import type { OperationName } from "./operations.ts";
import type { SignedHeaders } from "./signing.ts";

export interface Secret {
  /** Replaces the secret, in parentheses: "client key" becomes "(client key)". */
  readonly name: string;
  readonly text: string;
}

/** Names of headers that authenticate a request; a signer's other headers (a date, a version) are not secret. */
const SECRET_HEADER = /key|sign|token|secret|auth|cookie|password/i;

/** The secrets among a request's headers, without those already in `known`. */
export function headerSecrets(headers: SignedHeaders, known: readonly Secret[]): Secret[] {
  return Object.entries(headers).flatMap(([name, text]) =>
    SECRET_HEADER.test(name) && !known.some((secret) => secret.text === text)
      ? [{ name: name === "key" ? "client key" : name, text }]
      : [],
  );
}

/**
 * An exchange without these secrets. In JSON only strings are changed, never numbers: an amount may contain the
 * digits of a key. The value of a member `otpCode` is always removed.
 */
export function scrubExchange(exchange: HttpExchange, forms: readonly Form[]): HttpExchange {
  if (exchange.kind === "unanswered") return { ...exchange, reason: scrub(exchange.reason, forms) };
  const { headers, text } = exchange;
  const isJson = /^\s*[[{]/.test(text);
  const clean = isJson ? scrubJson(text, forms) : scrub(text, forms);
  return { ...exchange, headers: scrubHeaders(headers, forms), text: clean };
}

/**
 * A failed answer without the one-time code of its request. A successful one is left alone: only ids and look-up
 * results are kept of it, and six digits may occur there by chance.
 */
export function scrubFailure<Name extends OperationName>(
  answer: Answer<Name>,
  forms: readonly Form[],
): Answer<Name> {
  if (answer.kind === "success") return answer;
  if (answer.kind === "unanswered" || answer.kind === "unreadable")
    return { ...answer, reason: scrub(answer.reason, forms) };
  const errors = answer.errors.map(({ error, code, timestamp }) => ({
    error: error && scrub(error, forms),
    code: code && scrub(code, forms),
    timestamp: timestamp && scrub(timestamp, forms),
  }));
  return { ...answer, errors };
}

/** One spelling of a secret. */
export interface Form {
  readonly text: string;
  readonly lowerCase: string;
  readonly replacement: string;
}

/** Verbatim, URL-encoded and JSON-escaped. */
export function formsOf(secrets: readonly Secret[]): Form[] {
  return secrets.flatMap(({ name, text }) => {
    if (text === "") return [];
    // Without special characters the three are equal.
    const forms = /^[\w.-]+$/.test(text)
      ? [text]
      : new Set([text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)]);
    return [...forms].map((form) => ({
      text: form,
      lowerCase: form.toLowerCase(),
      replacement: `(${name})`,
    }));
  });
}

/** Case-insensitive, for hexadecimal digits. The usual case, no match, costs one search per form. */
function scrub(text: string, forms: readonly Form[]): string {
  return formsIn(text, forms).reduce(
    (rest, form) => rest.replace(patternOf(form.text), () => form.replacement),
    text,
  );
}

function formsIn(text: string, forms: readonly Form[]): Form[] {
  if (text.length >= FILTERED_LENGTH_MIN && !mayContain(text, forms)) return [];
  const lowerCase = text.toLowerCase();
  return forms.filter((form) => lowerCase.includes(form.lowerCase));
}

/** In shorter texts, searching for one form after the other is faster than preparing this search. */
const FILTERED_LENGTH_MIN = 20_000;
const ASCII = /^[\0-\x7f]*$/;
const LETTER_CASE_BIT = 0x20;
/** Of an ASCII character, all bits but that of the case. */
const OTHER_BITS = 0x5f;
const PAIRS = 0x1_0000;

/**
 * Whether one of the forms may be in the text, in any case. Searches for all of them in one pass that reads few of
 * the characters (Wu and Manber, 1994): the two characters read last say how far away the next possible end of a
 * form is.
 */
function mayContain(text: string, forms: readonly Pick<Form, "lowerCase">[]): boolean {
  const shortest = Math.min(...forms.map(({ lowerCase }) => lowerCase.length));
  if (shortest < 3 || !forms.every(({ lowerCase }) => ASCII.test(lowerCase))) return true;
  const skips = new Uint8Array(PAIRS).fill(Math.min(shortest - 1, 255));
  for (const { lowerCase } of forms)
    for (let end = 1; end < shortest; end += 1) {
      const pair = pairEndingAt(lowerCase, end);
      skips[pair] = Math.min(skips[pair] ?? 0, shortest - 1 - end);
    }
  const mayStartAt = (from: number) => forms.some(({ lowerCase }) => startsAt(text, from, lowerCase));
  for (let end = shortest - 1; end < text.length; ) {
    const skip = skips[pairEndingAt(text, end)] ?? 0;
    if (skip > 0) end += skip;
    else if (mayStartAt(end - shortest + 1)) return true;
    else end += 1;
  }
  return false;
}

/** Equal for letters of either case, and for some other characters. */
function pairEndingAt(text: string, end: number): number {
  const before = (text.charCodeAt(end - 1) | LETTER_CASE_BIT) & 0xff;
  return (before << 8) | ((text.charCodeAt(end) | LETTER_CASE_BIT) & 0xff);
}

function startsAt(text: string, from: number, lowerCase: string): boolean {
  // Nearly always another character stands there: then nothing is copied.
  if (((text.charCodeAt(from) ^ lowerCase.charCodeAt(0)) & OTHER_BITS) !== 0) return false;
  return text.slice(from, from + lowerCase.length).toLowerCase() === lowerCase;
}

/** Shorter secrets are removed only as whole words, since they occur inside other words by chance. */
const WORD_PART_MIN = 8;

function patternOf(text: string): RegExp {
  const literal = text.replace(/[^A-Za-z0-9]/g, "\\$&");
  if (/^\d+$/.test(text)) return new RegExp(`(?<!\\d)${literal}(?!\\d)`, "g");
  return new RegExp(text.length < WORD_PART_MIN ? `(?<!\\w)${literal}(?!\\w)` : literal, "gi");
}

/** The headers that readAnswer shows to people; the values of other headers are not shown. */
const READ_HEADERS = ["location", "x-request-id", "x-correlation-id", "request-id"];

function scrubHeaders(headers: Headers, forms: readonly Form[]): Headers {
  const scrubbed = READ_HEADERS.flatMap((name) => {
    const value = headers[name];
    return typeof value === "string" ? [[name, scrub(value, forms)] as const] : [];
  });
  return scrubbed.length === 0 ? headers : { ...headers, ...Object.fromEntries(scrubbed) };
}

type Headers = Extract<HttpExchange, { readonly kind: "answered" }>["headers"];

/**
 * Scrubs string by string. A pattern over the whole text could take hours, or end the run, on an answer of many
 * megabytes in which nothing ends. Truncated or invalid JSON is scrubbed too, since its beginning is shown.
 */
function scrubJson(text: string, forms: readonly Form[]): string {
  const found = formsIn(text, [...forms, ...CODE_NAMES]);
  // A secret may be hidden by escapes.
  if (found.length === 0 && !text.includes("\\")) return text;
  const isPlain = found.every((form) => CODE_NAMES.includes(form));
  const inWords = forms.filter((form) => !MAY_BE_A_NUMBER.test(form.text));
  const pieces: string[] = [];
  let isCode = false;
  let at = 0;
  while (at < text.length) {
    const open = openingQuote(text, at);
    const between = isPlain ? text.slice(at, open) : scrub(text.slice(at, open), inWords);
    pieces.push(isCode ? between.replace(CODE_NUMBER, `$1"(one-time code)"`) : between);
    at = endOfText(text, open);
    const literal = text.slice(open, at);
    if (isCode && COLON.test(between)) pieces.push('"(one-time code)"');
    else pieces.push(isPlain && !literal.includes("\\") ? literal : scrubText(literal, forms));
    isCode = CODE_NAME.test(literal);
  }
  return pieces.join("");
}

const MAY_BE_A_NUMBER = /^[\d.eE+-]+$/;
const CODE_NAME = /^"otp_?code"$/i;
const CODE_NAMES: readonly Form[] = ["otpcode", "otp_code"].map((text) => ({
  text,
  lowerCase: text,
  replacement: text,
}));
const COLON = /^\s*:\s*$/;
const CODE_NUMBER = /^(\s*:\s*)-?[\d.]+/;

function openingQuote(text: string, from: number): number {
  const open = text.indexOf('"', from);
  return open === -1 ? text.length : open;
}

/** A text of JSON with its quotes; the last one may lack its end. */
function scrubText(literal: string, forms: readonly Form[]): string {
  if (!literal.includes("\\")) return scrub(literal, forms);
  const value = unescaped(literal);
  const scrubbed = scrub(value, forms);
  return scrubbed === value ? literal : JSON.stringify(scrubbed);
}

/** Accepts text that is not valid JSON; readAnswer then reports that. */
function unescaped(literal: string): string {
  try {
    return JSON.parse(literal) as string;
  } catch (error) {
    if (error instanceof SyntaxError) return leniently(literal.replace(/^"|"$/g, ""));
    throw error;
  }
}

function leniently(text: string): string {
  return text.replace(/\\(?:u([\da-f]{4})|(.))/gis, (_escape, code?: string, character = "") =>
    code === undefined ? (CONTROLS[character] ?? character) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

const CONTROLS: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
