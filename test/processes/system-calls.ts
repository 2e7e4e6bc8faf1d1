/**
 * The system calls of a run, traced by strace, and what they must show: no creation leaves before its intent is
 * flushed.
 */
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Ended, emptyFolder, endOf, startPaydrop, type Variables } from "../cli/program.ts";
import type { Created } from "./service.ts";

/** Why nothing can be traced here; undefined if tracing works. */
export const WHY_NO_TRACE = whyNoTrace();

function whyNoTrace(): string | undefined {
  const { error, status } = spawnSync("strace", ["-f", "-o", "/dev/null", "true"]);
  if (error !== undefined) return "strace is missing";
  return status === 0 ? undefined : "strace may not trace here (ptrace is forbidden)";
}

export interface Traced {
  readonly ended: Ended;
  /** In order; a call that another thread interrupts has two lines. */
  readonly lines: readonly string[];
}

/** Runs `paydrop pay` under strace. `inject`: strace's own option to make calls fail. */
export async function payTraced(folder: string, variables: Variables, inject?: string): Promise<Traced> {
  // Outside the folder, because it contains what goes over the wire, including the key.
  const trace = join(await emptyFolder(), "trace");
  const calls = "write,writev,pwrite64,pwritev,pwritev2,sendto,sendmsg,fsync,fdatasync";
  const options = ["-f", "-y", "-s", "8192", "-e", `trace=${calls}`, "-o", trace];
  const injection = inject === undefined ? [] : ["-e", `inject=${inject}`];
  const child = startPaydrop(folder, ["--json", "pay"], variables, ["strace", ...options, ...injection]);
  const ended = await endOf(child);
  return { ended, lines: (await readFile(trace, "latin1")).split("\n") };
}

const DATABASE = /\.sqlite(?:-wal)?$/;
const WRITES = /^p?writev?(?:64|2)?$/;
const FLUSHES = /^f(?:data)?sync$/;

/**
 * A sentence for each creation whose intent was not written and flushed before its first byte left. The log contains an
 * intent's nonce as text; a flush counts if it began after the whole commit that contains the intent.
 */
export function unflushedCreations(lines: readonly string[], created: readonly Created[]): string[] {
  const calls = lines.map(callOf);
  return created.flatMap(({ reference, nonce }) => {
    const send = calls.findIndex((call) => isSocketWrite(call) && call.text.includes(`\\"nonce\\":${nonce}`));
    if (send < 0 || !isCreation(calls[send])) return [`${reference}: no write to a socket carries it whole`];
    const before = calls.slice(0, send);
    const intent = before.findIndex((call) => isDatabaseWrite(call) && call.text.includes(nonce));
    if (intent < 0) return [`${reference}: its intent was not written before it left`];
    const unflushed = writesOfCommit(before, intent).find((write) => !isFlushed(before, write));
    return unflushed === undefined ? [] : [`${reference}: its intent was not flushed before it left`];
  });
}

/** The places of this write and of the writes that its thread made right after it. */
function writesOfCommit(calls: readonly Call[], first: number): number[] {
  const { thread } = calls[first] ?? {};
  const writes: number[] = [];
  for (const [index, call] of calls.entries()) {
    if (index < first || call.thread !== thread) continue;
    if (!isDatabaseWrite(call)) break;
    writes.push(index);
  }
  return writes;
}

/** What the call that was made to fail should have flushed; undefined if the run had fewer calls. */
export function failedFlush(lines: readonly string[]): "database" | "something else" | undefined {
  const calls = lines.map(callOf);
  const failed = calls.find(({ text }) => text.includes("(INJECTED)"));
  if (failed === undefined) return undefined;
  const at = calls.indexOf(failed);
  const started = calls.slice(0, at + 1).findLast((call) => call.thread === failed.thread && call.isStart);
  return DATABASE.test(started?.path ?? "") ? "database" : "something else";
}

interface Call {
  readonly thread: string;
  readonly name: string;
  /** Of the file that is written or flushed; "socket:[...]" for a connection. */
  readonly path: string;
  readonly text: string;
  readonly isStart: boolean;
  /** Whether it succeeded on this line. */
  readonly isDone: boolean;
}

/**
 * `30434 fsync(22</path>) = 0`, or the two halves `fsync(22</path> <unfinished ...>` and
 * `<... fsync resumed>) = 0`.
 */
function callOf(line: string): Call {
  const started = /^(\d+) +(\w+)\(\d+<([^>]*)>/.exec(line);
  const resumed = /^(\d+) +<\.\.\. (\w+) resumed>/.exec(line);
  const [, thread = "", name = "", path = ""] = started ?? resumed ?? [];
  const isDone = /\) += \d+$/.test(line);
  return { thread, name, path, text: line, isStart: started !== null, isDone };
}

function isSocketWrite(call: Call): boolean {
  return call.isStart && /^(?:socket|TCP)/.test(call.path);
}

function isCreation(call: Call | undefined): boolean {
  return call !== undefined && isSocketWrite(call) && /"POST [^ ]*\/create /.test(call.text);
}

function isDatabaseWrite(call: Call): boolean {
  return call.isStart && WRITES.test(call.name) && DATABASE.test(call.path);
}

/** Whether a flush of the write's file began after it and succeeded. */
function isFlushed(calls: readonly Call[], write: number): boolean {
  const path = calls[write]?.path;
  return calls.some((call, index) => {
    if (index < write || !call.isStart || call.path !== path || !FLUSHES.test(call.name)) return false;
    if (call.isDone) return true;
    const end = calls.slice(index + 1).find(({ thread }) => thread === call.thread);
    return end?.isStart === false && end.isDone;
  });
}
