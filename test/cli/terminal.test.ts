/** A person at a terminal who ends the command instead of answering its question. Runs if the system has `script`. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { BUNDLED_PROGRAM, workFolder } from "./program.ts";

const hasTerminals = spawnSync("script", ["--version"]).status === 0;

/** Types `keys` when the program asks; returns its exit code and what the terminal showed. */
async function typed(keys: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const command = [process.execPath, BUNDLED_PROGRAM, ...args].map(quotedForShell).join(" ");
  const terminal = spawn("script", ["-qec", command, "/dev/null"], {
    cwd: await workFolder(),
    env: { ...process.env, ...environment },
  });
  let shown = "";
  terminal.stdout.on("data", (chunk: Buffer) => {
    const hasAsked = shown.includes("[y/N]");
    shown += chunk.toString();
    if (!hasAsked && shown.includes("[y/N]")) terminal.stdin.write(keys);
  });
  const [exitCode] = await once(terminal, "close");
  return { exitCode, shown };
}

function quotedForShell(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

test.runIf(hasTerminals)("a no under --json is one document as well", async () => {
  const args = ["doubt", "resolve", "PAY-1", "--resend", "--reason", "x", "--json"];
  const { exitCode, shown } = await typed("n\r", args);
  const { problems } = JSON.parse(shown.slice(shown.indexOf("{")));
  expect([exitCode, problems]).toEqual([4, [expect.objectContaining({ code: "NOT_CONFIRMED" })]]);
});

test.runIf(hasTerminals).each([
  ["Ctrl-C stops the command", "\u0003", 130],
  ["Ctrl-D is no answer, and nothing is done", "\u0004", 4],
  ["an empty line is no, and nothing is done", "\r", 4],
])("at a question %s", async (_what, keys, exitCode) => {
  const ended = await typed(keys, ["doubt", "resolve", "PAY-1", "--resend", "--reason", "x"]);
  expect(ended).toMatchObject({ exitCode, shown: expect.not.stringContaining("UNEXPECTED") });
});

test.runIf(hasTerminals)("a terminal that knows no colours gets none", async () => {
  const shown = (TERM: string) => typed("", ["status", "NONE"], { TERM, NO_COLOR: "" });
  expect((await shown("xterm")).shown).toContain("\u001b[31mBATCH_UNKNOWN");
  const dumb = await shown("dumb");
  expect(dumb.shown).toContain("BATCH_UNKNOWN");
  expect(dumb.shown).not.toContain("\u001b");
});
