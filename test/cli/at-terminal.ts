/** The program on a real terminal, by util-linux's `script`: tests of it run if the system has that. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { BUNDLED_PROGRAM } from "./program.ts";

export const hasTerminals = spawnSync("script", ["--version"]).status === 0;

export const CTRL_C = "\u0003";
export const CTRL_D = "\u0004";

export type Answers = readonly (readonly [question: string, answer: string])[];

/** Runs a command, and types each answer once its question is shown after the one before. */
export async function answered(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  answers: Answers,
) {
  const command = [process.execPath, BUNDLED_PROGRAM, ...args].map((word) => `'${word}'`).join(" ");
  const terminal = spawn("script", ["-qec", command, "/dev/null"], { cwd: folder, env });
  const left = [...answers];
  let shown = "";
  let read = 0;
  terminal.stdout.on("data", (chunk: Buffer) => {
    shown += chunk.toString();
    const [question = "", answer = ""] = left[0] ?? [];
    if (left.length === 0 || !shown.includes(question, read)) return;
    left.shift();
    read = shown.length;
    terminal.stdin.write(answer === CTRL_C || answer === CTRL_D ? answer : `${answer}\r`);
  });
  const stuck = setTimeout(() => terminal.kill(), 60_000);
  const [exitCode] = await once(terminal, "close");
  clearTimeout(stuck);
  return { exitCode, shown, left };
}
