/**
 * The judge. The service's own ledger says what was paid; the database is read past the production store; the file says what should
 * be. Every sentence in `broken` is a promise that was not kept.
 */
import { reconcileStep } from "../../src/pipeline/reconcile-step.ts";
import { statusOfBatches } from "../../src/pipeline/status.ts";
import type { Workplace } from "../../src/pipeline/workplace.ts";
import { verifyAudit } from "../../src/store/audit.ts";
import { disk } from "./disk.ts";
import type { FaultClock } from "./fault-clock.ts";
import { type Effect, isUnbounded } from "./faults.ts";
import type { Network } from "./network.ts";
import { type PayrollRow, type Place, payrollOf, SECRETS } from "./payroll.ts";
import type { SeedPlan } from "./seed-plan.ts";
import { sendingRulesBroken } from "./sending-rules.ts";
import type { SimulatedService } from "./service.ts";
import { WrittenTexts } from "./written-texts.ts";

interface InstructionRow {
  readonly reference: string;
  readonly currency: string;
  readonly amount: string;
  readonly standing: string;
  readonly payoutId: string | null;
}

/** Standings in which the service may have the payout. */
const MAY_BE_THERE: ReadonlySet<string> = new Set(["accepted", "in doubt", "held", "sending"]);

const NEEDS_PERSON: ReadonlySet<Effect["kind"]> = new Set<Effect["kind"]>([
  "lost-with-twin",
  "carried-out-twice",
  "refused-yet-made",
  "another-payout-id",
  "clock-jump",
]);

export class Oracle {
  readonly broken: string[] = [];
  readonly apart: string[] = [];
  private readonly plan: SeedPlan;
  private readonly place: Place;
  private readonly service: SimulatedService;
  private readonly network: Network;
  private readonly faults: FaultClock;
  private readonly rows: ReadonlyMap<string, PayrollRow>;
  private readonly written = new WrittenTexts(Object.values(SECRETS));

  constructor(plan: SeedPlan, place: Place, service: SimulatedService, network: Network, faults: FaultClock) {
    this.plan = plan;
    this.place = place;
    this.service = service;
    this.network = network;
    this.faults = faults;
    this.rows = new Map(payrollOf(plan.payroll, plan.rows).rows.map((row) => [row.reference, row]));
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

  standings(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { standing } of this.instructions()) counts[standing] = (counts[standing] ?? 0) + 1;
    return counts;
  }

  /** What must hold whenever a process has ended or died. */
  judgeLife(): void {
    const instructions = this.instructions();
    this.judgeFile(instructions);
    this.judgeCreations(instructions);
    for (const sentence of this.sendingRulesBroken()) this.break(sentence);
  }

  /** What must hold besides when nothing moves any more. Works in a fresh process. */
  async judgeRest(workplace: Workplace): Promise<void> {
    await statusOfBatches(workplace);
    await workplace.store.read(() => verifyAudit());
    for (const found of this.written.secretsFound(this.network.sent.all.map(({ otpCode }) => otpCode))) {
      this.break(`a secret was written: ${found}`);
    }
    if (this.faults.isBehindAnchor) return;
    this.judgeEnd(this.instructions());
    if (this.network.sent.misconduct.size > 0) await this.judgeAlarms(workplace);
  }

  private instructions(): readonly InstructionRow[] {
    return disk.rows(
      this.place.config.databasePath,
      "select reference, currency, amount, standing, payout_id as payoutId from instruction order by row",
    ) as unknown as InstructionRow[];
  }

  /** Each row of the file has one standing, with its own amount: so counts and sums are the file's. */
  private judgeFile(instructions: readonly InstructionRow[]): void {
    const known = new Map(instructions.map((one) => [one.reference, one]));
    if (known.size !== instructions.length || known.size !== this.rows.size) {
      this.break(`${instructions.length} instructions for ${this.rows.size} rows`);
    }
    for (const { reference, amount } of this.rows.values()) {
      const one = known.get(reference);
      if (one === undefined) this.break(`row ${reference} is lost`);
      else if (one.amount !== amount || one.currency !== "BTC")
        this.break(`row ${reference} is ${one.amount}`);
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
      if (payouts.length > 1) tell(reference, hasLostAnchor, `${reference} was paid ${payouts.length} times`);
      if (payouts.length > 0 && !MAY_BE_THERE.has(standing)) {
        tell(reference, hasLostWrites, `${reference} is at the service and called ${standing}`);
      }
      if (standing === "accepted" && !payouts.some((payout) => payout.payoutId === payoutId)) {
        tell(reference, hasLostWrites, `${reference} is called accepted and the service has no such payout`);
      }
    }
    for (const { reference, body } of this.service.creations()) this.judgeBody(reference, body);
  }

  private judgeBody(reference: string, body: string): void {
    const row = this.rows.get(reference);
    const asFiled =
      row !== undefined &&
      body.includes(`"requestedAmount":{"currency":"BTC","amount":${row.amount}}`) &&
      body.includes(`"destinationAddress":"${row.destinationAddress}"`) &&
      body.includes(`"accountId":"${row.accountId}"`);
    if (!asFiled) this.break(`${reference} is at the service as ${body}`);
  }

  private sendingRulesBroken(): Iterable<string> {
    const { plan, network, faults, place } = this;
    const allocated = disk.rows(place.config.databasePath, "select nonce from submission order by id");
    const nonces = allocated.map(({ nonce }) => BigInt(nonce ?? ""));
    const { hasLostWrites } = faults;
    return sendingRulesBroken(plan, {
      sent: network.sent.all,
      busiest: network.busiest,
      nonces,
      hasLostWrites,
    });
  }

  private judgeEnd(instructions: readonly InstructionRow[]): void {
    const created = new Set(this.service.creations().map(({ reference }) => reference));
    const isPaused = this.plan.nonceRule === "increasing" && this.hasDoubt;
    for (const { reference, standing } of instructions) {
      const isVisible = created.has(reference) && !this.network.sent.neverShown.has(reference);
      if (standing === "in doubt" && isVisible) {
        this.break(`${reference} is in doubt and the service shows it`);
      }
      if (standing === "sending" || standing === "received")
        this.break(`${reference} is ${standing} at rest`);
      if (standing === "approved" && !isPaused) this.break(`${reference} was never sent`);
    }
    this.judgeHeld(instructions);
    if (this.plan.faults.some(isUnbounded)) this.note("unbounded faults");
  }

  /** A person is asked only where something happened that no program can decide. */
  private judgeHeld(instructions: readonly InstructionRow[]): void {
    const { faults } = this.plan;
    if (this.faults.hasLostWrites || faults.some(({ effect }) => NEEDS_PERSON.has(effect.kind))) return;
    for (const { reference, standing } of instructions) {
      if (standing === "held") this.break(`${reference} is held although nothing calls for a person`);
    }
  }

  /** What the service did twice, or did and denied, must be seen by somebody. */
  private async judgeAlarms(workplace: Workplace): Promise<void> {
    const { breaks } = await reconcileStep(workplace);
    const said = JSON.stringify(breaks);
    const created = Map.groupBy(this.service.creations(), ({ reference }) => reference);
    for (const { reference, standing, payoutId } of this.instructions()) {
      if (!this.network.sent.misconduct.has(reference) || standing === "held") continue;
      const payouts = created.get(reference) ?? [];
      const isRight =
        payouts.length === 0 ||
        (payouts.length === 1 && standing === "accepted" && payouts[0]?.payoutId === payoutId);
      if (isRight || said.includes(`"${reference}"`)) continue;
      this.break(`nobody is told what the service did with ${reference}, which is ${standing}`);
    }
  }

  /** Something waits for an answer, or for a person. */
  get hasDoubt(): boolean {
    const open = "select 1 from submission where outcome is null or outcome = 'in doubt' limit 1";
    return disk.rows(this.place.config.databasePath, open).length > 0;
  }

  private note(sentence: string): void {
    if (!this.apart.includes(sentence)) this.apart.push(sentence);
  }
}
