/**
 * One life of the paying process: the production workplace in a context that the simulation controls. When it dies,
 * nothing that it waits for ever settles, so that not one more line of it runs.
 */
import type { Clock } from "../../src/context/clock.ts";
import type { LogFields } from "../../src/context/log.ts";
import { Anchor } from "../../src/store/anchor.ts";
import { openSqliteStore } from "../../src/store/engines/sqlite-store.ts";
import type { Transaction } from "../../src/store/sql.ts";
import type { Store } from "../../src/store/store.ts";
import { askNobody } from "../../src/workplace/service.ts";
import { type Workplace, workplaceIn } from "../../src/workplace/workplace.ts";
import type { Chance } from "./chance.ts";
import { disk } from "./disk.ts";
import type { Caller, Network, RequestKind } from "./network.ts";
import { never } from "./never.ts";
import type { Place } from "./payroll.ts";
import { signInSimulation } from "./signers.ts";
import type { VirtualTime } from "./virtual-time.ts";

export interface Surroundings {
  readonly time: VirtualTime;
  readonly network: Network;
  readonly place: Place;
  readonly chance: Chance;
  /** The error of our wall clock. */
  wallOffsetMs(): number;
  /** When the machine started, for its monotonic clock. */
  bootedAtMs(): number;
  /** A commit is about to be written; the life may die there. */
  onWrite(life: Life): void;
  /** It was written and is about to be flushed; the life may die there. */
  onFlush?(life: Life): void;
  /** It is on the disk. */
  onWritten(life: Life): void;
  /** A step of a request; the life may die there. */
  onStep?(what: string, life: Life): void;
  onLog(text: string): void;
}

/** What a process is started for. */
export type Work = (workplace: Workplace) => Promise<unknown>;

export type Ending =
  | { readonly kind: "ended"; readonly text: string }
  | { readonly kind: "stopped"; readonly text: string }
  | { readonly kind: "died" };

const FLUSH_MS = 2;

export class Life implements Caller {
  readonly workplace: Workplace;
  isAlive = true;
  runBeganMs = 0;
  isOrdered = false;
  /** It dies when the next head or transaction is written. */
  diesNext = false;
  private readonly around: Surroundings;
  private readonly anchor: Anchor;

  constructor(around: Surroundings) {
    this.around = around;
    const { config, environment } = around.place;
    const context = {
      clock: this.clock(),
      random: { uuid: () => around.chance.uuid() },
      transport: around.network.transportFor(this),
      log: { info: this.log("info"), warn: this.log("warn"), error: this.log("error") },
    };
    this.anchor = new Anchor(config.anchorPath);
    const scheduleCommit = (commit: () => void) => this.scheduleCommit(commit);
    const flush = { flush: () => this.flush(), close: async () => undefined };
    const store = openSqliteStore(config.databasePath, { scheduleCommit, flush, anchor: this.anchor });
    const fenced = this.store(store);
    this.workplace = workplaceIn(config, environment, context, fenced, askNobody, signInSimulation);
  }

  die(): void {
    this.isAlive = false;
    this.anchor.close();
  }

  onHeadWritten(kind: RequestKind): void {
    if (kind === "creation" && this.diesNext) this.die();
    this.onStep("head written");
    if (this.isAlive) this.onStep("body written");
  }

  onAnswered(): void {
    if (this.isAlive) this.onStep("answer read");
  }

  onStep(what: string): void {
    this.around.onStep?.(what, this);
  }

  private clock(): Clock {
    const { time, wallOffsetMs, bootedAtMs } = this.around;
    return {
      now: () => new Date(time.nowMs + wallOffsetMs()).toISOString(),
      monotonicMs: () => time.nowMs - bootedAtMs(),
      sleep: (durationMs, signal) => {
        if (!this.isAlive) return never();
        return new Promise((resolve, reject) => {
          if (signal?.aborted === true) return reject(signal.reason);
          signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
          time.after(durationMs, () => {
            if (this.isAlive) resolve();
          });
        });
      },
    };
  }

  /**
   * A commit is an event: a process that dies before it leaves nothing, and one that dies after it learns nothing of
   * it.
   */
  private scheduleCommit(commit: () => void): void {
    this.around.time.after(0, () => {
      if (this.isAlive) this.around.onWrite(this);
      if (!this.isAlive) return;
      commit();
    });
  }

  /** A process that dies before it leaves its commits to the machine, which may stop too. */
  private flush(): Promise<void> {
    return new Promise((resolve) => {
      this.around.time.after(FLUSH_MS, () => {
        if (this.isAlive) this.around.onFlush?.(this);
        if (!this.isAlive) return;
        disk.flush(this.around.place.config.databasePath);
        this.around.onWritten(this);
        if (this.diesNext) this.die();
        if (this.isAlive) resolve();
      });
    });
  }

  private store(store: Store): Store {
    return {
      isShared: store.isShared,
      takeLane: (keyId, sendingMs) => store.takeLane(keyId, sendingMs),
      read: (transaction) => (this.isAlive ? store.read(transaction) : never()),
      write: <Result>(transaction: () => Transaction<Result>) => {
        if (!this.isAlive) return never();
        return new Promise<Result>((resolve, reject) => {
          store.write(transaction).then(
            (result) => this.isAlive && resolve(result),
            (error: unknown) => this.isAlive && reject(error),
          );
        });
      },
      close: () => store.close(),
    };
  }

  private log(level: string) {
    return (event: string, fields: LogFields = {}) =>
      this.around.onLog(`${level} ${event} ${JSON.stringify(fields)}`);
  }
}
