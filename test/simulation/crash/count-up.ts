/**
 * Stops at the n-th step, for n = 1, 2, 3 ... until a run completes untouched. Optionally a second stop falls on one of the steps
 * that follow, another one for each n.
 */
import { Chance } from "../chance.ts";
import { dealOut } from "../child-processes.ts";
import type { CrashOrder, CrashResult } from "./crash-run.ts";
import type { CrashViolation } from "./crash-violations.ts";

export interface CountUp extends Pick<CrashOrder, "nonceRule" | "withMachine"> {
  /** The n at which it begins, and how far apart they are: 1 and 1 for all of them. */
  readonly first: number;
  readonly every: number;
  /** The restarted process is stopped once more. */
  readonly twice: boolean;
  readonly processes: number;
  onResult(result: CrashResult): void;
}

/** Returns how many steps an untouched run has. */
export async function countUp({ processes, onResult, ...counting }: CountUp): Promise<number> {
  let steps = 0;
  await runCrashes({
    orders: ordersOf(counting),
    processes,
    onResult: (result) => {
      onResult(result);
      if (result.stopped === 0) steps = result.steps.length;
      return result.stopped === 0;
    },
  });
  return steps;
}

/** Carries out crash runs in processes of their own; `planted` is what is wrong in the code under test. */
export function runCrashes(runs: {
  readonly orders: Iterable<CrashOrder>;
  readonly processes: number;
  readonly planted?: CrashViolation;
  onResult(result: CrashResult): boolean;
}): Promise<void> {
  const module = new URL("./run-crashes.ts", import.meta.url);
  return dealOut<CrashOrder, CrashResult>({ module, ...runs });
}

/** A second stop comes within so many steps: about as many as are left to do. */
const LATER_MAX = 120;

function* ordersOf({
  nonceRule,
  withMachine,
  first,
  every,
  twice,
}: Omit<CountUp, "processes" | "onResult">): Generator<CrashOrder> {
  for (let n = first; ; n += every) {
    const later = n + new Chance(n).between(1, LATER_MAX);
    yield { nonceRule, withMachine, stops: twice ? [n, later] : [n] };
  }
}
