/** Asks the person at the terminal. Questions go to stderr, so that stdout contains only the answer. */
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { fault } from "../faults/index.ts";
import { printableText } from "../model/printable-text.ts";

/**
 * Resolves once the person agrees, or at once with `yes`. Without a terminal it throws USAGE, because nothing is
 * changed at the service unasked. Throws NOT_CONFIRMED for any answer but yes.
 */
export async function confirm(
  { signal }: { readonly signal: AbortSignal },
  question: string,
  yes: boolean,
): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY) {
    const what = `there is no terminal at which to ask: ${question}`;
    throw fault("USAGE", { what, how: "Add `--yes` to do it without being asked." });
  }
  const answer = await ask(`${question} [y/N] `, process.stderr, signal).catch((error: unknown) => {
    if (signal.aborted) return "";
    throw error;
  });
  if (!/^y(es)?$/i.test(answer.trim())) throw fault("NOT_CONFIRMED", { question });
}

/** Reads a text without echoing it. Throws OTP_FAILED without a terminal. */
export async function askSecretly(question: string, signal: AbortSignal): Promise<string> {
  if (!process.stdin.isTTY)
    throw fault("OTP_FAILED", { reason: "`otp.source: prompt` needs a person at a terminal" });
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const asking = ask("", unseen, signal);
  // Written only now, when the terminal no longer echoes, so that a person who types as soon as the question
  // appears is not shown.
  process.stderr.write(printableText(question));
  try {
    return await asking;
  } finally {
    process.stderr.write("\n");
  }
}

/** Reads an answer, without the spaces around it. Throws INTERRUPTED at Ctrl-C, and USAGE at Ctrl-D. */
export async function askLine(question: string, signal: AbortSignal): Promise<string> {
  try {
    return (await ask(question, process.stderr, signal, ENDED)).trim();
  } catch (error) {
    if (error === ENDED)
      throw fault("USAGE", { what: "the input has ended", how: "Begin again: nothing was written." });
    if (signal.aborted) throw fault("INTERRUPTED", {}, {}, { cause: error });
    throw error;
  }
}

const ENDED = new Error("the input has ended");

/** Rejects when `signal` aborts. `ended`: the error for Ctrl-D; if absent, Ctrl-D gives an empty answer. */
async function ask(
  question: string,
  output: NodeJS.WritableStream,
  signal: AbortSignal,
  ended?: Error,
): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  // readline treats Ctrl-C as an ordinary key; this makes it end the command as usual.
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    return await terminal.question(printableText(question), { signal });
  } catch (error) {
    const isEnd = !signal.aborted && error instanceof Error && error.name === "AbortError";
    if (isEnd && ended === undefined) return "";
    throw isEnd ? ended : error;
  } finally {
    terminal.close();
  }
}
