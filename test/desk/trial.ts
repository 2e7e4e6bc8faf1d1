/** `npm run desk` as a process of its own, and the paths of its pages. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { BUNDLED_PROGRAM } from "../cli/program.ts";

export interface Trial {
  readonly origin: string;
  /** What Ctrl-C does; the exit code. */
  stop(): Promise<number | null>;
}

const OPENS_MS = 90_000;
const STOPS_MS = 30_000;
const ANSWERS_MS = 15_000;

export async function trialFolder() {
  const folder = await mkdtemp(join(tmpdir(), "paydrop-trial-"));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Throws if the trial ends, or has not opened its desk within a minute and a half. */
export async function startTrial(folder: string): Promise<Trial> {
  const port = String(await freePort());
  const args = [BUNDLED_PROGRAM, "demo", "--desk", "--folder", join(folder, "desk"), "--port", port];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  // Not inherited: a sandbox that outlives its trial would hold our output open, and its reader would wait for ever.
  child.stderr.pipe(process.stderr);
  const ended = once(child, "exit") as Promise<[number | null]>;
  const interrupt = () => child.kill("SIGINT");
  process.once("exit", interrupt);
  const stop = async () => {
    child.kill("SIGINT");
    const kill = () => child.kill("SIGKILL");
    try {
      return (await within(STOPS_MS, "the trial did not stop", ended, kill))[0];
    } finally {
      process.off("exit", interrupt);
      child.stderr.destroy();
    }
  };
  return { origin: await within(OPENS_MS, "the trial did not open its desk", originIn(child.stdout)), stop };
}

async function originIn(output: Readable): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const origin = /The desk is open at (\S+)/.exec(line)?.[1];
    if (origin !== undefined) return origin;
  }
  throw new Error("the trial ended before its desk was open");
}

/** Rejects, after `giveUp`, if the work takes longer. */
export async function within<Result>(
  limitMs: number,
  failure: string,
  work: Promise<Result>,
  giveUp: () => unknown = () => undefined,
): Promise<Result> {
  const tooLate = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    giveUp();
    tooLate.reject(new Error(`${failure} within ${limitMs / 1000} s`));
  }, limitMs);
  try {
    return await Promise.race([work, tooLate.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A free port whose next one is free as well: the sandbox of a trial takes that. Below those that systems give away
 * by themselves.
 */
export async function freePort(): Promise<number> {
  const port = 20_000 + 2 * Math.floor(Math.random() * 6_000);
  return (await isFree(port)) && (await isFree(port + 1)) ? port : freePort();
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = once(server.listen(port, "localhost"), "listening").then(
    () => true,
    () => false,
  );
  const free = await isListening;
  await new Promise((resolve) => server.close(resolve));
  return free;
}

/** A person's way in, without a browser: the cookie of ann's session. */
export async function cookieOfAnn(origin: string): Promise<string> {
  const headers = { origin, "content-type": "application/x-www-form-urlencoded" };
  const options = { method: "POST", headers, body: "name=ann", redirect: "manual" } as const;
  const { headers: answered } = await fetch(`${origin}/sign-in`, { ...options, ...withLimit() });
  return answered
    .getSetCookie()
    .flatMap((cookie) => cookie.split(";")[0] ?? [])
    .join("; ");
}

function withLimit() {
  return { signal: AbortSignal.timeout(ANSWERS_MS) };
}

/** Every page by its name and path; those that anybody sees come first. */
export async function everyPage(origin: string, cookie: string): Promise<(readonly [string, string])[]> {
  const linkOn = async (page: string, pattern: RegExp) => {
    const text = await (await fetch(`${origin}${page}`, { headers: { cookie }, ...withLimit() })).text();
    const path = pattern.exec(text)?.[1]?.replaceAll("&#38;", "&");
    if (path === undefined) throw new Error(`${page} has no link like ${pattern}`);
    return path;
  };
  return [
    ["sign-in", "/sign-in"],
    ["enrol", "/enrol"],
    ["today", "/"],
    ["files", "/files"],
    ["repair", await linkOn("/files", /href="(\/files\/[\da-f]{64})"/)],
    ["batch", await linkOn("/", /href="(\/batches\/[^"]+)">suppliers/)],
    ["batch-released", "/batches/B-000002"],
    ["payments", "/payments"],
    ["payment", "/payments/story?reference=PAY-2026-0017"],
    ["pay-again", "/payments/pay-again?reference=PAY-2026-0017"],
    ["doubts", "/doubts"],
    ["doubt", "/doubts/payment?reference=URGENT-2026-0007"],
    ["expected", "/expected"],
    ["expectation", "/expected/2"],
    ["receipt", await linkOn("/expected", /href="(\/expected\/decide[^"]+)"/)],
    ["nights", "/nights"],
    ["night", await linkOn("/nights", /href="(\/nights\/\d{4}-\d\d-\d\d)"/)],
    ["break", await linkOn("/nights", /href="(\/nights\/break[^"]+)"/)],
    ["break-decision", "/nights/decide?do=settle&break=BR-1"],
    ["found", "/payments?q=DEP-2026"],
    ["deposit", await linkOn("/payments?q=DEP-2026", /href="(\/payments\/resource[^"]+)"/)],
    ["books", "/books"],
    ["jobs", "/jobs"],
    ["job", "/jobs/of/pay"],
    ["checks", "/jobs/checks"],
    ["people", "/people"],
    ["record", "/record"],
    ["record-verified", "/record?verify=1&kind=evidence"],
    ["not-found", "/nowhere"],
  ];
}
