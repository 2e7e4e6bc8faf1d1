/**
 * While a seed runs, the code under test cannot reach time, randomness or work outside its context: each attempt
 * throws. Work that is under way nevertheless, in the thread pool or the operating system, is detected between two
 * events.
 */
import crypto from "node:crypto";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers";
import timersPromises from "node:timers/promises";

let isInside = false;

const RealDate = Date;
const realSetImmediate = setImmediate;

/** Runs everything that can run without an event, until no promise is left to resolve. */
export async function drained(): Promise<void> {
  do await new Promise((resolve) => realSetImmediate(resolve));
  while (process.getActiveResourcesInfo().includes("Immediate"));
}

/** Runs `work` with every way out closed, and restores them whatever happens. */
export async function withoutWayOut<Result>(work: () => Promise<Result>): Promise<Result> {
  close();
  isInside = true;
  try {
    return await work();
  } finally {
    isInside = false;
  }
}

/** The runner's own: its turn, and its channel to the parent process. */
const OWN: ReadonlySet<string> = new Set(["Immediate", "PipeWrap", "TTYWrap", "MessagePort"]);

/** Throws if anything is under way that virtual time does not know of. */
export function checkNothingOutside(): void {
  const others = outside();
  if (others.length > 0) throw new Error(`work outside the simulation: ${others.join(", ")}`);
}

function outside(): string[] {
  return process.getActiveResourcesInfo().filter((name) => !OWN.has(name));
}

const LEFT_MS_MAX = 1000;

/** Waits for what a violation has left under way, for which the next seed would be blamed. */
export async function nothingLeft(): Promise<void> {
  for (let waitedMs = 0; outside().length > 0 && waitedMs < LEFT_MS_MAX; waitedMs += 1)
    await new Promise((resolve) => setTimeout(resolve, 1));
}

let isClosed = false;

/** Replaces the ways out once per process; outside a seed they work as always. */
function close(): void {
  if (isClosed) return;
  isClosed = true;
  bypassGracefulFs();
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, values, newTarget) => {
      if (values.length === 0) refuse("new Date()");
      return Reflect.construct(target, values, newTarget);
    },
    get: (target, name) => {
      if (name === "now") refuse("Date.now");
      return Reflect.get(target, name);
    },
  });
  for (const [owner, name] of [
    [Math, "random"],
    [performance, "now"],
    [globalThis, "setTimeout"],
    [globalThis, "setInterval"],
    [timers, "setTimeout"],
    [timers, "setInterval"],
    [timersPromises, "setTimeout"],
    [crypto, "randomUUID"],
    [crypto, "randomBytes"],
    [crypto, "randomInt"],
    [process.hrtime, "bigint"],
    [process, "hrtime"],
    // Output goes through the context, where it is searched for secrets.
    [process.stdout, "write"],
    [process.stderr, "write"],
  ] as const) {
    forbid(owner, name);
  }
  syncBuiltinESMExports();
}

/**
 * A package of the XLSX writer wraps `close` and reads the clock in it; simulated work closes files with Node's own.
 */
function bypassGracefulFs(): void {
  const before: unknown = Reflect.get(fs.closeSync, Symbol.for("graceful-fs.previous"));
  if (typeof before === "function")
    Object.defineProperty(fs, "closeSync", { value: before, configurable: true });
}

function forbid(owner: object, name: string): void {
  const original: unknown = Reflect.get(owner, name);
  if (typeof original !== "function") throw new Error(`there is no ${name} to forbid`);
  const guarded = (...values: unknown[]) => {
    refuse(name);
    return Reflect.apply(original, owner, values);
  };
  Object.defineProperty(owner, name, { value: Object.assign(guarded, original), configurable: true });
}

function refuse(name: string): void {
  if (isInside) throw new Error(`${name} was used outside the context`);
}
