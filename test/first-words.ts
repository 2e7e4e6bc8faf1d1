/** Waits for the first output of a process. If the process ends before, its test fails at once. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";

/** `complaints`: the process's other output, if that is not the test's own output. */
export async function firstWordsOf(
  child: ChildProcess & { readonly stdout: Readable },
  complaints: Promise<string> | string = "",
): Promise<string> {
  const ended = once(child, "close").then(async ([exitCode, signal]) => {
    throw new Error(`it ended with ${exitCode ?? signal} and printed nothing: ${await complaints}`);
  });
  const printed = once(child.stdout, "data").then(([words]) => String(words));
  return Promise.race([printed, ended]);
}
