/** The process behind `paydropInTurn`: runs each command line that it receives through the program's `main`. */
import { setTimeout as wait } from "node:timers/promises";
import { main } from "../../src/cli/main.ts";
import type { Variables } from "./program.ts";

export interface CommandLine {
  readonly folder: string;
  readonly args: readonly string[];
  readonly variables: Variables;
  /** Printed after the command's last output, on both streams. */
  readonly endMark: string;
}

const NODE_ITSELF = process.env;

// The worker that started it has ended.
process.on("disconnect", () => process.exit());
process.on("message", async (line: CommandLine) => {
  const exitCode = await run(line);
  for (const stream of [process.stdout, process.stderr]) stream.write(line.endMark);
  process.send?.(exitCode);
});

async function run({ folder, args, variables }: CommandLine): Promise<number> {
  process.chdir(folder);
  process.env = { ...NODE_ITSELF, ...variables };
  const openBefore = process.getActiveResourcesInfo().length;
  const exitCode = await main(args, process.env);
  // A separate process would not end either while something it started is open.
  while (process.getActiveResourcesInfo().length > openBefore) await wait(1);
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners("error");
  return exitCode;
}
