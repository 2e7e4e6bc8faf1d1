/**
 * Shared by the sandbox's tests: a seed, a clock that they move, and a caller that signs hand-written JSON by the
 * written scheme, independently of the client.
 */
import { createHmac } from "node:crypto";
import { generateSync } from "otplib";
import {
  openSandbox,
  type Sandbox,
  type SandboxOptions,
  type SandboxSeedInput,
} from "../../src/sandbox/index.ts";

export const KEY = "trial-key";
export const SECRET = "trial-secret";
export const OTP_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"; // RFC 6238 appendix B, in base32
export const MAIN = "00000000-0000-4000-8000-00000000000a";
export const SAVINGS = "00000000-0000-4000-8000-00000000000b";
export const PAYEE = "00000000-0000-4000-8000-00000000000c";
export const DISABLED = "00000000-0000-4000-8000-00000000000d";
export const WALLET = "00000000-0000-4000-8000-00000000000e";
export const START_MS = Date.parse("2026-03-02T09:00:00.000Z");

export const seed = {
  clients: [{ key: KEY, secret: SECRET, users: [{ username: "treasury-bot", otpSecret: OTP_SECRET }] }],
  accounts: [
    { accountId: MAIN, openingBalance: "2" },
    { accountId: SAVINGS, openingBalance: "1" },
    { accountId: PAYEE, ownedByClient: false },
    { accountId: DISABLED, openingBalance: "1", enabled: false },
    { accountId: WALLET, openingBalance: "1", kind: "wallet" },
  ],
  rates: [{ fromCurrency: "BTC", toCurrency: "EUR", rate: "81234.56" }],
} satisfies SandboxSeedInput;

export interface Trial {
  readonly sandbox: Sandbox;
  /** Advances the clock and lets everything due happen. */
  pass(durationMs: number): void;
  now(): number;
  call(path: string, body: string, changes?: CallChanges): Answered;
}

/** Parses the body with plain JSON.parse; exact digits are tested on the text. */
export interface Answered {
  readonly statusCode: number;
  readonly text: string;
  readonly body: unknown;
}

export interface CallChanges {
  readonly headers?: Record<string, string | undefined>;
  readonly method?: string;
}

export function trial(options: SandboxOptions = {}): Trial {
  let nowMs = START_MS;
  const sandbox = openSandbox({ seed, clock: () => nowMs, ...options });
  return {
    sandbox,
    now: () => nowMs,
    pass: (durationMs) => {
      nowMs += durationMs;
      sandbox.tick();
    },
    call: (path, text, { headers, method = "POST" } = {}) => {
      const body = Buffer.from(text);
      const signed = { ...signedHeaders(method, path, text), ...headers };
      const { statusCode, body: answered } = sandbox.handle({ method, path, headers: signed, body });
      return { statusCode, text: answered, body: answered === "" ? undefined : JSON.parse(answered) };
    },
  };
}

export function signedHeaders(method: string, path: string, body: string): Record<string, string> {
  const signature = createHmac("sha256", SECRET).update(`${method}\n${path}\n${body}`).digest("hex");
  return { key: KEY, signature, "content-type": "application/json" };
}

let lastNonce = 1000;

/**
 * A creation body with every field of the document's table, as text; `undefined` leaves a field out, `null` writes a
 * null.
 */
export function creationText(changes: Readonly<Record<string, unknown>> = {}, atMs = START_MS): string {
  lastNonce += 1;
  const fields = {
    username: '"treasury-bot"',
    accountId: `"${MAIN}"`,
    nonce: String(lastNonce),
    reference: `"REF-${lastNonce}"`,
    callbackUrl: '"https://pay.example.com/hook/1"',
    requestedAmount: '{"currency":"BTC","amount":0.01}',
    destinationAddress: '"bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"',
    otpCode: `"${codeAt(atMs)}"`,
    ...changes,
  };
  const members = Object.entries(fields).filter(([, text]) => text !== undefined);
  return `{${members.map(([name, text]) => `"${name}":${text}`).join(",")}}`;
}

export function codeAt(atMs: number): string {
  return generateSync({ secret: OTP_SECRET, epoch: Math.floor(atMs / 1000) });
}

/** What a search shows, on its first page. */
export function found<Row = Record<string, unknown>>(
  one: Trial,
  filters = "",
  path = "/payouts/v2/find",
): readonly Row[] {
  const { body } = one.call(path, `{${QUERY_DATE}${filters}}`);
  return (body as { results: { content: readonly Row[] } }).results.content;
}

export const QUERY_DATE = '"queryDate":"2026-03-02T09:00:00.000Z"';
