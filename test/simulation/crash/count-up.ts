/**
 * Stops at the n-th step, for n = 1, 2, 3 ... until a run completes untouched. Optionally a second stop hits one of the
 * steps after it, a different one for each n.
 */
import { Chance } from "../chance.ts";
import { dealOut } from "../child-processes.ts";
import type { CrashOrder, CrashResult } from "./crash-run.ts";
import type { CrashViolation } from "./crash-violations.ts";

export interface CountUp extends Pick<CrashOrder, "nonceRule" | "withMachine"> {
  /** The first n, and the distance to the next: 1 and 1 for all of them. */
  readonly first: number;
  readonly every: number;
  /** The restarted process is stopped too. */
  readonly twice: boolean;
  readonly processes: number;
  onResult(result: CrashResult): void;
}

/** Returns the number of steps of an untouched run. */
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

/** Carries out crash runs in child processes; `violations`: those that orders plant. */
export function runCrashes(runs: {
  readonly orders: Iterable<CrashOrder>;
  readonly processes: number;
  readonly violations?: readonly CrashViolation[];
  onResult(result: CrashResult): boolean;
}): Promise<void> {
  const module = new URL("./run-crashes.ts", import.meta.url);
  return dealOut<CrashOrder, CrashResult>({ module, ...runs });
}

/** The second stop comes within this many steps, about as many as are left. */
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
