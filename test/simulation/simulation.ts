/**
 * One seed from its first life to rest: the production pay step, restarted after every end and every death, in a world
 * where the seed's faults happen. oracle.ts judges the result after every life.
 */
import { intakeStep } from "../../src/files/intake-step.ts";
import { payStep } from "../../src/payments/pay-step.ts";
import { giveStopOrder, liftStopOrder } from "../../src/payments/run/stop-order.ts";
import type { Workplace } from "../../src/workplace/workplace.ts";
import { Chance } from "./chance.ts";
import { disk } from "./disk.ts";
import { FaultClock } from "./fault-clock.ts";
import type { Work } from "./life.ts";
import { Network } from "./network.ts";
import { Oracle } from "./oracle.ts";
import { type Place, payrollOf, START_MS } from "./payroll.ts";
import { approveAll, People } from "./people.ts";
import { Processes } from "./processes.ts";
import { judgeSecondRun } from "./second-run.ts";
import type { SeedPlan } from "./seed-plan.ts";
import type { SeedResult } from "./seed-result.ts";
import { openService, type SimulatedService } from "./service.ts";
import { until } from "./until.ts";
import { VirtualTime } from "./virtual-time.ts";

const LIVES_MAX = 150;
const PAUSES_MS = [5_000, 60_000, 300_000] as const;
const HOUR_MS = 3_600_000;
/** A pause, longer than the settle window, after a run in which nothing happened. */
const QUIET_PAUSE_MS = 16 * 60_000;
/** The longest outage of ours if the service's memory is short. */
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
  private readonly people: People;
  private readonly processes: Processes;

  constructor(plan: SeedPlan, place: Place, isTracing: boolean) {
    this.plan = plan;
    this.place = place;
    this.isTracing = isTracing;
    this.chance = new Chance(plan.seed ^ 0x1b873593);
    this.sittings = new Chance(plan.seed ^ 0x68e31da4);
    this.work = plan.fromInbox ? takeInAndPay : payStep;
    this.service = openService(plan, this.time);
    const trace = (text: string) => this.trace(text);
    this.faults = new FaultClock(plan, {
      time: this.time,
      startedAtMs: this.time.nowMs - UP_BEFORE_MS,
      databasePath: place.config.databasePath,
      anchorPath: place.config.anchorPath,
      startSecond: () => this.processes.startSecond(),
      orderStop: () => this.processes.command((workplace) => giveStopOrder(workplace, "tess", "looks wrong")),
      liftStop: () => this.processes.command((workplace) => liftStopOrder(workplace, "tess", "was right")),
      trace,
    });
    this.network = new Network(
      {
        time: this.time,
        service: this.service,
        looksAtNonces: plan.serviceNonces !== "any",
        visibilityLagMs: plan.visibilityLagMs,
        effectOn: (kind, caller) => {
          const { life } = this.processes;
          return this.faults.effectOn(kind, caller === life ? life : undefined);
        },
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
      givingUp: new Chance(plan.seed ^ 0x7a3c59b4),
      takingBack: plan.takesBack === true ? new Chance(plan.seed ^ 0x13b8d6e1) : undefined,
      onItsWayMaxMs: onItsWayMaxMs(plan),
      hasLeft: (reference) => this.network.sent.all.some((sent) => sent.reference === reference),
      creations: () => this.service.creations(),
      wasShown: (reference) =>
        this.network.sent.isShownSince(reference, this.processes.life?.runBeganMs ?? 0),
      wasToldOtherwise: (reference) =>
        this.network.sent.isToldOtherwiseSince(reference, this.processes.life?.runBeganMs),
      break: (sentence) => this.oracle.break(sentence),
      trace,
    });
    const { service, network, faults, people } = this;
    this.oracle = new Oracle(plan, place, { service, network, faults, people });
    const onText = (text: string) => this.oracle.onWritten(text);
    disk.onText = onText;
    this.processes = new Processes({
      time: this.time,
      network,
      place,
      chance: this.chance,
      faults,
      onText,
      break: (sentence) => this.oracle.break(sentence),
      trace,
    });
  }

  async run(): Promise<SeedResult> {
    let quiet = 0;
    const longestMs = onItsWayMaxMs(this.plan);
    const quietPausesMs = [QUIET_PAUSE_MS, longestMs, QUIET_PAUSE_MS];
    while (quiet < quietPausesMs.length && this.oracle.broken.length === 0) {
      const before = this.oracle.stored.fingerprint();
      const sentBefore = this.network.sent.all.length;
      const faultsBefore = this.faults.met;
      // A daemon pays again in the same process; a person starts a new one.
      const { life } = this.processes;
      const isSame = life?.isAlive === true && this.chance.happens(0.5);
      const ending = await this.processes.live(isSame ? life : this.processes.reopened(), this.work);
      this.oracle.judgeLife();
      const nothingHappened =
        ending.kind !== "died" &&
        this.network.sent.all.length === sentBefore &&
        this.faults.met === faultsBefore &&
        this.oracle.stored.fingerprint() === before;
      // Requests to a service that is out say nothing about rest.
      const { isServiceOut } = this.faults;
      const quietPauseMs = isServiceOut ? longestMs : (quietPausesMs[quiet] ?? 0);
      quiet = nothingHappened && !isServiceOut ? quiet + 1 : 0;
      if (quiet > 0 && this.isOver) break;
      this.time.pass(nothingHappened ? quietPauseMs : this.pauseMs());
      if (await this.haveDecided()) quiet = 0;
      if (this.processes.lives >= LIVES_MAX) {
        this.oracle.break(`did not come to rest in ${LIVES_MAX} lives: ${JSON.stringify(ending)}`);
      }
    }
    const standings = this.oracle.stored.standings();
    if (this.oracle.broken.length === 0) await this.rest();
    const created = this.service.creations().length;
    this.service.close();
    return {
      seed: this.plan.seed,
      broken: this.oracle.broken,
      apart: this.oracle.apart,
      lives: this.processes.lives,
      rows: this.plan.rows,
      sent: this.network.sent.all.length,
      created,
      faultsMet: this.faults.met,
      faultsByKind: this.faults.metByKind,
      standings,
      trace: this.lines,
    };
  }

  /**
   * Another life would find nothing to do: everything was accepted, nothing is in flight, and nobody comes to decide.
   */
  private get isOver(): boolean {
    return this.time.isIdle && this.plan.people === "absent" && this.oracle.stored.isAllAccepted;
  }

  private pauseMs(): number {
    if (this.plan.memoryDays === 1 && this.sittings.happens(0.15)) return LONG_PAUSE_MS;
    return this.chance.pick(PAUSES_MS);
  }

  /** People decide now and then, between runs; returns whether anything changed. */
  private async haveDecided(): Promise<boolean> {
    if (this.plan.people === "absent" || this.oracle.stored.standings()["received"] === this.plan.rows)
      return false;
    if (!this.sittings.happens(0.4)) return false;
    const [before, sentBefore] = [this.oracle.stored.fingerprint(), this.network.sent.all.length];
    const life = this.processes.reopened();
    life.isOrdered = true;
    await this.processes.live(life, (workplace) => this.people.decide(workplace));
    life.die();
    this.oracle.judgeLife();
    this.time.pass(this.chance.pick(PAUSES_MS));
    return this.oracle.stored.fingerprint() !== before || this.network.sent.all.length !== sentBefore;
  }

  /** The last judgement, in its own process, after everything was repeated in vain. */
  private async rest(): Promise<void> {
    let isJudged = false;
    this.faults.end();
    this.judgeAtRest(this.processes.reopened().workplace).then(
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
