/**
 * The judge. The service's own ledger says what was paid; the database is read past the production store; the file says
 * what should be. This file says when what is judged; the judge-*.ts say how. Every sentence in `broken` is a broken
 * promise.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { verifyAudit } from "../../src/store/audit.ts";
import { statusOfBatches } from "../../src/views/batch-status.ts";
import type { Workplace } from "../../src/workplace/workplace.ts";
import { clientKeysOf } from "./client-keys.ts";
import { disk } from "./disk.ts";
import { Evidence, type World } from "./evidence.ts";
import { judgeArrivals, judgeCreations } from "./judge-creations.ts";
import { judgeBeforeIntake, judgeFile } from "./judge-file.ts";
import { judgeAlarms, judgeEnd } from "./judge-rest.ts";
import { judgeLanes, judgeLeaving, judgeLookUp, judgeUnderWay } from "./judge-sending.ts";
import { judgeWaysOut } from "./judge-ways-out.ts";
import type { Place } from "./payroll.ts";
import type { SeedPlan } from "./seed-plan.ts";
import type { SentCreation } from "./sent-creations.ts";
import type { WireRequest } from "./service.ts";
import type { StoredPayments } from "./stored-payments.ts";
import { WrittenTexts } from "./written-texts.ts";

export class Oracle {
  private readonly evidence: Evidence;
  private readonly written: WrittenTexts;

  constructor(plan: SeedPlan, place: Place, world: World) {
    this.evidence = new Evidence(plan, place, world);
    this.written = new WrittenTexts(clientKeysOf(plan).flatMap(({ secrets }) => Object.values(secrets)));
  }

  get broken(): readonly string[] {
    return this.evidence.verdict.broken;
  }

  get apart(): readonly string[] {
    return this.evidence.verdict.apart;
  }

  /** The database's contents. */
  get stored(): StoredPayments {
    return this.evidence.stored;
  }

  break(sentence: string): void {
    this.evidence.verdict.break(sentence);
  }

  onWritten(text: string): void {
    this.written.take(text);
  }

  onCreationLeaves(creation: SentCreation): void {
    judgeLeaving(this.evidence, creation);
  }

  onLookUpLeaves(wire: WireRequest): void {
    judgeLookUp(this.evidence, wire);
  }

  onCreationEnded(creation: SentCreation): void {
    judgeUnderWay(this.evidence, creation);
  }

  /** What must hold whenever a process has ended or died. */
  judgeLife(): void {
    const { evidence } = this;
    if (evidence.plan.fromInbox && evidence.stored.instructions().length === 0) {
      judgeBeforeIntake(evidence);
      return;
    }
    judgeFile(evidence);
    judgeCreations(evidence);
    judgeLanes(evidence);
  }

  /** What must hold in addition at rest. Works in a fresh process. */
  async judgeRest(workplace: Workplace): Promise<void> {
    const { evidence } = this;
    await statusOfBatches(workplace);
    await verifyAudit(workplace.store);
    this.judgeSecrets();
    judgeArrivals(evidence);
    if (evidence.world.faults.isBehindAnchor) return;
    judgeEnd(evidence);
    await judgeAlarms(evidence, workplace);
    await judgeWaysOut(evidence, workplace);
  }

  /** No secret in any byte: written texts, database images, files of the seed. */
  private judgeSecrets(): void {
    const { place, world } = this.evidence;
    for (const image of disk.images()) this.onWritten(image.toString("latin1"));
    // Outputs, locks, the anchor and the originals.
    for (const entry of readdirSync(place.folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) this.onWritten(readFileSync(join(entry.parentPath, entry.name), "latin1"));
    for (const found of this.written.secretsFound(world.network.sent.all.map(({ otpCode }) => otpCode)))
      this.break(`a secret was written: ${found}`);
  }
}
