/**
 * The judge. The service's own ledger says what was paid; the database is read past the production store; the file says what should
 * be. Every sentence in `broken` is a promise that was not kept.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { reconcileStep } from "../../src/pipeline/reconcile-step.ts";
import { statusOfBatches } from "../../src/pipeline/status.ts";
import type { Workplace } from "../../src/pipeline/workplace.ts";
import { verifyAudit } from "../../src/store/audit.ts";
import { clientKeysOf } from "./client-keys.ts";
import { disk } from "./disk.ts";
import type { FaultClock } from "./fault-clock.ts";
import { type Effect, isUnbounded } from "./faults.ts";
import type { Network } from "./network.ts";
import { type PayrollRow, type Place, payrollOf } from "./payroll.ts";
import type { People } from "./people.ts";
import type { SeedPlan } from "./seed-plan.ts";
import { sendingRulesBroken } from "./sending-rules.ts";
import type { SentCreation } from "./sent-creations.ts";
import { referencesIn, type SimulatedService, type WireRequest } from "./service.ts";
import { WrittenTexts } from "./written-texts.ts";

interface InstructionRow {
  readonly reference: string;
  readonly currency: string;
  readonly amount: string;
  readonly standing: string;
  readonly payoutId: string | null;
}

const DAY_MS = 86_400_000;

/** Standings in which the service may have the payout. */
const MAY_BE_THERE: ReadonlySet<string> = new Set(["accepted", "in doubt", "held", "sending"]);

const NEEDS_PERSON: ReadonlySet<Effect["kind"]> = new Set<Effect["kind"]>([
  "lost-with-twin",
  "carried-out-twice",
  "refused-yet-made",
  "another-payout-id",
  "clock-jump",
]);

/** References that are cut may be equal to another's. */
function needsPerson(effect: Effect): boolean {
  return NEEDS_PERSON.has(effect.kind) || (effect.kind === "spelled" && effect.spelling === "references-cut");
}

/** The skew that is allowed between the service's clock and ours. */
const SKEW_MS = 5 * 60_000 - 1;

/** What it asks for the truth. */
export interface World {
  readonly service: SimulatedService;
  readonly network: Network;
  readonly faults: Pick<FaultClock, "hasLostWrites" | "hasLostAnchor" | "isBehindAnchor">;
  readonly people: Pick<People, "sentAgain" | "abandoned" | "paidAgain">;
}

export class Oracle {
  readonly broken: string[] = [];
  readonly apart: string[] = [];
  private readonly plan: SeedPlan;
  private readonly place: Place;
  private readonly service: SimulatedService;
  private readonly network: Network;
  private readonly faults: World["faults"];
  private readonly people: World["people"];
  private readonly rows: ReadonlyMap<string, PayrollRow>;
  private readonly written: WrittenTexts;
  /** Somebody orders a stop in this seed. */
  private readonly mayBeStopped: boolean;
  /** Known at rest only. */
  private pausedKeys: ReadonlySet<string | undefined> | undefined;

  constructor(plan: SeedPlan, place: Place, world: World) {
    this.plan = plan;
    this.place = place;
    this.service = world.service;
    this.network = world.network;
    this.faults = world.faults;
    this.people = world.people;
    this.mayBeStopped = plan.faults.some(({ effect }) => effect.kind === "stop-order");
    this.rows = new Map(payrollOf(plan.payroll, plan.rows).rows.map((row) => [row.reference, row]));
    this.written = new WrittenTexts(clientKeysOf(plan).flatMap(({ secrets }) => Object.values(secrets)));
  }

  onWritten(text: string): void {
    this.written.take(text);
  }

  break(sentence: string): void {
    if (!this.broken.includes(sentence)) this.broken.push(sentence);
  }

  /** Changes whenever a standing does. */
  fingerprint(): string {
    return this.instructions()
      .map(({ reference, standing }) => `${reference} ${standing}`)
      .join();
  }

  get isAllAccepted(): boolean {
    const instructions = this.instructions();
    return instructions.length > 0 && instructions.every(({ standing }) => standing === "accepted");
  }

  standings(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { standing } of this.instructions()) counts[standing] = (counts[standing] ?? 0) + 1;
    return counts;
  }

  /** What must hold whenever a process has ended or died. */
  judgeLife(): void {
    const instructions = this.instructions();
    if (this.plan.fromInbox && instructions.length === 0) {
      this.judgeBeforeIntake();
      return;
    }
    this.judgeFile(instructions);
    this.judgeCreations(instructions);
    for (const sentence of this.sendingRulesBroken()) this.break(sentence);
  }

  /** What must hold besides when nothing moves any more. Works in a fresh process. */
  async judgeRest(workplace: Workplace): Promise<void> {
    await statusOfBatches(workplace);
    await workplace.store.read(() => verifyAudit());
    this.readWhatIsWritten();
    for (const found of this.written.secretsFound(this.network.sent.all.map(({ otpCode }) => otpCode))) {
      this.break(`a secret was written: ${found}`);
    }
    this.judgeArrivals();
    if (this.faults.isBehindAnchor) return;
    this.judgeEnd(this.instructions());
    const { misconduct } = this.network.sent;
    if (misconduct.size > 0 || this.people.abandoned.size > 0) await this.judgeAlarms(workplace);
  }

  /** Byte for byte: the database's image, and every file of the seed, which are outputs, locks, the anchor and the originals. */
  private readWhatIsWritten(): void {
    for (const image of disk.images()) this.onWritten(image.toString("latin1"));
    for (const entry of readdirSync(this.place.folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) this.onWritten(readFileSync(join(entry.parentPath, entry.name), "latin1"));
  }

  /** Nothing leaves while an order to stop stands, nor, under rising nonces, anything new past a doubt of its key. */
  judgeLeaving({ reference, key, repeats, isOrdered }: SentCreation): void {
    if (this.mayBeStopped && existsSync(`${this.place.config.databasePath}.stop`))
      this.break("a creation left past a stop order");
    const { nonceRule, nonceWindow } = this.plan;
    if (nonceRule !== "increasing" || nonceWindow !== undefined || repeats || isOrdered) return;
    const doubted = this.doubtful("outcome = 'in doubt'").find(
      (other) => other !== reference && this.keyOf(other) === key,
    );
    if (doubted !== undefined) this.break(`${reference} left past ${doubted}, which is in doubt`);
  }

  /** A look says something only under the key that the payment belongs to. */
  judgeLookUp({ headers, body }: WireRequest): void {
    for (const reference of referencesIn(body))
      if (this.keyOf(reference) !== headers["key"])
        this.break(`${reference} was looked for under another key`);
  }

  /** Nobody but who sent it says what became of a submission, as long as the sender lives and waits for the answer. */
  judgeUnderWay({ reference }: SentCreation): void {
    const latest = `select sends, outcome from submission
      where instruction_id = (select id from instruction where reference = ?) order by id desc limit 1`;
    const settled = `select 1 from (${latest}) where sends = 1 and outcome is not null`;
    if (disk.rows(this.place.config.databasePath, settled, reference).length > 0)
      this.break(`${reference} was settled by somebody else while it was on its way`);
  }

  /** The client key that pays this row, or the one under which it is paid again. */
  private keyOf(reference: string): string | undefined {
    const { accountId = "" } = this.rows.get(reference.replace(/-AGAIN$/, "")) ?? {};
    return clientKeysOf(this.plan).find(({ accounts }) => accounts.includes(accountId))?.secrets.key;
  }

  /** Until a batch is stored, the file is still there to be taken in, and nothing has left. */
  private judgeBeforeIntake(): void {
    const { inbox, work } = this.place.config.folders;
    const waiting = [inbox, work]
      .filter((folder) => existsSync(folder))
      .flatMap((folder) => readdirSync(folder));
    if (waiting.length !== 1) this.break(`${waiting.length} files wait to be taken in`);
    if (this.service.creations().length === 0) return;
    if (this.faults.hasLostWrites)
      this.note("after writes were lost: something was paid and is taken in anew");
    else this.break("something was paid that was never taken in");
  }

  private instructions(): readonly InstructionRow[] {
    return disk.unchangedRows(
      this.place.config.databasePath,
      "select reference, currency, amount, standing, payout_id as payoutId from instruction order by row",
    ) as unknown as InstructionRow[];
  }

  /** Each row of the file has one standing, with its own amount: so counts and sums are the file's. */
  private judgeFile(instructions: readonly InstructionRow[]): void {
    const known = new Map(instructions.map((one) => [one.reference, one]));
    const again = new Set(this.people.paidAgain.values());
    const more = instructions.filter(({ reference }) => again.has(reference)).length;
    if (known.size !== instructions.length || known.size !== this.rows.size + more) {
      this.break(`${instructions.length} instructions for ${this.rows.size} rows and ${more} paid again`);
    }
    for (const { reference, amount } of this.expected()) {
      const one = known.get(reference);
      if (one === undefined && !again.has(reference)) this.break(`row ${reference} is lost`);
      else if (one !== undefined && (one.amount !== amount || one.currency !== "BTC"))
        this.break(`row ${reference} is ${one.amount}`);
    }
  }

  /** The rows of the file, and those of them that a person pays again. */
  private *expected(): Generator<PayrollRow> {
    yield* this.rows.values();
    for (const [earlier, reference] of this.people.paidAgain) {
      const row = this.rows.get(earlier);
      if (row !== undefined) yield { ...row, reference };
    }
  }

  /** What the service has, against what we say and what the file says. */
  private judgeCreations(instructions: readonly InstructionRow[]): void {
    const { misconduct } = this.network.sent;
    const created = Map.groupBy(this.service.creations(), ({ reference }) => reference);
    const { hasLostWrites, hasLostAnchor } = this.faults;
    const tell = (reference: string, isExcused: boolean, sentence: string) => {
      if (misconduct.has(reference)) this.note(`the service's own doing: ${sentence}`);
      else if (isExcused) this.note(`after writes were lost: ${sentence}`);
      else this.break(sentence);
    };
    for (const { reference, standing, payoutId } of instructions) {
      const payouts = created.get(reference) ?? [];
      // What was lost is not known; as long as the anchor tells so, nothing more may be sent.
      const isExcused = hasLostAnchor || this.isByOrder(reference);
      if (payouts.length > 1 && this.hasOutlivedMemory(reference))
        this.note("a request was on its way for longer than the service remembers nonces: paid twice");
      else if (payouts.length > 1)
        tell(reference, isExcused, `${reference} was paid ${payouts.length} times`);
      const isAbandoned = standing === "abandoned" && this.people.abandoned.has(reference);
      if (payouts.length > 0 && !MAY_BE_THERE.has(standing) && !isAbandoned) {
        tell(reference, hasLostWrites, `${reference} is at the service and called ${standing}`);
      }
      if (standing === "accepted" && !payouts.some((payout) => payout.payoutId === payoutId)) {
        tell(reference, hasLostWrites, `${reference} is called accepted and the service has no such payout`);
      }
    }
    for (const [earlier, reference] of this.people.paidAgain) {
      if (created.has(earlier) && created.has(reference))
        tell(earlier, hasLostAnchor, `${earlier} was paid, and once more as ${reference}`);
    }
    const rows = new Map([...this.expected()].map((row) => [row.reference, row]));
    for (const { reference, body } of this.service.creations())
      this.judgeBody(reference, body, rows.get(reference));
  }

  /** A person has sent it again at a service that looks at no nonce, or has forgotten: the consequence that `paydrop doubt` names. */
  private isByOrder(reference: string): boolean {
    const mayForget = this.plan.nonceRule === "unique" && this.plan.memoryDays === 1;
    return (this.plan.serviceNonces === "any" || mayForget) && this.people.sentAgain.has(reference);
  }

  /** What arrives after it was sent again, and after that was forgotten, is new to the service. */
  private hasOutlivedMemory(reference: string): boolean {
    const { nonceRule, memoryDays = Number.POSITIVE_INFINITY } = this.plan;
    const longestMs = this.network.sent.longestMs.get(reference) ?? 0;
    return nonceRule === "unique" && longestMs >= memoryDays * DAY_MS;
  }

  private judgeBody(reference: string, body: string, row: PayrollRow | undefined): void {
    const asFiled =
      row !== undefined &&
      body.includes(`"requestedAmount":{"currency":"BTC","amount":${row.amount}}`) &&
      body.includes(`"destinationAddress":"${row.destinationAddress}"`) &&
      body.includes(`"accountId":"${row.accountId}"`);
    if (!asFiled) this.break(`${reference} is at the service as ${body}`);
  }

  /** Each client key is a lane of its own, with nonces and a one-time code of its own. */
  private *sendingRulesBroken(): Generator<string> {
    const { plan, network, place } = this;
    const { hasLostWrites } = this.faults;
    const submissions = disk.unchangedRows(
      place.config.databasePath,
      `select nonce, reference from submission join instruction on instruction.id = instruction_id
        order by submission.id`,
    );
    for (const { secrets } of clientKeysOf(plan)) {
      const allocated = submissions.filter(({ reference }) => this.keyOf(String(reference)) === secrets.key);
      const stored = new Set(allocated.map(({ nonce, reference }) => `${nonce} ${reference}`));
      const sent = network.sent.all.filter(({ key }) => key === secrets.key);
      yield* sendingRulesBroken(plan, {
        sent,
        remembered: hasLostWrites
          ? sent.filter(({ nonce, reference }) => stored.has(`${nonce} ${reference}`))
          : sent,
        busiest: network.lanes.get(secrets.key)?.busiest ?? 0,
        nonces: allocated.map(({ nonce }) => BigInt(nonce ?? "")),
        hasLostWrites,
      });
    }
    for (const { reference, key } of network.sent.all)
      if (this.keyOf(reference) !== key) yield `${reference} left under another key`;
  }

  /** At the service: no nonce has come with two bodies, unless everything that told of the first one is gone. */
  private judgeArrivals(): void {
    for (const [nonce, bodies] of this.service.arrivals) {
      if (bodies.size < 2) continue;
      if (this.faults.hasLostAnchor) this.note("after writes were lost: a nonce came with two bodies");
      else this.break(`${nonce} came to the service with ${bodies.size} bodies`);
    }
  }

  private judgeEnd(instructions: readonly InstructionRow[]): void {
    const created = new Set(this.service.creations().map(({ reference }) => reference));
    for (const { reference, standing } of instructions) {
      const isVisible = created.has(reference) && !this.network.sent.neverShown.has(reference);
      if (standing === "in doubt" && isVisible) {
        this.break(`${reference} is in doubt and the service shows it`);
      }
      const awaitsApproval = standing === "received" && !this.rows.has(reference);
      if (standing === "sending" || (standing === "received" && !awaitsApproval))
        this.break(`${reference} is ${standing} at rest`);
      if (standing === "approved" && !this.isPaused(reference)) this.break(`${reference} was never sent`);
    }
    this.judgeHeld(instructions);
    if (this.plan.faults.some(isUnbounded)) this.note("unbounded faults");
  }

  /** A person is asked only where something happened that no program can decide. */
  private judgeHeld(instructions: readonly InstructionRow[]): void {
    const { faults } = this.plan;
    if (this.faults.hasLostWrites || faults.some(({ effect }) => needsPerson(effect))) return;
    // What is dated long before it was asked for is not ours.
    if (this.plan.serviceClockOffMs < -SKEW_MS) return;
    const created = Map.groupBy(this.service.creations(), ({ reference }) => reference);
    for (const { reference, standing } of instructions) {
      // Two payouts call for one, however they came about.
      const isTwice = (created.get(reference)?.length ?? 0) > 1;
      if (standing === "held" && !isTwice && !this.isByOrder(reference))
        this.break(`${reference} is held although nothing calls for a person`);
    }
  }

  /** What the service did twice, or did and denied, must be seen by somebody; so must what was given up and shows all the same. */
  private async judgeAlarms(workplace: Workplace): Promise<void> {
    const { breaks } = await reconcileStep(workplace);
    const said = JSON.stringify(breaks);
    const created = Map.groupBy(this.service.creations(), ({ reference }) => reference);
    for (const { reference, standing, payoutId } of this.instructions()) {
      const { misconduct, neverShown } = this.network.sent;
      const isGivenUp = standing === "abandoned" && !neverShown.has(reference);
      if (!misconduct.has(reference) && !isGivenUp) continue;
      // Whoever asks for what is open is told of it.
      if (standing === "held" || standing === "in doubt") continue;
      const payouts = created.get(reference) ?? [];
      const isNeverSeen = payouts.length === 1 && neverShown.has(reference);
      const isRight =
        payouts.length === 0 ||
        isNeverSeen ||
        (payouts.length === 1 && standing === "accepted" && payouts[0]?.payoutId === payoutId);
      if (isRight || said.includes(`"${reference}"`)) continue;
      this.break(`nobody is told what the service did with ${reference}, which is ${standing}`);
    }
  }

  /** Its lane waits for an answer, or for a person. */
  private isPaused(reference: string): boolean {
    if (this.plan.nonceRule !== "increasing") return false;
    this.pausedKeys ??= new Set(this.doubtful().map((doubtful) => this.keyOf(doubtful)));
    return this.pausedKeys.has(this.keyOf(reference));
  }

  /** Something waits for an answer, or for a person. */
  get hasDoubt(): boolean {
    return this.doubtful().length > 0;
  }

  private doubtful(outcome = "(outcome is null or outcome = 'in doubt')"): string[] {
    const open = `select reference from submission join instruction on instruction.id = instruction_id
      where ${outcome} and standing <> 'abandoned'`;
    return disk.rows(this.place.config.databasePath, open).map(({ reference }) => String(reference));
  }

  private note(sentence: string): void {
    if (!this.apart.includes(sentence)) this.apart.push(sentence);
  }
}
