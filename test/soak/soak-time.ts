/**
 * Virtual time for a whole process: the wall clock, the monotonic clock, sleeps and the timers of the schedule. It
 * stands still while work is under way and jumps to the next event otherwise. Timers of the network stay real,
 * because the service answers in real time.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { syncBuiltinESMExports } from "node:module";
import promised from "node:timers/promises";
import { VirtualTime } from "../simulation/virtual-time.ts";

/** Work that time waits for, unless it sleeps. */
interface Run {
  sleepers: number;
}

/** A timer of the schedule, in place of Node's. */
class PlannedTimer {
  isCleared = false;
}

/** A run may wait for another one that sleeps; then time goes on after this long. */
const STUCK_MS = 250;

const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout, Date };

export class SoakTime {
  /** Milliseconds since 1970, for threads that share this clock. */
  readonly shared = new BigInt64Array(new SharedArrayBuffer(8));
  private readonly time: VirtualTime;
  private readonly startMs: number;
  private readonly runs = new Set<Run>();
  private readonly inRun = new AsyncLocalStorage<Run>();
  private storing = 0;
  private sleepers = 0;
  private onQuiet: (() => void) | undefined;

  /** Replaces the process's own time from now on; there is no way back. */
  constructor(startMs: number) {
    this.time = new VirtualTime(startMs);
    this.startMs = startMs;
    this.publish();
    this.replaceClocks();
    this.replaceTimers();
  }

  get nowMs(): number {
    return this.time.nowMs;
  }

  at(atMs: number, happen: () => void): void {
    this.time.after(atMs - this.nowMs, happen);
  }

  /** Time stands still until `work` ends, except while it sleeps. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    const run = { sleepers: 0 };
    this.runs.add(run);
    return this.inRun.run(run, work).finally(() => {
      this.runs.delete(run);
      this.changed();
    });
  }

  /** Time stands still until `work` ends. */
  async whileStoring<Result>(work: () => Promise<Result>): Promise<Result> {
    this.storing += 1;
    return work().finally(() => {
      this.storing -= 1;
      this.changed();
    });
  }

  /** Lets everything happen until then. */
  async passTo(atMs: number): Promise<void> {
    let isReached = false;
    this.at(atMs, () => {
      isReached = true;
    });
    while (!isReached) await this.next();
    await this.quiet();
  }

  /** Lets time pass only as far as sleepers need it. */
  async passUntil(ended: Promise<unknown>): Promise<void> {
    let isOver = false;
    const over = ended.finally(() => {
      isOver = true;
    });
    while (!isOver)
      if (this.sleepers > 0) await this.next();
      else await Promise.race([over, new Promise((resolve) => real.setTimeout(resolve, 1))]);
    await over;
  }

  private async next(): Promise<void> {
    await this.quiet();
    this.time.step();
    this.publish();
  }

  private async quiet(): Promise<void> {
    for (let turns = 0; turns < 3; turns += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      while (this.isBusy) {
        turns = 0;
        let isStuck = false;
        await new Promise<void>((resolve) => {
          const timer = real.setTimeout(() => {
            isStuck = this.sleepers > 0;
            resolve();
          }, STUCK_MS);
          this.onQuiet = () => {
            real.clearTimeout(timer);
            resolve();
          };
        });
        if (isStuck) return;
      }
    }
  }

  private get isBusy(): boolean {
    return this.storing > 0 || [...this.runs].some(({ sleepers }) => sleepers === 0);
  }

  private changed(): void {
    if (!this.isBusy) this.onQuiet?.();
  }

  private publish(): void {
    Atomics.store(this.shared, 0, BigInt(this.nowMs));
  }

  private replaceClocks(): void {
    const now = () => this.nowMs;
    const VirtualDate = new Proxy(real.Date, {
      construct: (target, given) => Reflect.construct(target, given.length === 0 ? [now()] : given),
      get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
    });
    globalThis.Date = VirtualDate;
    const machineNs = process.hrtime.bigint();
    process.hrtime.bigint = () => machineNs + BigInt(this.nowMs - this.startMs) * 1_000_000n;
    Object.assign(promised, { setTimeout: this.sleep });
    syncBuiltinESMExports();
  }

  private readonly sleep = (
    durationMs: number,
    value: unknown,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<unknown> => {
    const run = this.inRun.getStore();
    const counted = (by: number) => {
      this.sleepers += by;
      if (run !== undefined) run.sleepers += by;
      this.changed();
    };
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      let isOver = false;
      const over = (end: () => void) => () => {
        if (isOver) return;
        isOver = true;
        counted(-1);
        signal?.removeEventListener("abort", aborted);
        end();
      };
      const aborted = over(() => reject(signal?.reason));
      signal?.addEventListener("abort", aborted, { once: true });
      counted(1);
      this.time.after(
        durationMs,
        over(() => resolve(value)),
      );
    });
  };

  /** Only timers of the schedule become virtual. */
  private replaceTimers(): void {
    const setTimeout = (work: (...given: unknown[]) => void, delayMs?: number, ...given: unknown[]) => {
      if (!/\/daemon\/slots\.[jt]s/.test(new Error().stack ?? ""))
        return real.setTimeout(work, delayMs, ...given);
      const timer = new PlannedTimer();
      this.time.after(delayMs ?? 0, () => {
        if (!timer.isCleared) work(...given);
      });
      return timer;
    };
    const clearTimeout = (timer: unknown) => {
      if (timer instanceof PlannedTimer) timer.isCleared = true;
      else real.clearTimeout(timer as NodeJS.Timeout | undefined);
    };
    Object.assign(globalThis, { setTimeout, clearTimeout });
  }
}
