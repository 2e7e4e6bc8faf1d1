/** What is checked of every request before a page sees it: how often, from where, and what browsers are told. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../context/clock.ts";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

export function protectiveHeaders(reply: FastifyReply, isTls: boolean): void {
  reply.headers({
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    // With "no-referrer" browsers would send `Origin: null` with our own forms.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
    ...(isTls && { "strict-transport-security": "max-age=31536000" }),
  });
}

/** Whether a request comes from our own pages: what changes something must say so. */
export function isOurs({ method, headers }: FastifyRequest, origin: string): boolean {
  if (method === "GET" || method === "HEAD") return true;
  const site = headers["sec-fetch-site"];
  return headers.origin === origin && (site === undefined || site === "same-origin");
}

const KEYS_MAX = 10_000;

/** So many at once, and then so many a second, for each key: whether one more is allowed, which is then counted. */
export function allowance(clock: Clock, atOnce: number, perSecond: number): (key: string) => boolean {
  const all = new Map<string, { left: number; atMs: number }>();
  return (key) => {
    const nowMs = clock.monotonicMs();
    const { left, atMs } = all.get(key) ?? { left: atOnce, atMs: nowMs };
    const now = Math.min(atOnce, left + ((nowMs - atMs) / 1000) * perSecond);
    // Put last, so that the first one is the one that came least recently.
    all.delete(key);
    const [oldest] = all.keys();
    if (all.size >= KEYS_MAX && oldest !== undefined) all.delete(oldest);
    all.set(key, { left: now < 1 ? now : now - 1, atMs: nowMs });
    return now >= 1;
  };
}
