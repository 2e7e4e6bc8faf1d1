/** Deals seeds out to processes of their own and gathers what came of them, as it comes. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { SeedOrder } from "./run-seeds.ts";
import { type SeedPlan, seedPlan } from "./seed-plan.ts";
import type { SeedResult } from "./simulation.ts";
import type { Violation } from "./violations.ts";

export interface SeedRuns {
  readonly plans: Iterable<SeedPlan>;
  readonly processes: number;
  readonly tracing?: boolean;
  /** What is planted in the code under test; nothing where absent. */
  readonly violation?: Violation;
  /** Returns true to end early. */
  onResult(result: SeedResult): boolean;
}

export function* seedPlans(firstSeed: number, seeds: number): Generator<SeedPlan> {
  for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) yield seedPlan(seed);
}

const RUNNER = fileURLToPath(new URL("./run-seeds.ts", import.meta.url));
const DOORS = new URL("./module-doors.ts", import.meta.url).href;

/** Resolves when all seeds have run, or one ended it early. Rejects when a process dies. */
export async function runSeeds(runs: SeedRuns): Promise<void> {
  const plans = runs.plans[Symbol.iterator]();
  let isOver = false;
  const nextPlan = () => {
    const { value, done } = plans.next();
    return done === true || isOver ? undefined : value;
  };
  const stop = () => {
    isOver = true;
  };
  await Promise.all(Array.from({ length: runs.processes }, () => runInProcess(runs, nextPlan, stop)));
}

async function runInProcess(
  { tracing = false, violation, onResult }: SeedRuns,
  nextPlan: () => SeedPlan | undefined,
  stop: () => void,
): Promise<void> {
  const child = fork(RUNNER, {
    execArgv: ["--import", DOORS],
    env: { PATH: process.env["PATH"], ...plantedIn(violation) },
  });
  const ended = once(child, "exit");
  for (let plan = nextPlan(); plan !== undefined; plan = nextPlan()) {
    if (onResult(await resultOf(child, { plan, tracing }))) stop();
  }
  child.disconnect();
  await ended;
}

async function resultOf(child: ChildProcess, order: SeedOrder): Promise<SeedResult> {
  child.send(order);
  const waiting = new AbortController();
  const { signal } = waiting;
  try {
    const [message] = await Promise.race([
      once(child, "message", { signal }),
      once(child, "exit", { signal }).then(([code]) => {
        throw new Error(`seed ${order.plan.seed} ended its process with ${String(code)}`);
      }),
    ]);
    return message as SeedResult;
  } finally {
    waiting.abort();
  }
}

function plantedIn(violation: Violation | undefined): Record<string, string> {
  return violation === undefined ? {} : { SIMULATION_VIOLATION: `${violation.violates}=${violation.name}` };
}
