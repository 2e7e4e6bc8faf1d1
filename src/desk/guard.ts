/** What is checked of every request before a page sees it: how often, from where, and what browsers are told. */
import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import type { Clock } from "../context/clock.ts";
import type { Connections } from "../daemon/connections.ts";
import { Fault, isProblem, orProblem } from "../faults/index.ts";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** What every answer has, whatever it is an answer to. */
export function protectiveHeaders(isTls: boolean): Readonly<Record<string, string>> {
  return {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    // With "no-referrer" browsers would send `Origin: null` with our own forms.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
    ...(isTls && { "strict-transport-security": "max-age=31536000" }),
  };
}

/** Whether a request comes from our own pages: what changes something must say so. */
export function isOurs({ method, headers }: FastifyRequest, origin: string): boolean {
  if (method === "GET" || method === "HEAD") return true;
  const site = headers["sec-fetch-site"];
  return headers.origin === origin && (site === undefined || site === "same-origin");
}

const KEYS_MAX = 10_000;

export type Flood = ReturnType<typeof floodGuard>;

/**
 * Whether requests come too often. People who are signed in are counted by their session alone, since a stranger may share
 * their address; everybody else by the address.
 */
export function floodGuard(clock: Clock) {
  const ofAddress = allowance(clock, 300, 30);
  const ofSession = allowance(clock, 120, 10);
  const signedIn = new Set<string>();
  return {
    isTooOften: (address: string, token: string): boolean =>
      !(signedIn.has(token) || ofAddress(address)) || (token !== "" && !ofSession(token)),
    /** `token`: of somebody who is signed in. */
    know(token: string): void {
      if (signedIn.size >= KEYS_MAX) signedIn.clear();
      signedIn.add(token);
    },
  };
}

/** So many at once, and then so many a second, for each key: whether one more is allowed, which is then counted. */
function allowance(clock: Clock, atOnce: number, perSecond: number): (key: string) => boolean {
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

/** A wrong one-time code is answered so long after it was asked: the same for every name, however it was looked for. */
export const WRONG_CODE_MS = 2_000;

/**
 * Checks one-time codes. Only the connection that sent a wrong one waits for its answer, and none of its next codes is
 * looked at before: behind one address there may be a whole office, and behind a proxy without addresses everybody.
 */
export function codeChecks(clock: Clock, connections: Connections) {
  const last = new WeakMap<object, Promise<unknown>>();
  const lateIfWrong = async <Result>(request: IncomingMessage, check: () => Promise<Result>) => {
    const dueMs = clock.monotonicMs() + WRONG_CODE_MS;
    const checked = await orProblem(check, ({ code }) => code === "ENROLMENT_REFUSED");
    if (!isProblem(checked)) return checked;
    connections.slight(request);
    await clock.sleep(Math.max(0, dueMs - clock.monotonicMs()));
    throw new Fault(checked);
  };
  return <Result extends object>(request: IncomingMessage, check: () => Promise<Result>): Promise<Result> => {
    const before = last.get(request.socket) ?? Promise.resolve();
    const checked = before.then(() => lateIfWrong(request, check));
    // Whoever asked gets what it throws.
    last.set(request.socket, Promise.allSettled([checked]));
    return checked;
  };
}
