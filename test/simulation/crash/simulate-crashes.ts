/**
 * `npm run test:crash`: the count-up crash under every nonce policy, stopping the process or the machine, once and
 * twice per run. Prints the number of steps, and what broke at each stop that was not survived. `--every K` takes each
 * K-th step.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { countUp } from "./count-up.ts";

const { values } = parseArgs({
  options: {
    every: { type: "string", default: "1" },
    processes: { type: "string", default: String(Math.min(availableParallelism(), 16)) },
  },
});
const every = Number.parseInt(values.every, 10);
const processes = Number.parseInt(values.processes, 10);
const say = (line: string) => process.stdout.write(`${line}\n`);

let red = 0;
for (const nonceRule of ["unknown", "unique", "increasing"] as const) {
  for (const withMachine of [false, true]) {
    for (const twice of [false, true]) await tell(nonceRule, withMachine, twice);
  }
}
process.exitCode = red === 0 ? 0 : 1;

async function tell(
  nonceRule: "unknown" | "unique" | "increasing",
  withMachine: boolean,
  twice: boolean,
): Promise<void> {
  const startedMs = performance.now();
  const total = { runs: 0, lives: 0, stops: 0, red: 0 };
  const steps = await countUp({
    nonceRule,
    withMachine,
    twice,
    first: 1,
    every,
    processes,
    onResult: ({ stops, stopped, steps: taken, lives, broken }) => {
      total.runs += 1;
      total.lives += lives;
      total.stops += stopped;
      if (broken.length === 0) return;
      total.red += 1;
      say(
        `stopped at ${stops.map((step) => `${step} (${taken[step - 1]})`).join(" and ")}: ${broken.join("; ")}`,
      );
    },
  });
  red += total.red;
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
  const stopping = withMachine ? "machine" : "process";
  say(JSON.stringify({ crash: nonceRule, stopping, steps, ...total, seconds, holds: total.red === 0 }));
}
