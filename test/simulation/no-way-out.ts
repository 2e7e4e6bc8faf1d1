/**
 * While a seed runs, the code under test has no way to time, chance or work outside its context: each throws. Work that is under
 * way all the same, in the thread pool or in the operating system, is seen between two events.
 */
import crypto from "node:crypto";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers";
import timersPromises from "node:timers/promises";

let isInside = false;

const RealDate = Date;
const realSetImmediate = setImmediate;

/** Lets everything run that can run without an event: promises and what they call, to the last of them. */
export function drained(): Promise<void> {
  return new Promise((resolve) => {
    realSetImmediate(resolve);
  });
}

/** Runs `work` with every way out closed. Restores them whatever happens. */
export async function withoutWayOut<Result>(work: () => Promise<Result>): Promise<Result> {
  close();
  isInside = true;
  try {
    return await work();
  } finally {
    isInside = false;
  }
}

/** What the runner itself has: its own turn, and its channel to the process that started it. */
const OWN: ReadonlySet<string> = new Set(["Immediate", "PipeWrap", "TTYWrap", "MessagePort"]);

/** Throws when anything is under way that virtual time does not know of. */
export function checkNothingOutside(): void {
  const others = process.getActiveResourcesInfo().filter((name) => !OWN.has(name));
  if (others.length > 0) throw new Error(`work outside the simulation: ${others.join(", ")}`);
}

let isClosed = false;

/** Replaces the ways out once in a process; outside a seed they lead where they always did. */
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
    // What is said goes through the context, where it is searched for secrets.
    [process.stdout, "write"],
    [process.stderr, "write"],
  ] as const) {
    forbid(owner, name);
  }
  syncBuiltinESMExports();
}

/** A package of the XLSX writer wraps `close` and asks the clock in it; simulated work closes files as Node does. */
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
