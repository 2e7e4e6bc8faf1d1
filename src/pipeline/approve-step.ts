/**
 * A checker releases exactly what was shown: the digest names the batch and is recomputed before the approval counts.
 */
import { type ApprovalDecision, decide, runOutAt, unaccepted, validApprovals } from "../approval/index.ts";
import type { Config } from "../config/index.ts";
import { Fault, fault, invariant, type Problem } from "../faults/index.ts";
import { applying } from "../model/applying.ts";
import {
  type Approval,
  type Batch,
  BatchDigest,
  type BatchId,
  type Instruction,
  personKey,
} from "../model/index.ts";
import { appendAudit } from "../store/audit.ts";
import { insertApproval, listApprovals } from "../store/batches.ts";
import { moveBatch } from "../store/instructions.ts";
import type { Transaction } from "../store/sql.ts";
import { visitBatch } from "../store/windows.ts";
import { batchNamed } from "./payments/named.ts";
import { type BatchScreening, screenBatch } from "./screening/screening.ts";
import { checkAgreement } from "./workplace/agreement.ts";
import type { Workplace } from "./workplace/workplace.ts";

export interface ApprovalReport extends ApprovalDecision, Omit<BatchScreening, "refusals"> {
  readonly batch: Batch;
  /** The number of instructions that this approval released. */
  readonly released: number;
  /** The number of instructions whose former approval had run out, and which may be sent again. */
  readonly renewed: number;
}

export interface ApprovalOptions {
  /** How many repeated payments the person has seen and accepts. */
  readonly acceptRepeats?: number | undefined;
  /** How many payments to look-alike destinations the person has compared and accepts. */
  readonly acceptLookAlikes?: number | undefined;
}

/**
 * Records one person's approval; the last one that the rules require releases the batch. Throws the reason if the
 * approval does not count.
 */
export async function approveStep(
  workplace: Workplace,
  idOrDigest: string,
  person: string,
  accepted: ApprovalOptions = {},
): Promise<ApprovalReport> {
  const { store, config, context } = workplace;
  if (personKey(person) === "") throw fault("PERSON_UNNAMED", {});
  await checkAgreement(workplace);
  const batch = await store.read(() => batchNamed(idOrDigest));
  const at = context.clock.now();
  const { refusals, ...screened } = await screenBatch(workplace, batch.id);
  return store.write(function* (): Transaction<ApprovalReport> {
    const approvals = yield* listApprovals(batch.id);
    const isPastItsEnd = runOutAt(batch, approvals, config.approval, at);
    const runOut = yield* checkOpen(batch, approvals, isPastItsEnd);
    const valid = validApprovals(approvals, at, config.approval.validDays);
    const decided = decide(batch, valid, person, config.approval.rules);
    if ("problem" in decided) throw new Fault(decided.problem);
    const { decision } = decided;
    const [obstacle] = [...refusals, ...notAccepted(config, batch.id, screened, accepted)];
    if (obstacle !== undefined) throw new Fault(obstacle);
    yield* insertApproval(batch.id, { person, digest: batch.digest, decidedAt: at });
    const released = decision.isReleased ? yield* moveBatch(batch.id, "received", "approved", at) : 0;
    yield* appendAudit({
      at,
      person,
      action: "approve",
      subject: batch.id,
      detail: {
        digest: batch.digest,
        released,
        ...rowsDetail("repeats", "repeatedRows", screened.repeatedRows),
        ...rowsDetail("lookAlikes", "lookAlikeRows", screened.lookAlikeRows),
      },
    });
    return { ...decision, batch, released, renewed: decision.isReleased ? runOut : 0, ...screened };
  });
}

/**
 * Counts the instructions whose approval has run out. Throws APPROVAL_NOT_OPEN if there are none and nothing in the
 * batch awaits approval. A batch that no longer matches its digest violates an invariant.
 */
function* checkOpen(
  { id, digest }: Batch,
  approvals: readonly Approval[],
  isPastItsEnd: ReturnType<typeof runOutAt>,
): Transaction<number> {
  // Also what is in doubt, since a doubt may be re-sent.
  const isRunOut = ({ standing, fields: { payOn } }: Instruction) =>
    (standing === "approved" || standing === "in doubt") && isPastItsEnd(payOn);
  const computed = new BatchDigest();
  let runOut = 0;
  let isAnyNew = false;
  let isAnyLeft = false;
  yield* visitBatch(id, (window) => {
    computed.add(window);
    runOut += window.filter(isRunOut).length;
    isAnyNew ||= window.some(({ standing }) => standing === "received");
    isAnyLeft ||= window.some(({ standing }) => standing !== "withdrawn");
  });
  invariant(computed.hex() === digest, `batch ${id} is no longer what its digest was made of`);
  if (isAnyNew || runOut > 0) return runOut;
  const people = approvals.map(({ person }) => person).join(", ");
  const standing = isAnyLeft ? `already released by ${people},` : "withdrawn";
  throw fault("APPROVAL_NOT_OPEN", { batch: id, standing });
}

const AUDITED_ROWS_MAX = 100;

function rowsDetail(count: string, name: string, rows: readonly number[]) {
  if (rows.length === 0) return {};
  return { [count]: rows.length, [name]: rows.slice(0, AUDITED_ROWS_MAX).join(" ") };
}

/** Problems for repeats and look-alikes that require acceptance and that this person has not accepted. */
function notAccepted(
  { repeats, destinations }: Config,
  batch: BatchId,
  { repeatedRows, lookAlikeRows }: Pick<BatchScreening, "repeatedRows" | "lookAlikeRows">,
  { acceptRepeats, acceptLookAlikes }: ApprovalOptions,
): Problem[] {
  return applying(
    repeats.onRepeat === "accept" &&
      unaccepted("REPEATS_NOT_ACCEPTED", batch, repeatedRows.length, acceptRepeats),
    destinations.onLookAlike === "accept" &&
      unaccepted("LOOK_ALIKES_NOT_ACCEPTED", batch, lookAlikeRows.length, acceptLookAlikes),
  );
}
