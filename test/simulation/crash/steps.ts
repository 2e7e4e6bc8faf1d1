/**
 * Counts every write, flush, rename, commit and HTTP step of a run's processes, and stops a process at the given ones.
 */
import type { Life } from "../life.ts";

export class Steps {
  /** The steps in order, over all lives. */
  readonly taken: string[] = [];
  /** How many of the stops have happened. */
  stopped = 0;
  private readonly stops: readonly number[];

  /** Counted from 1, rising. */
  constructor(stops: readonly number[]) {
    this.stops = stops;
  }

  take(what: string, life: Life): void {
    this.taken.push(what);
    if (!this.isStop(this.taken.length)) return;
    this.stopped += 1;
    life.die();
  }

  /** Whether the process dies at the next step. */
  get isNextTheLast(): boolean {
    return this.isStop(this.taken.length + 1);
  }

  private isStop(step: number): boolean {
    return this.stops[this.stopped] === step;
  }
}
