/** Counts requests and writes, and triggers each fault of the seed when its turn has come. */
import { rmSync } from "node:fs";
import { disk } from "./disk.ts";
import { type Effect, type EventEffect, type Fault, isEvent, type RequestEffect } from "./faults.ts";
import { files } from "./files.ts";
import type { Life } from "./life.ts";
import type { RequestKind } from "./network.ts";
import type { SeedPlan } from "./seed-plan.ts";
import type { VirtualTime } from "./virtual-time.ts";

export interface FaultDoors {
  readonly time: VirtualTime;
  readonly startedAtMs: number;
  readonly databasePath: string;
  readonly anchorPath: string;
  startSecond(): void;
  /** A person's command in its own process. */
  orderStop(): void;
  liftStop(): void;
  trace(text: string): void;
}

export class FaultClock {
  /** How many faults of each kind have happened. */
  readonly metByKind: Record<string, number> = {};
  wallOffsetMs = 0;
  bootedAtMs: number;
  repeatsRefusedWith: number | undefined;
  /** Writes that were reported as flushed are lost. */
  hasLostWrites = false;
  /** The anchor was lost with them once, so that nobody could know. */
  hasLostAnchor = false;
  /** The anchor has survived them: nothing may be sent until a person has looked. */
  isBehindAnchor = false;
  private faults: readonly Fault[];
  private readonly doors: FaultDoors;
  private readonly counts = { creation: 0, "look-up": 0, write: 0, change: 0 };
  private outage: RequestEffect | undefined;
  private lie: { readonly image: Buffer; writesLeft: number; readonly anchorSurvives: boolean } | undefined;
  private rebooting = false;

  constructor({ faults, onFiles }: SeedPlan, doors: FaultDoors) {
    // A disk of the operating system does not lie here.
    this.faults = faults.filter(({ effect }) => !(onFiles && effect.kind === "lying-flush"));
    this.doors = doors;
    this.bootedAtMs = doors.startedAtMs;
  }

  /** How many faults have happened. */
  get met(): number {
    return Object.values(this.metByKind).reduce((sum, count) => sum + count, 0);
  }

  /** The effect on this request; `life` is given if its process may die. */
  effectOn(kind: RequestKind, life: Life | undefined): RequestEffect | undefined {
    this.count(kind, life);
    const nth = this.counts[kind];
    for (const { on, nth: first, times, effect } of this.faults) {
      if (on !== kind || isEvent(effect) || nth < first || nth >= first + times) continue;
      if (effect.kind === "old-copy" && (nth - first) % 2 === 1) continue;
      this.note(effect);
      return effect;
    }
    return this.outage;
  }

  /** Whether the service is out for a while. */
  get isServiceOut(): boolean {
    return this.outage !== undefined;
  }

  onWrite(life: Life | undefined): void {
    this.count("write", life);
  }

  onChange(life: Life): void {
    this.count("change", life);
  }

  onWritten(life: Life): void {
    if (this.lie === undefined) return;
    this.lie.writesLeft -= 1;
    if (this.lie.writesLeft > 0) return;
    this.rebooting = true;
    life.die();
  }

  /** Clears up after the death of the process or its machine. */
  afterDeath(): void {
    if (this.rebooting && this.lie !== undefined) {
      disk.restore(this.doors.databasePath, this.lie.image);
      this.hasLostWrites = true;
      if (this.lie.anchorSurvives) {
        this.isBehindAnchor = true;
        files.keep(this.doors.anchorPath);
      } else this.hasLostAnchor = true;
      if (!this.lie.anchorSurvives) rmSync(this.doors.anchorPath, { force: true });
    }
    if (this.rebooting) {
      disk.cutPower();
      files.cutPower();
      this.bootedAtMs = this.doors.time.nowMs;
      this.lie = undefined;
    }
    this.rebooting = false;
  }

  /** Nothing goes wrong any more. */
  end(): void {
    this.faults = [];
    this.outage = undefined;
    this.lie = undefined;
  }

  private note(effect: Effect): void {
    const kind = effect.kind === "answer" ? `answer ${effect.status}` : effect.kind;
    this.metByKind[kind] = (this.metByKind[kind] ?? 0) + 1;
  }

  private count(on: Fault["on"], life: Life | undefined): void {
    this.counts[on] += 1;
    for (const { on: kind, nth, effect } of this.faults) {
      if (kind !== on || nth !== this.counts[on] || !isEvent(effect)) continue;
      this.note(effect);
      this.doors.trace(`fault ${JSON.stringify(effect)}`);
      this.begin(effect, on, life);
    }
  }

  private begin(effect: EventEffect, on: Fault["on"], life: Life | undefined): void {
    const { time, databasePath, startSecond, orderStop, liftStop } = this.doors;
    switch (effect.kind) {
      case "outage":
        this.outage = OUTAGES[effect.how];
        time.after(effect.forMs, () => {
          this.outage = undefined;
        });
        return;
      case "clock-jump":
        this.wallOffsetMs += effect.byMs;
        time.after(effect.backAfterMs, () => {
          this.wallOffsetMs -= effect.byMs;
        });
        return;
      case "crash":
        if (effect.moment === "before") life?.die();
        else if (effect.moment === "after" && on !== "look-up" && life !== undefined) life.diesNext = true;
        else time.after(effect.laterMs, () => life?.die());
        return;
      case "reboot": {
        const reboot = () => {
          if (life?.isAlive !== true) return;
          this.rebooting = true;
          life.die();
        };
        // In the middle of a change there is no later.
        if (on === "change") reboot();
        else time.after(effect.laterMs, reboot);
        return;
      }
      case "lying-flush":
        this.lie ??= {
          image: disk.imageOf(databasePath),
          writesLeft: effect.writes,
          anchorSurvives: effect.anchorSurvives,
        };
        return;
      case "second-process":
        time.after(effect.laterMs, startSecond);
        return;
      case "stop-order":
        orderStop();
        time.after(effect.liftedAfterMs, liftStop);
        return;
      case "repeats-refused":
        this.repeatsRefusedWith = effect.status;
        return;
    }
  }
}

const OUTAGES: Readonly<Record<(EventEffect & { kind: "outage" })["how"], RequestEffect>> = {
  "refused-connection": { kind: "refused-connection" },
  "503": { kind: "answer", status: 503, form: "html", carriedOut: false },
  silence: { kind: "lost", silent: true },
};
