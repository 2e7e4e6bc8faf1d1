/**
 * Runs the real program's commands one after another in one long-lived process, because starting a process takes longer
 * than most commands. All test files of a worker share it, and it ends with the worker. Tests about the process itself
 * (signals, streams, two at once) use `paydrop` instead.
 */
import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterEachFile } from "../cleanup.ts";
import { type Ended, NODE_ITSELF, type Variables } from "./program.ts";
import type { CommandLine } from "./runs-in-turn.ts";

const RUNS_IN_TURN = fileURLToPath(new URL("./runs-in-turn.ts", import.meta.url));

/** As `paydrop`, after all earlier commands have ended. Rejects if the command ends the process. */
export function paydropInTurn(
  folder: string,
  args: readonly string[],
  variables: Variables = {},
): Promise<Ended> {
  running += 1;
  const ended = last
    .then(() => run({ folder, args, variables, endMark: randomUUID() }))
    .finally(() => {
      running -= 1;
    });
  // Its caller is told how it ended; the next command only waits for the end.
  last = ended.catch(() => undefined);
  return ended;
}

let last: Promise<unknown> = Promise.resolve();
let process: ReturnType<typeof start> | undefined;
let running = 0;
afterEachFile(async () => {
  // A failed test's command would hold up the next file's.
  if (running === 0) return;
  const { child } = process ?? {};
  process = undefined;
  if (child?.kill("SIGKILL")) await once(child, "exit");
});

async function run(line: CommandLine): Promise<Ended> {
  process ??= start();
  const { child, streams } = process;
  const answer = once(child, "message");
  child.send(line);
  const printed = await Promise.all(streams.map((stream) => textUpTo(line.endMark, stream)));
  const [stdout = "", stderr = ""] = printed.map((text) => text.replace(line.endMark, ""));
  if (printed.some((text) => !text.endsWith(line.endMark))) {
    process = undefined;
    throw new Error(`paydrop ${line.args.join(" ")} ended its process:\n${stdout}${stderr}`);
  }
  const [exitCode] = await answer;
  return { exitCode, stdout, stderr };
}

function start() {
  const child = fork(RUNS_IN_TURN, {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: NODE_ITSELF,
    execArgv: ["--single-threaded-gc", "--min-semi-space-size=16"],
  });
  const streams = [child.stdout, child.stderr].flatMap((stream) => stream?.setEncoding("utf8") ?? []);
  return { child, streams };
}

/** What is printed up to and including the mark; if the process ends before, everything. */
async function textUpTo(mark: string, stream: Readable): Promise<string> {
  let text = "";
  let end = "";
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    text += chunk;
    end = (end + chunk).slice(-mark.length);
    if (end === mark) break;
  }
  return text;
}
