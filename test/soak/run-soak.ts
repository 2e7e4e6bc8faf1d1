/**
 * Lives through a soak: the daemon works for virtual days and is restarted each night, senders send files, two
 * people approve them, and the service has an outage each day. In the last days no file comes and the service is
 * well, so that all work ends.
 */
import { EventEmitter, once } from "node:events";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import Database from "better-sqlite3";
import { jobs } from "../../jobs/index.ts";
import type { Job } from "../../jobs/job.ts";
import { type Hints, runScheduler } from "../../src/daemon/index.ts";
import { approveStep, type Environment, openWorkplace, stderrLog, type Workplace } from "../../src/index.ts";
import type { FaultScript } from "../../src/sandbox/index.ts";
import { copySamples, SANDBOX_SECRETS } from "../cli/program.ts";
import { Chance } from "../simulation/chance.ts";
import { dueSlots } from "./due-slots.ts";
import { type AnswerKind, filesOf, QUIET_SECONDS } from "./files.ts";
import type { Evidence, Figures, KeptSlot } from "./judge.ts";
import type { ServiceOrder, ServicePlace } from "./service-thread.ts";
import { SoakTime } from "./soak-time.ts";

export interface SoakPlan {
  /** The first day, "2026-10-09". */
  readonly from: string;
  readonly days: number;
  readonly files: number;
  readonly seed: number;
  /** How many minutes are between two slots of the jobs that take in and pay; at most 60. */
  readonly every: number;
}

export interface Soak {
  readonly evidence: Evidence;
  /** Of each night on which the daemon was restarted. */
  readonly nights: readonly Figures[];
  readonly outages: number;
  /** How many submissions had which outcome, and how many runs of jobs. */
  readonly submissions: Readonly<Record<string, number>>;
  readonly runs: Readonly<Record<string, number>>;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The last days, in which nobody sends a file, and the service has no outage. */
const REST_DAYS = 3;

const APPROVED_EVERY_MS = 3 * HOUR_MS;

const TIME_ZONE = "Europe/Madrid";
/** The single days off are Wednesdays, so that the last files of a soak are paid whatever day it ends on. */
const CALENDAR =
  '{ daysOff: [Saturday, Sunday, "10-21", "03-18"], cutOff: "16:00", sendHours: { from: "08:00", to: "18:00" } }';

/** The digest's slot is in the hour that comes twice in October and not at all in March. */
const NIGHTLY = { reconcile: "0 4 * * *", ledger: "30 4 * * *", digest: "30 2 * * *" };

const OUTAGES: readonly ("close" | readonly FaultScript[])[] = [
  [{ operation: "createPayoutV2", chance: 0.7, effect: { kind: "cut-after-commit" } }],
  "close",
  [{ operation: "*", effect: { kind: "answer", statusCode: 503, body: "", committed: false } }],
  [{ operation: "*", chance: 0.5, effect: { kind: "half-body" } }],
  [{ operation: "*", effect: { kind: "cut-before-read" } }],
];

export async function runSoak(plan: SoakPlan): Promise<Soak> {
  const folder = mkdtempSync(join(tmpdir(), "paydrop-soak-"));
  const soak = new SoakUnderWay(folder, plan);
  try {
    return await soak.live();
  } finally {
    await soak.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

class SoakUnderWay {
  private readonly folder: string;
  private readonly plan: SoakPlan;
  private readonly chance: Chance;
  private readonly time: SoakTime;
  private readonly startMs: number;
  private readonly endMs: number;
  private readonly service: Worker;
  private readonly schedule: Readonly<Record<string, string>>;
  private readonly approved: string[] = [];
  private readonly expected: Record<string, AnswerKind> = {};
  private readonly nights: Figures[] = [];
  private readonly failures: unknown[] = [];
  /** When the payments were approved that an outage met. */
  private readonly struckMs: number[] = [];
  /** While the daemon runs. */
  private daemon: { readonly workplace: Workplace; readonly hints: Hints } | undefined;

  constructor(folder: string, plan: SoakPlan) {
    this.folder = folder;
    this.plan = plan;
    this.chance = new Chance(plan.seed);
    this.startMs = Date.parse(`${plan.from}T06:00:07.123Z`);
    this.endMs = this.startMs + plan.days * DAY_MS;
    this.time = new SoakTime(this.startMs);
    const often = plan.every === 60 ? "0 * * * *" : `*/${plan.every} * * * *`;
    this.schedule = { intake: often, pay: often, track: "7 * * * *", expected: "17 */2 * * *", ...NIGHTLY };
    const workerData: ServicePlace = { clock: this.time.shared, database: join(folder, "service.sqlite") };
    this.service = new Worker(new URL("./service-thread.ts", import.meta.url), { workerData });
  }

  async live(): Promise<Soak> {
    const environment = this.furnish(String(await this.order("open")));
    this.planOutages();
    this.planFiles();
    this.planApprovals();
    for (let night = 1; night < this.plan.days; night += 1) {
      // A job that never had a slot is not known to have missed one, so the first night has one of each.
      const beforeMs = this.chance.between(60, night === 1 ? 120 : 300) * MINUTE_MS;
      await this.serveUntil(this.startMs + night * DAY_MS - beforeMs, environment);
      this.nights.push(measured());
      await this.time.passTo(this.time.nowMs + this.chance.between(60, 150 * 60) * SECOND_MS + 456);
    }
    await this.serveUntil(this.endMs, environment);
    const isFound = "outcome = 'accepted' and http_status is not 202";
    const submissions = this.counted(`outcome || iif(${isFound}, ' by a look', '')`, "submission");
    const runs = this.counted("outcome ->> 'outcome'", "run");
    return {
      evidence: await this.evidence(),
      nights: this.nights,
      outages: this.struckMs.length,
      submissions,
      runs,
    };
  }

  async end(): Promise<void> {
    await this.service.terminate();
  }

  /** Returns the environment in which the daemon finds everything. */
  private furnish(url: string): Environment {
    copySamples(this.folder);
    const path = join(this.folder, "paydrop.yaml");
    writeFileSync(
      path,
      readFileSync(path, "utf8").replace("quietSeconds: 0", `quietSeconds: ${QUIET_SECONDS}`),
    );
    appendFileSync(path, `\ncalendar: ${CALENDAR}\n`);
    mkdirSync(join(this.folder, "inbox"));
    const schedule = Object.entries(this.schedule).map(([job, when]) => [
      `PAYDROP_SCHEDULE_${job.toUpperCase()}`,
      when,
    ]);
    // Outages begin during a run, which waits for longer than until the next slot. Doubts end without a person.
    const slow = {
      PAYDROP_HTTP_RATE_PER_SECOND: "1",
      PAYDROP_NONCE_MEMORY_DAYS: "365",
      PAYDROP_HTTP_OUTAGE_SECONDS: String(this.plan.every * 90),
    };
    return {
      ...SANDBOX_SECRETS,
      ...Object.fromEntries(schedule),
      ...slow,
      PAYDROP_SERVICE_BASE_URL: url,
    };
  }

  private async serveUntil(atMs: number, environment: Environment): Promise<void> {
    const stop = new AbortController();
    const path = join(this.folder, "paydrop.yaml");
    const opened = openWorkplace(path, environment, stderrLog("silent"), undefined, stop.signal);
    const store = Object.create(opened.store, {
      read: { value: (work: never) => this.time.whileStoring(() => opened.store.read(work)) },
      write: { value: (work: never) => this.time.whileStoring(() => opened.store.write(work)) },
    });
    const workplace = { ...opened, store };
    const hints: Hints = new EventEmitter();
    const ended = runScheduler(
      workplace,
      jobs.map((job) => this.timed(job)),
      stop.signal,
      hints,
    );
    this.daemon = { workplace: opened, hints };
    await this.time.passTo(atMs);
    this.daemon = undefined;
    stop.abort();
    await this.time.passUntil(ended);
    await opened.close();
    if (this.failures.length > 0) throw new AggregateError(this.failures, "people could not do their part");
  }

  private timed({ run, look, ...job }: Job): Job {
    return {
      ...job,
      run: (...given) => this.time.during(() => run(...given)),
      ...(look && { look: (...given) => this.time.during(() => look(...given)) }),
    };
  }

  private planFiles(): void {
    const inbox = join(this.folder, "inbox");
    const lastMs = Math.max(1, this.plan.days - REST_DAYS) * DAY_MS;
    for (const { answers, steps } of filesOf(this.plan.files, this.chance)) {
      Object.assign(this.expected, answers);
      const atMs = this.arrivalMs(lastMs);
      for (const step of steps) this.byHand(atMs + step.afterMs, () => step.does(inbox));
    }
  }

  /**
   * Most files come right before the inbox is looked at, so that many are then still being written. Many come
   * shortly before an approval that an outage follows.
   */
  private arrivalMs(lastMs: number): number {
    const [first = this.startMs, ...others] = this.struckMs;
    const atMs = this.chance.happens(0.4)
      ? this.chance.pick([first, ...others]) - HOUR_MS
      : this.startMs + this.chance.between(0, lastMs - 12 * HOUR_MS);
    return this.chance.happens(0.8) ? this.slotFrom(atMs) - this.chance.between(0, 20) * SECOND_MS : atMs;
  }

  /** On each day but the last ones, while payments are sent that people have just approved. */
  private planOutages(): void {
    for (let day = 0; day < this.plan.days - REST_DAYS; day += 1) {
      const approvedMs = this.startMs + day * DAY_MS + this.chance.pick([1, 2]) * APPROVED_EVERY_MS;
      const fromMs = this.slotFrom(approvedMs) + this.chance.between(2, 8) * SECOND_MS;
      const outage = OUTAGES[day % OUTAGES.length] ?? "close";
      this.struckMs.push(approvedMs);
      this.byHand(fromMs, () => this.order(outage));
      const untilMs = fromMs + this.chance.between(20, 90) * MINUTE_MS;
      this.byHand(untilMs, () => this.order(outage === "close" ? "open" : []));
    }
  }

  /** The first slot of the frequent jobs that is not before `atMs`. */
  private slotFrom(atMs: number): number {
    const everyMs = this.plan.every * MINUTE_MS;
    return Math.ceil(atMs / everyMs) * everyMs;
  }

  /** Two people approve what waits; now and then a callback comes, or somebody wants a job to run now. */
  private planApprovals(): void {
    for (let atMs = this.startMs; atMs < this.endMs; atMs += APPROVED_EVERY_MS) {
      this.byHand(atMs, () => this.approveAll());
      const hint = this.chance.pick(["pay", "track"] as const);
      if (this.chance.happens(0.4))
        this.time.at(atMs + MINUTE_MS, () => this.daemon?.hints.emit("hint", hint));
      if (this.chance.happens(0.3))
        this.time.at(atMs + 2 * MINUTE_MS, () => this.daemon?.hints.emit("run", "intake", "alice"));
    }
  }

  private async approveAll(): Promise<void> {
    if (this.daemon === undefined) return;
    const waiting = this.stored<{ readonly batch: string; readonly reference: string }>(
      "select batch_id as batch, reference from instruction where standing = 'received'",
    );
    for (const [batch, payments] of Map.groupBy(waiting, (each) => each.batch)) {
      for (const person of ["alice", "bob"]) await approveStep(this.daemon.workplace, batch, person);
      this.approved.push(...payments.map(({ reference }) => reference));
    }
  }

  private byHand(atMs: number, work: () => Promise<unknown>): void {
    this.time.at(atMs, () => void this.time.during(work).catch((error) => this.failures.push(error)));
  }

  private async order(order: ServiceOrder): Promise<unknown> {
    this.service.postMessage(order);
    const [answer] = await once(this.service, "message");
    return answer;
  }

  private async evidence(): Promise<Evidence> {
    const due = Object.entries(this.schedule).map(([job, schedule]) => [
      job,
      dueSlots(schedule, TIME_ZONE, this.startMs, this.endMs),
    ]);
    return {
      expected: this.expected,
      outbox: readdirSync(join(this.folder, "outbox")),
      due: Object.fromEntries(due),
      kept: this.stored<KeptSlot>(
        "select job, due_at as dueAt, until, how, reason from job_slot order by seq",
      ),
      approved: this.approved,
      created: (await this.order("creations")) as string[],
    };
  }

  private counted(what: string, table: string): Record<string, number> {
    const counts = this.stored<{ readonly what: string; readonly count: number }>(
      `select ${what} as what, count(*) as count from ${table} group by 1`,
    );
    return Object.fromEntries(counts.map(({ what, count }) => [what, count]));
  }

  private stored<Row>(query: string): Row[] {
    const database = new Database(join(this.folder, "paydrop.sqlite"), { readonly: true });
    try {
      return database.prepare<[], Row>(query).all();
    } finally {
      database.close();
    }
  }
}

/** On Linux only. */
const OPEN_FILES = "/proc/self/fd";

/** Between two lives of the daemon. */
function measured(): Figures {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return {
    heapMebibytes: Math.round(((heapUsed + external) / 1024 ** 2) * 10) / 10,
    openFiles: existsSync(OPEN_FILES) ? readdirSync(OPEN_FILES).length : 0,
    resources: process.getActiveResourcesInfo().length,
  };
}
