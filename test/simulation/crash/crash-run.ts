/**
 * One batch of twelve rows from the inbox to the ledger files, by the production steps under a virtual clock. The
 * process is stopped at chosen steps and restarted until nothing is left to do; the result is judged after every life
 * and at the end.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Fault as KnownFault } from "../../../src/faults/index.ts";
import type { ReconciliationReport } from "../../../src/nights/index.ts";
import { baselineStep } from "../../../src/nights/index.ts";
import type { Workplace } from "../../../src/workplace/workplace.ts";
import { Chance } from "../chance.ts";
import { disk } from "../disk.ts";
import { files } from "../files.ts";
import { Life } from "../life.ts";
import { Network } from "../network.ts";
import { drained, withoutWayOut } from "../no-way-out.ts";
import { Oracle } from "../oracle.ts";
import { START_MS } from "../payroll.ts";
import { judgeSecondRun } from "../second-run.ts";
import type { SeedPlan } from "../seed-plan.ts";
import { openService } from "../service.ts";
import { until } from "../until.ts";
import { VirtualTime } from "../virtual-time.ts";
import { acceptanceHalf, brokenAtTheEnd, visibleIn } from "./crash-judge.ts";
import { type CrashSite, layOut, planUnder } from "./site.ts";
import { Steps } from "./steps.ts";
import { resendDoubts, wholeWay } from "./whole-way.ts";

export interface CrashOrder {
  readonly nonceRule: SeedPlan["nonceRule"];
  /**
   * The steps at which a process is stopped, counted from 1 over all processes; the first stop hits the first process.
   */
  readonly stops: readonly number[];
  /** The machine stops with the process, so unflushed writes are lost. */
  readonly withMachine: boolean;
  /** The name of the violation that is planted for the run, if one is. */
  readonly violation?: string | undefined;
}

export interface CrashResult extends CrashOrder {
  /** How many of the stops happened; a run with fewer steps has fewer. */
  readonly stopped: number;
  /** The steps of all lives. */
  readonly steps: readonly string[];
  readonly lives: number;
  /** What was broken; empty if everything held. */
  readonly broken: readonly string[];
}

const NO_FAULTS = { hasLostWrites: false, hasLostAnchor: false, isBehindAnchor: false };
const NOBODY = {
  sentAgain: new Set<string>(),
  abandoned: new Set<string>(),
  takenBack: new Set<string>(),
  paidAgain: new Map<string, string>(),
};
const LIVES_MAX = 20;
const PAYOUT_STEP_MS = 20_000;
/** Between two lives; longer than the settle window. */
const PAUSE_MS = 20 * 60_000;

export async function runCrash(order: CrashOrder, root: string): Promise<CrashResult> {
  const folder = join(root, "crash");
  const plan = planUnder(order.nonceRule);
  const site = await layOut(folder, plan);
  try {
    return await withoutWayOut(() => new CrashRun(order, plan, site).run());
  } finally {
    files.user = undefined;
    files.forget();
    disk.forgetEverything();
    disk.powerMayFail = false;
    rmSync(folder, { recursive: true, force: true });
  }
}

class CrashRun {
  private readonly order: CrashOrder;
  private readonly plan: SeedPlan;
  private readonly site: CrashSite;
  private readonly time = new VirtualTime(START_MS + 3_600_000);
  private readonly chance = new Chance(12);
  private readonly steps: Steps;
  private readonly service;
  private readonly network: Network;
  private readonly oracle: Oracle;
  private isCounting = false;
  private bootedAtMs = START_MS;
  private lives = 0;
  private report: ReconciliationReport | undefined;

  constructor(order: CrashOrder, plan: SeedPlan, site: CrashSite) {
    this.order = order;
    this.plan = plan;
    this.site = site;
    this.steps = new Steps(order.stops);
    this.service = openService(plan, this.time, PAYOUT_STEP_MS);
    this.network = new Network(
      {
        time: this.time,
        service: this.service,
        looksAtNonces: true,
        visibilityLagMs: plan.visibilityLagMs,
        effectOn: (_kind, caller) => this.beforeConnecting(caller as Life),
        repeatsRefusedWith: () => undefined,
        onCreationLeaves: () => undefined,
        onLookUpLeaves: () => undefined,
        onCreationEnded: () => undefined,
        trace: () => undefined,
      },
      plan.seed,
    );
    const { service, network } = this;
    this.oracle = new Oracle(plan, site.place, { service, network, faults: NO_FAULTS, people: NOBODY });
    disk.onText = (text) => this.oracle.onWritten(text);
  }

  async run(): Promise<CrashResult> {
    await this.live((workplace) => baselineStep(workplace, "tess"));
    files.forget();
    disk.powerMayFail = this.order.withMachine;
    this.isCounting = true;
    let isAtRest = false;
    while (!isAtRest && this.oracle.broken.length === 0) {
      const before = this.fingerprint();
      const ended = await this.live(async (workplace) => {
        this.report = await wholeWay(workplace);
      });
      this.oracle.judgeLife();
      for (const sentence of acceptanceHalf(this.site, this.plan)) this.oracle.break(sentence);
      this.time.pass(PAUSE_MS);
      if (!ended || this.fingerprint() !== before) continue;
      isAtRest = this.oracle.stored.unresolved().length === 0;
      const arrived = new Set(this.service.creations().map(({ reference }) => reference));
      if (!isAtRest) await this.live((workplace) => resendDoubts(workplace, arrived), true);
    }
    if (this.oracle.broken.length === 0) await this.rest();
    this.service.close();
    const { order, steps, lives, oracle } = this;
    return { ...order, stopped: steps.stopped, steps: steps.taken, lives, broken: oracle.broken };
  }

  /** Runs one process to its end or its stop; returns whether it ended by itself. */
  private async live(work: (workplace: Workplace) => Promise<unknown>, isOrdered = false): Promise<boolean> {
    this.lives += 1;
    if (this.lives > LIVES_MAX) this.oracle.break(`did not come to rest in ${LIVES_MAX} lives`);
    const life = this.open();
    life.runBeganMs = this.time.nowMs;
    life.isOrdered = isOrdered;
    let hasEnded = false;
    work(life.workplace).then(
      () => {
        hasEnded = true;
      },
      (error: unknown) => {
        hasEnded = true;
        this.oracle.break(`a life ended with ${whatWasThrown(error)}`);
      },
    );
    await until(this.time, () => hasEnded || !life.isAlive);
    const isAlive = life.isAlive;
    life.die();
    // Whatever the process had begun must come to nothing before the next one starts.
    await drained();
    disk.closeAll();
    if (!isAlive && this.order.withMachine) {
      disk.cutPower();
      files.cutPower();
      this.bootedAtMs = this.time.nowMs;
    }
    return isAlive;
  }

  private async rest(): Promise<void> {
    this.isCounting = false;
    await this.live((workplace) => this.oracle.judgeRest(workplace));
    const { site, plan, report } = this;
    if (report === undefined) throw new Error("no life came to its end");
    for (const sentence of brokenAtTheEnd(site, plan, this.service.creations(), report))
      this.oracle.break(sentence);
    const { oracle, network } = this;
    if (oracle.broken.length > 0) return;
    await this.live((workplace) => judgeSecondRun(workplace, { ...site, oracle, sent: network.sent }));
  }

  /** Everything that a run could still change. */
  private fingerprint(): string {
    const { outbox, ledger, work, inbox } = this.site.place.config.folders;
    return [
      this.oracle.stored.fingerprint(),
      this.network.sent.all.length,
      ...[inbox, work, outbox, ledger].flatMap(visibleIn),
    ].join();
  }

  private open(): Life {
    const { time, network, chance, steps } = this;
    const { place } = this.site;
    const count = (what: string, life: Life) => {
      if (this.isCounting) steps.take(what, life);
    };
    const life = new Life({
      time,
      network,
      place,
      chance,
      wallOffsetMs: () => 0,
      bootedAtMs: () => this.bootedAtMs,
      onWrite: (whose) => count("commit", whose),
      onFlush: (whose) => count("flush of the database", whose),
      onWritten: () => undefined,
      onStep: count,
      onLog: (text) => this.oracle.onWritten(text),
    });
    files.user = life;
    return life;
  }

  /** If the next step is the last one, the request's head is cut off, so that it never arrives. */
  private beforeConnecting(life: Life) {
    life.onStep("connect");
    return this.isCounting && this.steps.isNextTheLast
      ? ({ kind: "lost", silent: true } as const)
      : undefined;
  }
}

function whatWasThrown(error: unknown): string {
  if (error instanceof KnownFault) return `${error.problem.code} ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
