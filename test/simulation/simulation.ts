/**
 * One seed from its first life to rest: the production pay step, started again after every end and every death, in a world where
 * the seed's faults happen. What came of it is judged by oracle.ts after every life.
 */
import { Fault as KnownFault } from "../../src/faults/index.ts";
import { Decimal } from "../../src/money/index.ts";
import { intakeStep } from "../../src/pipeline/intake-step.ts";
import { payStep } from "../../src/pipeline/pay-step.ts";
import { giveStopOrder, liftStopOrder } from "../../src/pipeline/stop-order.ts";
import type { Workplace } from "../../src/pipeline/workplace.ts";
import { Chance } from "./chance.ts";
import { Commands } from "./commands.ts";
import { disk } from "./disk.ts";
import { FaultClock } from "./fault-clock.ts";
import { files } from "./files.ts";
import { type Ending, Life, type Work } from "./life.ts";
import { Network } from "./network.ts";
import { Oracle } from "./oracle.ts";
import { type Place, payrollOf, START_MS } from "./payroll.ts";
import { approveAll, People } from "./people.ts";
import { judgeSecondRun } from "./second-run.ts";
import type { SeedPlan } from "./seed-plan.ts";
import { openService, type SimulatedService } from "./service.ts";
import { until } from "./until.ts";
import { VirtualTime } from "./virtual-time.ts";

export interface SeedResult {
  readonly seed: number;
  /** What was broken, in words; empty when everything held. */
  readonly broken: readonly string[];
  /** What happened that no client can prevent, counted apart. */
  readonly apart: readonly string[];
  readonly lives: number;
  readonly rows: number;
  readonly sent: number;
  readonly created: number;
  readonly faultsMet: number;
  readonly faultsByKind: Readonly<Record<string, number>>;
  readonly standings: Readonly<Record<string, number>>;
  readonly trace: readonly string[];
}

const LIVES_MAX = 150;
const PAUSES_MS = [5_000, 60_000, 300_000] as const;
const HOUR_MS = 3_600_000;
/** A pause, beyond the settle window, after a run in which nothing happened. */
const QUIET_PAUSE_MS = 16 * 60_000;
/** The longest outage of ours, where the service's memory is short. */
const LONG_PAUSE_MS = 26 * HOUR_MS;
/** The machine has been up for a while when a seed begins. */
const UP_BEFORE_MS = 3_600_000;

export class Simulation {
  private readonly plan: SeedPlan;
  private readonly place: Place;
  private readonly time = new VirtualTime(START_MS + 3_600_000);
  private readonly chance: Chance;
  private readonly sittings: Chance;
  private readonly work: Work;
  private readonly service: SimulatedService;
  private readonly network: Network;
  private readonly faults: FaultClock;
  private readonly oracle: Oracle;
  private readonly lines: string[] = [];
  private readonly isTracing: boolean;
  private lives = 0;
  private isPaying = false;
  private life: Life | undefined;
  private readonly people: People;
  private readonly commands: Commands;
  private second: { readonly life: Life; ending: Ending | undefined } | undefined;

  constructor(plan: SeedPlan, place: Place, isTracing: boolean) {
    this.plan = plan;
    this.place = place;
    this.isTracing = isTracing;
    this.chance = new Chance(plan.seed ^ 0x1b873593);
    this.sittings = new Chance(plan.seed ^ 0x68e31da4);
    this.work = plan.fromInbox ? takeInAndPay : payStep;
    this.service = openService(plan, this.time);
    const trace = (text: string) => this.trace(text);
    this.commands = new Commands({
      newLife: () =>
        new Life({ ...this.surroundings(), onWrite: () => undefined, onWritten: () => undefined }),
      begin: (...command) => this.begin(...command),
      trace,
    });
    this.faults = new FaultClock(plan, {
      time: this.time,
      startedAtMs: this.time.nowMs - UP_BEFORE_MS,
      databasePath: place.config.databasePath,
      anchorPath: place.config.anchorPath,
      startSecond: () => this.startSecond(),
      orderStop: () => this.commands.give((workplace) => giveStopOrder(workplace, "ben", "looks wrong")),
      liftStop: () => this.commands.give((workplace) => liftStopOrder(workplace, "ben", "was right")),
      trace,
    });
    this.network = new Network(
      {
        time: this.time,
        service: this.service,
        looksAtNonces: plan.serviceNonces !== "any",
        visibilityLagMs: plan.visibilityLagMs,
        effectOn: (kind, caller) => this.faults.effectOn(kind, caller === this.life ? this.life : undefined),
        repeatsRefusedWith: () => this.faults.repeatsRefusedWith,
        onCreationLeaves: (creation) => this.oracle.onCreationLeaves(creation),
        onLookUpLeaves: (wire) => this.oracle.onLookUpLeaves(wire),
        onCreationEnded: (creation) => this.oracle.onCreationEnded(creation),
        trace,
      },
      plan.seed,
    );
    this.people = new People({
      temper: plan.people,
      chance: new Chance(plan.seed ^ 0x2545f491),
      onItsWayMaxMs: onItsWayMaxMs(plan),
      mayBeOvertaken: plan.nonceRule === "increasing",
      creations: () => this.service.creations(),
      wasShown: (reference) => this.network.sent.isShownSince(reference, this.life?.runBeganMs ?? 0),
      break: (sentence) => this.oracle.break(sentence),
      trace,
    });
    const { service, network, faults, people } = this;
    this.oracle = new Oracle(plan, place, { service, network, faults, people });
    disk.onText = (text) => this.oracle.onWritten(text);
  }

  async run(): Promise<SeedResult> {
    let quiet = 0;
    const longestMs = onItsWayMaxMs(this.plan);
    const quietPausesMs = [QUIET_PAUSE_MS, longestMs, QUIET_PAUSE_MS];
    while (quiet < quietPausesMs.length && this.oracle.broken.length === 0) {
      const before = this.oracle.stored.fingerprint();
      const sentBefore = this.network.sent.all.length;
      const faultsBefore = this.faults.met;
      // A daemon pays again in the same process; a person starts it anew.
      const isSame = this.life?.isAlive === true && this.chance.happens(0.5);
      const ending = await this.live(isSame && this.life ? this.life : this.reopened(), this.work);
      this.oracle.judgeLife();
      const nothingHappened =
        ending.kind !== "died" &&
        this.network.sent.all.length === sentBefore &&
        this.faults.met === faultsBefore &&
        this.oracle.stored.fingerprint() === before;
      // What a service that is out was asked says nothing about rest.
      const { isServiceOut } = this.faults;
      const quietPauseMs = isServiceOut ? longestMs : (quietPausesMs[quiet] ?? 0);
      quiet = nothingHappened && !isServiceOut ? quiet + 1 : 0;
      if (quiet > 0 && this.isOver) break;
      this.time.pass(nothingHappened ? quietPauseMs : this.pauseMs());
      if (await this.haveDecided()) quiet = 0;
      if (this.lives >= LIVES_MAX) {
        this.oracle.break(`did not come to rest in ${LIVES_MAX} lives: ${JSON.stringify(ending)}`);
      }
    }
    if (this.oracle.broken.length === 0) await this.rest();
    const created = this.service.creations().length;
    this.service.close();
    return {
      seed: this.plan.seed,
      broken: this.oracle.broken,
      apart: this.oracle.apart,
      lives: this.lives,
      rows: this.plan.rows,
      sent: this.network.sent.all.length,
      created,
      faultsMet: this.faults.met,
      faultsByKind: this.faults.metByKind,
      standings: this.oracle.stored.standings(),
      trace: this.lines,
    };
  }

  /** Another life would find nothing to do: everything was accepted, nothing is on its way, and nobody comes to decide. */
  private get isOver(): boolean {
    return this.time.isIdle && this.plan.people === "absent" && this.oracle.stored.isAllAccepted;
  }

  private pauseMs(): number {
    if (this.plan.memoryDays === 1 && this.sittings.happens(0.15)) return LONG_PAUSE_MS;
    return this.chance.pick(PAUSES_MS);
  }

  /** People sit down now and then, when no run is under way; returns whether anything is otherwise since. */
  private async haveDecided(): Promise<boolean> {
    if (this.plan.people === "absent" || this.oracle.stored.standings()["received"] === this.plan.rows)
      return false;
    if (!this.sittings.happens(0.4)) return false;
    const [before, sentBefore] = [this.oracle.stored.fingerprint(), this.network.sent.all.length];
    const life = this.reopened();
    life.isOrdered = true;
    await this.live(life, (workplace) => this.people.decide(workplace));
    life.die();
    this.oracle.judgeLife();
    this.time.pass(this.chance.pick(PAUSES_MS));
    return this.oracle.stored.fingerprint() !== before || this.network.sent.all.length !== sentBefore;
  }

  /** One process at work, to its end or to its death. */
  private async live(life: Life, work: Work): Promise<Ending> {
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
    // Where the machine stops, the second process may be the one that notices.
    const isDown = () => !life.isAlive || this.second?.life.isAlive === false;
    await until(this.time, () => hasEnded() || isDown());
    if (isDown() || ending === undefined) return this.died();
    this.second = undefined;
    this.trace(`life ${this.lives} ${JSON.stringify(ending)}`);
    return ending;
  }

  /** The last judgement, in a process of its own: after everything was done once more, for nothing. */
  private async rest(): Promise<void> {
    let isJudged = false;
    this.faults.end();
    this.life = this.reopened();
    this.judgeAtRest(this.life.workplace).then(
      () => {
        isJudged = true;
      },
      (error: unknown) => {
        this.oracle.break(`at rest: ${error instanceof Error ? error.stack : String(error)}`);
        isJudged = true;
      },
    );
    await until(this.time, () => isJudged);
  }

  private async judgeAtRest(workplace: Workplace): Promise<void> {
    // Until a person has looked, a restored database takes nothing in.
    if (this.plan.droppedAgain && !this.faults.isBehindAnchor) {
      const { csv } = payrollOf(this.plan.payroll, this.plan.rows);
      await judgeSecondRun(workplace, {
        place: this.place,
        csv,
        oracle: this.oracle,
        sent: this.network.sent,
      });
    }
    await this.oracle.judgeRest(workplace);
  }

  private begin(life: Life, work: Work, onEnding: (ending: Ending) => void): void {
    life.runBeganMs = this.time.nowMs;
    work(life.workplace).then(
      (report) => {
        const text = JSON.stringify(report ?? "done", plain);
        this.oracle.onWritten(text);
        onEnding({ kind: "ended", text: text.slice(0, 300) });
      },
      (error: unknown) => {
        if (!(error instanceof KnownFault)) this.oracle.break(`threw ${String((error as Error).stack)}`);
        const text = error instanceof KnownFault ? `${error.problem.code} ${error.message}` : String(error);
        this.oracle.onWritten(text);
        if (error instanceof KnownFault && error.problem.code === "INVARIANT_BROKEN") this.oracle.break(text);
        onEnding({ kind: "stopped", text });
      },
    );
  }

  /** Another process on the same state. The lane must be taken while the first one pays. */
  private startSecond(): void {
    const first = this.life;
    if (!this.isPaying || first?.isAlive !== true || this.second !== undefined) return;
    const life = new Life(this.surroundings());
    const second: { readonly life: Life; ending: Ending | undefined } = { life, ending: undefined };
    this.second = second;
    this.begin(life, payStep, (ending) => {
      second.ending = ending;
      this.trace(`the second process: ${JSON.stringify(ending)}`);
    });
  }

  private countChangesOf(life: Life): void {
    files.user = {
      get isAlive() {
        return life.isAlive;
      },
      onStep: () => this.faults.onChange(life),
    };
  }

  private died(): Ending {
    this.trace(`life ${this.lives} died`);
    this.life?.die();
    this.second?.life.die();
    this.second = undefined;
    this.bury();
    return { kind: "died" };
  }

  private reopened(): Life {
    this.life?.die();
    this.bury();
    return new Life(this.surroundings());
  }

  /** The system closes what the dead process had open; what was not flushed is gone where its machine died too. */
  private bury(): void {
    files.user = undefined;
    this.commands.die();
    disk.closeAll();
    this.faults.afterDeath();
    this.commands.giveAgain();
  }

  private surroundings() {
    const { time, network, place, chance, faults } = this;
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
        this.oracle.onWritten(text);
        this.trace(text);
      },
    };
  }

  private trace(text: string): void {
    if (!this.isTracing) return;
    const at = new Date(this.time.nowMs).toISOString();
    this.lines.push(`${at} ${text}`);
  }
}

/** Nothing is on its way any longer than this, and no clock is wrong for longer. */
function onItsWayMaxMs({ memoryDays }: SeedPlan): number {
  return (memoryDays === 1 ? 61 : 13) * HOUR_MS;
}

async function takeInAndPay(workplace: Workplace): Promise<unknown> {
  await intakeStep(workplace);
  await approveAll(workplace);
  return payStep(workplace);
}

/** Amounts and nonces as a person reads them. */
function plain(_name: string, value: unknown): unknown {
  return typeof value === "bigint" || value instanceof Decimal ? value.toString() : value;
}
