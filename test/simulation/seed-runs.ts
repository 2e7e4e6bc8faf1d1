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
    module: MODULE,
    orders: ordersFor(plans, tracing, violation),
    processes,
    violations: violation === undefined ? [] : [violation],
    onResult,
  });
}

const MODULE = new URL("./run-seeds.ts", import.meta.url);

function* ordersFor(
  plans: Iterable<SeedPlan>,
  tracing: boolean,
  violation?: Violation,
): Generator<SeedOrder> {
  for (const plan of plans) yield { plan, tracing, violation: violation?.name };
}

export interface PlantedRuns {
  /** By the names of violations. */
  readonly planted: ReadonlyMap<string, SeedResult>;
  /** The same seeds without a violation, by seed. */
  readonly clean: ReadonlyMap<number, SeedResult>;
}

/**
 * Plants each violation for one seed, all in one process. The same seed runs again without it, once where several
 * violations share it: so what turned the seed red is the violation, and nothing of it is left in the process. Then
 * the seeds of `further` run in it. Runs without a violation are traced.
 */
export async function runPlanted(
  seeds: Readonly<Record<string, number>>,
  violations: readonly Violation[],
  further: readonly number[] = [],
): Promise<PlantedRuns> {
  const [planted, clean] = [new Map<string, SeedResult>(), new Map<number, SeedResult>()];
  const last = new Map(violations.map(({ name }) => [seeds[name] ?? 0, name]));
  const ofViolations = violations.flatMap(({ name }): SeedOrder[] => {
    const plan = seedPlan(seeds[name] ?? 0);
    const runs = [name, ...(last.get(plan.seed) === name ? [undefined] : [])];
    return runs.map((violation) => ({ plan, tracing: violation === undefined, violation }));
  });
  const alone = further.map((seed): SeedOrder => ({ plan: seedPlan(seed), tracing: true }));
  const orders = [...ofViolations, ...alone];
  const waiting = orders.values();
  await dealOut<SeedOrder, SeedResult>({
    ...{ module: MODULE, orders, processes: 1, violations },
    onResult: (result) => {
      const violation = waiting.next().value?.violation;
      if (violation === undefined) clean.set(result.seed, result);
      else planted.set(violation, result);
      return false;
    },
  });
  return { planted, clean };
}
