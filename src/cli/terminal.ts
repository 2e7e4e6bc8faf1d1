/** Questions to the person at the terminal. They go to stderr, so that stdout holds nothing but the answer. */
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { fault } from "../faults/index.ts";

/**
 * Resolves once the person agrees; `yes` says so beforehand. Throws CONFIRMATION_NEEDED where there is nobody to ask, since an action
 * that changes something at the service is never taken for granted, and NOT_CONFIRMED for every answer but yes.
 */
export async function confirm(
  { signal }: { readonly signal: AbortSignal },
  question: string,
  yes: boolean,
): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY) throw fault("CONFIRMATION_NEEDED", { question });
  const answer = await ask(`${question} [y/N] `, process.stderr, signal).catch((error: unknown) => {
    if (signal.aborted) return "";
    throw error;
  });
  if (!/^y(es)?$/i.test(answer.trim())) throw fault("NOT_CONFIRMED", { question });
}

/** A text that is typed without being shown. Throws OTP_FAILED where there is no terminal. */
export async function askSecretly(question: string, signal: AbortSignal): Promise<string> {
  if (!process.stdin.isTTY)
    throw fault("OTP_FAILED", { reason: "`otp.source: prompt` needs a person at a terminal" });
  process.stderr.write(question);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    return await ask("", unseen, signal);
  } finally {
    process.stderr.write("\n");
  }
}

/** Rejects when `signal` aborts. */
async function ask(question: string, output: NodeJS.WritableStream, signal: AbortSignal): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  // While a line is read Ctrl-C is a key like any other; here it ends a command as it does everywhere.
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    return await terminal.question(question, { signal });
  } catch (error) {
    // Ctrl-D: nothing was typed.
    if (!signal.aborted && error instanceof Error && error.name === "AbortError") return "";
    throw error;
  } finally {
    terminal.close();
  }
}
