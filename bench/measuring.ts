/**
 * What the benchmarks share: children that measure one thing each, medians, and the last line with ratios, limits
 * and verdict.
 */
import { fork } from "node:child_process";

/** Starts a program in a process of its own; `answer` is the one message it sends, and rejects when it ends without. */
export function startChild<Answer>(program: string, ...args: readonly (string | number)[]) {
  const child = fork(program, args.map(String));
  const answer = new Promise<Answer>((resolve, reject) => {
    child.once("message", (message) => resolve(message as Answer));
    child.once("exit", (code) => reject(new Error(`${args[0]} ended with ${code} and no answer`)));
  });
  /** For a child that answers twice: has it go on, and resolves with its second answer. */
  const goOn = <Second>() => {
    const second = new Promise<Second>((resolve, reject) => {
      child.once("message", (message) => resolve(message as Second));
      child.once("exit", (code) =>
        reject(new Error(`${args[0]} ended with ${code} before its second answer`)),
      );
    });
    child.send("go on");
    return second;
  };
  return { answer, goOn, stop: () => child.kill() };
}

/** For a child: tells the parent that it is ready, and resolves when it is to go on. */
export function toldToGoOn(): Promise<void> {
  const told = new Promise<void>((resolve) => process.once("message", () => resolve()));
  process.send?.("ready");
  return told;
}

/** To the parent. A child that has nothing left to do ends; one that serves goes on. */
export function tell(answer: unknown): void {
  process.send?.(answer, () => process.disconnect?.());
}

export function peakMb(): number {
  return process.resourceUsage().maxRSS / 1024;
}

export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return (performance.now() - startMs) / 1000;
}

export function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

/** To two decimals. */
export function rounded(ratio: number): number {
  return Math.round(ratio * 100) / 100;
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints the line that ends a benchmark and returns its exit code. */
export function conclude(
  bench: string,
  ratios: Readonly<Record<string, number>>,
  limits: Readonly<Record<string, number>>,
  holds: boolean,
): 0 | 1 {
  print(JSON.stringify({ bench, ratios, limits, holds }));
  return holds ? 0 : 1;
}
