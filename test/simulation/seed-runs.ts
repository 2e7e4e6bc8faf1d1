/** Runs seeds in child processes and collects their results as they come. */
import { dealOut } from "./child-processes.ts";
import type { SeedOrder } from "./run-seeds.ts";
import { type SeedPlan, seedPlan } from "./seed-plan.ts";
import type { SeedResult } from "./seed-result.ts";
import type { Violation } from "./violations.ts";

export interface SeedRuns {
  readonly plans: Iterable<SeedPlan>;
  readonly processes: number;
  readonly tracing?: boolean;
  /** The violation planted in the code under test, if any. */
  readonly violation?: Violation;
  /** Returns true to end early. */
  onResult(result: SeedResult): boolean;
}

export function* seedPlans(firstSeed: number, seeds: number): Generator<SeedPlan> {
  for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) yield seedPlan(seed);
}

/** Resolves once all seeds have run or one ended it early. Rejects if a process dies. */
export function runSeeds({
  plans,
  processes,
  tracing = false,
  violation,
  onResult,
}: SeedRuns): Promise<void> {
  return dealOut<SeedOrder, SeedResult>({
    module: new URL("./run-seeds.ts", import.meta.url),
    orders: ordersFor(plans, tracing),
    processes,
    planted: violation,
    onResult,
  });
}

function* ordersFor(plans: Iterable<SeedPlan>, tracing: boolean): Generator<SeedOrder> {
  for (const plan of plans) yield { plan, tracing };
}
