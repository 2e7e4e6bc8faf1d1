/**
 * The processes of a seed: the one that pays or in which a person decides, a second one beside it, and those of
 * commands. Each lives until it ends or dies; what a death leaves behind is cleared up before the next one starts.
 */
import { Fault as KnownFault } from "../../src/faults/index.ts";
import { Decimal } from "../../src/money/index.ts";
import { payStep } from "../../src/payments/pay-step.ts";
import type { Chance } from "./chance.ts";
import { Commands } from "./commands.ts";
import { disk } from "./disk.ts";
import type { FaultClock } from "./fault-clock.ts";
import { files } from "./files.ts";
import { type Ending, Life, type Work } from "./life.ts";
import type { Network } from "./network.ts";
import type { Place } from "./payroll.ts";
import { until } from "./until.ts";
import type { VirtualTime } from "./virtual-time.ts";

export interface ProcessDoors {
  readonly time: VirtualTime;
  readonly network: Network;
  readonly place: Place;
  /** Draws the identifiers of every process. */
  readonly chance: Chance;
  readonly faults: FaultClock;
  /** Called with every text that a process writes or reports. */
  onText(text: string): void;
  /** Records a broken promise. */
  break(sentence: string): void;
  trace(text: string): void;
}

export class Processes {
  /** The main process: it pays, or a person decides in it. */
  life: Life | undefined;
  /** The number of processes so far. */
  lives = 0;
  private readonly doors: ProcessDoors;
  private readonly commands: Commands;
  private isPaying = false;
  private second: { readonly life: Life; ending: Ending | undefined } | undefined;

  constructor(doors: ProcessDoors) {
    this.doors = doors;
    this.commands = new Commands({
      newLife: () =>
        new Life({ ...this.surroundings(), onWrite: () => undefined, onWritten: () => undefined }),
      begin: (...command) => this.begin(...command),
      trace: doors.trace,
    });
  }

  /** Starts a process; the one before it is gone. */
  reopened(): Life {
    this.life?.die();
    this.bury();
    this.life = new Life(this.surroundings());
    return this.life;
  }

  /** Runs one process to its end or its death. */
  async live(life: Life, work: Work): Promise<Ending> {
    this.lives += 1;
    this.life = life;
    this.countChangesOf(life);
    let ending: Ending | undefined;
    this.isPaying = !life.isOrdered;
    this.begin(life, work, (how) => {
      ending = how;
      this.isPaying = false;
    });
    const hasEnded = () =>
      ending !== undefined &&
      (this.second === undefined || this.second.ending !== undefined) &&
      this.commands.areDone;
    // If the machine stops, the second process may be the one that notices.
    const isDown = () => !life.isAlive || this.second?.life.isAlive === false;
    await until(this.doors.time, () => hasEnded() || isDown());
    if (isDown() || ending === undefined) return this.died();
    this.second = undefined;
    this.doors.trace(`life ${this.lives} ${JSON.stringify(ending)}`);
    return ending;
  }

  /** Starts another process on the same state, for which the lane must be taken while the first one pays. */
  startSecond(): void {
    const first = this.life;
    if (!this.isPaying || first?.isAlive !== true || this.second !== undefined) return;
    const life = new Life(this.surroundings());
    const second: { readonly life: Life; ending: Ending | undefined } = { life, ending: undefined };
    this.second = second;
    this.begin(life, payStep, (ending) => {
      second.ending = ending;
      this.doors.trace(`the second process: ${JSON.stringify(ending)}`);
    });
  }

  /** A person's command, in its own process beside whatever runs. */
  command(work: Work): void {
    this.commands.give(work);
  }

  private begin(life: Life, work: Work, onEnding: (ending: Ending) => void): void {
    const { doors } = this;
    life.runBeganMs = doors.time.nowMs;
    work(life.workplace).then(
      (report) => {
        const text = JSON.stringify(report ?? "done", plain);
        doors.onText(text);
        onEnding({ kind: "ended", text: text.slice(0, 300) });
      },
      (error: unknown) => {
        if (!(error instanceof KnownFault)) doors.break(`threw ${String((error as Error).stack)}`);
        const text = error instanceof KnownFault ? `${error.problem.code} ${error.message}` : String(error);
        doors.onText(text);
        if (error instanceof KnownFault && error.problem.code === "INVARIANT_BROKEN") doors.break(text);
        onEnding({ kind: "stopped", text });
      },
    );
  }

  private countChangesOf(life: Life): void {
    files.user = {
      get isAlive() {
        return life.isAlive;
      },
      onStep: () => this.doors.faults.onChange(life),
    };
  }

  private died(): Ending {
    this.doors.trace(`life ${this.lives} died`);
    this.life?.die();
    this.second?.life.die();
    this.second = undefined;
    this.bury();
    return { kind: "died" };
  }

  /** The system closes the dead process's files; if its machine stopped too, unflushed writes are lost. */
  private bury(): void {
    files.user = undefined;
    this.commands.die();
    disk.closeAll();
    this.doors.faults.afterDeath();
    this.commands.giveAgain();
  }

  private surroundings() {
    const { time, network, place, chance, faults, onText, trace } = this.doors;
    return {
      time,
      network,
      place,
      chance,
      wallOffsetMs: () => faults.wallOffsetMs,
      bootedAtMs: () => faults.bootedAtMs,
      onWrite: (life: Life) => faults.onWrite(life === this.life ? life : undefined),
      onWritten: (life: Life) => faults.onWritten(life),
      onLog: (text: string) => {
        onText(text);
        trace(text);
      },
    };
  }
}

/** Writes amounts and nonces readably. */
function plain(_name: string, value: unknown): unknown {
  return typeof value === "bigint" || value instanceof Decimal ? value.toString() : value;
}
