/** Checks every request before a page sees it (how often, from where), and protects every answer by headers. */
import type { FastifyRequest } from "fastify";
import type { Clock } from "../context/clock.ts";
import type { Connections, RawRequest, Socket } from "../daemon/connections.ts";
import { Fault, isProblem, orProblem } from "../faults/index.ts";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action " +
  "'self'; base-uri 'none'; frame-ancestors 'none'";

/** The headers of every answer. */
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

/** Whether a request comes from our own pages; a request that changes something must prove it. */
export function isOurs({ method, headers }: FastifyRequest, origin: string): boolean {
  if (method === "GET" || method === "HEAD") return true;
  const site = headers["sec-fetch-site"];
  return headers.origin === origin && (site === undefined || site === "same-origin");
}

const KEYS_MAX = 10_000;

/** How many requests of strangers are handled at once, and then in each second. */
const STRANGERS_AT_ONCE = 300;
const STRANGERS_PER_SECOND = 100;
const TURN_MS = 20;

/**
 * Strangers take turns, address by address and connection by connection, so that a client that floods the desk
 * waits for all others, and the others wait for only one of its requests. Every request gets its turn, because a
 * whole office may share one address. Resolves once a request may be handled.
 */
export function turns(clock: Clock): (address: string, socket: Socket) => Promise<void> {
  const waiting = new Map<string, Map<Socket, (() => void)[]>>();
  let [left, atMs, areGiven] = [STRANGERS_AT_ONCE, clock.monotonicMs(), false];
  const isFree = (): boolean => {
    const nowMs = clock.monotonicMs();
    left = Math.min(STRANGERS_AT_ONCE, left + ((nowMs - atMs) / 1000) * STRANGERS_PER_SECOND);
    atMs = nowMs;
    return left >= 1;
  };
  const give = async () => {
    areGiven = true;
    for (; waiting.size > 0; await clock.sleep(TURN_MS))
      while (waiting.size > 0 && isFree()) {
        const [socket, go] = nextOf(waiting);
        // The client has disconnected.
        if (socket === undefined || socket.destroyed) continue;
        left -= 1;
        go?.();
      }
    areGiven = false;
  };
  return (address, socket) => {
    if (waiting.size === 0 && isFree()) {
      left -= 1;
      return Promise.resolve();
    }
    return new Promise((go) => {
      const ofAddress = waiting.get(address) ?? new Map<Socket, (() => void)[]>();
      waiting.set(address, ofAddress.set(socket, [...(ofAddress.get(socket) ?? []), go]));
      if (!areGiven) void give();
    });
  };
}

/** Takes the first request of the first connection of the first address, and puts both at the end. */
function nextOf(waiting: Map<string, Map<Socket, (() => void)[]>>) {
  const [[address, ofAddress] = []] = waiting;
  const [[socket, [go, ...others] = []] = []] = ofAddress ?? [];
  if (address === undefined || ofAddress === undefined || socket === undefined) return [];
  ofAddress.delete(socket);
  if (others.length > 0) ofAddress.set(socket, others);
  waiting.delete(address);
  if (ofAddress.size > 0) waiting.set(address, ofAddress);
  return [socket, go] as const;
}

/** People who are signed in do not take turns with strangers, and have an allowance each. */
export function signedInTokens(clock: Clock) {
  const isAllowed = allowance(clock, 120, 10);
  const known = new Set<string>();
  return {
    /** `token`: of a person who is signed in. */
    know(token: string): void {
      if (known.size >= KEYS_MAX) known.clear();
      known.add(token);
    },
    has: (token: string): boolean => known.has(token),
    isAllowed,
  };
}

/** Allows each key `atOnce` requests, then `perSecond`. Returns whether one more is allowed, and counts it. */
function allowance(clock: Clock, atOnce: number, perSecond: number): (key: string) => boolean {
  const all = new Map<string, { left: number; atMs: number }>();
  return (key) => {
    const nowMs = clock.monotonicMs();
    const { left, atMs } = all.get(key) ?? { left: atOnce, atMs: nowMs };
    const now = Math.min(atOnce, left + ((nowMs - atMs) / 1000) * perSecond);
    // Put last, so that the first key is the one used least recently.
    all.delete(key);
    const [oldest] = all.keys();
    if (all.size >= KEYS_MAX && oldest !== undefined) all.delete(oldest);
    all.set(key, { left: now < 1 ? now : now - 1, atMs: nowMs });
    return now >= 1;
  };
}

/** A wrong one-time code is answered this long after the request, for every name alike, known or not. */
export const WRONG_CODE_MS = 2_000;

/**
 * Checks one-time codes. Only the connection that sent a wrong one waits for its answer, and its next codes wait
 * after it. Addresses are not slowed down, because a whole office may share one, and behind a proxy everybody may.
 */
export function codeChecks(clock: Clock, connections: Connections) {
  const last = new WeakMap<object, Promise<unknown>>();
  const lateIfWrong = async <Result>(request: RawRequest, check: () => Promise<Result>) => {
    const dueMs = clock.monotonicMs() + WRONG_CODE_MS;
    const checked = await orProblem(check, ({ code }) => code === "ENROLMENT_REFUSED");
    if (!isProblem(checked)) return checked;
    connections.slight(request);
    await clock.sleep(Math.max(0, dueMs - clock.monotonicMs()));
    throw new Fault(checked);
  };
  return <Result extends object>(request: RawRequest, check: () => Promise<Result>): Promise<Result> => {
    const before = last.get(request.socket) ?? Promise.resolve();
    const checked = before.then(() => lateIfWrong(request, check));
    // The caller gets the error that it throws.
    last.set(request.socket, Promise.allSettled([checked]));
    return checked;
  };
}
