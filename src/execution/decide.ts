/**
 * What a person decides about a payment that is in doubt or held. Every decision looks first, refuses what the service
 * contradicts, and is on record with its reason. The caller holds the lane.
 */
import { momentOf } from "../context/clock.ts";
import { type Fault, fault } from "../faults/index.ts";
import type { Instruction, ObservedPayout, Outcome, PayoutId, Submission } from "../model/index.ts";
import { lookByIds, lookByReferences } from "../observation/index.ts";
import { findAgain } from "../store/again.ts";
import { appendAudit } from "../store/audit.ts";
import { findByPayoutId, knownByReference, moveInstruction } from "../store/instructions.ts";
import type { Transaction } from "../store/sql.ts";
import { findLastSubmission } from "../store/submissions.ts";
import { passOverUsedCode } from "./creation-code.ts";
import { differences } from "./recognise.ts";
import { resend } from "./resend.ts";
import { settle } from "./settle.ts";
import type { ExecutionTools } from "./tools.ts";

export interface Decision {
  readonly reference: string;
  readonly person: string;
  readonly reason: string;
}

/** This payout is the one. Throws DECISION_REFUSED where the service shows something else. */
export async function acceptByPerson(
  tools: ExecutionTools,
  { reference, person, reason }: Decision,
  id: PayoutId,
): Promise<void> {
  const { store, context, policy } = tools;
  const { instruction, submission } = await openDoubt(tools, reference);
  const look = await lookByIds(tools, [id]);
  const shown = look.find(({ payoutId }) => payoutId === id);
  if (shown === undefined) throw refused(reference, `the service shows no payout ${id}`);
  const byReference = { ...policy.recognition, correlation: "reference" } as const;
  const unlike = differences(instruction, "", shown, byReference);
  if (unlike.length > 0) throw refused(reference, `the payout has ${unlike.join(", ")}`);
  const moment = momentOf(context.clock);
  const evidence = `accepted by ${person}: ${reason}`;
  await store.write(function* (): Transaction<void> {
    const owner = yield* findByPayoutId(id);
    if (owner !== undefined) throw refused(reference, `payout ${id} belongs to ${owner.fields.reference}`);
    const at = moment.at;
    yield* appendAudit({
      at,
      person,
      action: "accept payout",
      subject: reference,
      detail: { payoutId: id, reason },
    });
    if (submission?.outcome === "in doubt") {
      yield* settle(submission.id, instruction, { kind: "accepted", payoutId: id, evidence }, moment);
    } else {
      yield* moveInstruction(instruction.id, { to: "accepted", payoutId: id, at });
    }
  });
}

/** Sends it once more, with the same nonce and body. Throws DECISION_REFUSED unless a complete look has just not shown it. */
export async function resendByPerson(
  tools: ExecutionTools,
  { reference, person, reason }: Decision,
): Promise<Outcome> {
  const { store, context } = tools;
  const { instruction, submission } = await openDoubt(tools, reference);
  if (submission?.outcome !== "in doubt")
    throw refused(reference, "it was never sent, so it cannot be sent again");
  if (instruction.standing !== "in doubt")
    throw refused(reference, "the service shows something under its reference");
  await refuseWhereShown(tools, reference);
  const at = context.clock.now();
  await store.write(() =>
    appendAudit({ at, person, action: "send payout again", subject: reference, detail: { reason } }),
  );
  await passOverUsedCode(tools);
  return resend(tools, submission, instruction, person);
}

/** Gives it up; reconciliation keeps watching for it. Throws DECISION_REFUSED where the service shows it as it was sent. */
export async function abandonByPerson(
  tools: ExecutionTools,
  { reference, person, reason }: Decision,
): Promise<void> {
  const { store, context } = tools;
  const { instruction } = await openDoubt(tools, reference);
  if (instruction.standing === "in doubt") await refuseWhereShown(tools, reference);
  const at = context.clock.now();
  await store.write(function* (): Transaction<void> {
    yield* appendAudit({ at, person, action: "abandon payout", subject: reference, detail: { reason } });
    yield* moveInstruction(instruction.id, {
      to: "abandoned",
      reason: `abandoned by ${person}: ${reason}`,
      at,
    });
  });
}

/**
 * Lets a refused payment be sent anew, after what the service named was put right. Throws DECISION_REFUSED for any other standing, and
 * for one that is paid again under another reference.
 */
export async function reopenByPerson(
  tools: Pick<ExecutionTools, "store" | "context">,
  { reference, person, reason }: Decision,
): Promise<void> {
  const { store, context } = tools;
  const at = context.clock.now();
  await store.write(function* (): Transaction<void> {
    const instruction = yield* knownByReference(reference);
    if (instruction.standing !== "refused")
      throw refused(reference, `it is ${instruction.standing}, not refused`);
    const again = yield* findAgain(instruction.id);
    if (again !== undefined) throw refused(reference, `it is paid again as ${again}`);
    yield* appendAudit({ at, person, action: "re-open payout", subject: reference, detail: { reason } });
    yield* moveInstruction(instruction.id, { to: "approved", at });
  });
}

interface OpenDoubt {
  readonly instruction: Instruction;
  readonly submission: Submission | undefined;
}

function openDoubt({ store }: ExecutionTools, reference: string): Promise<OpenDoubt> {
  return store.read(function* (): Transaction<OpenDoubt> {
    const instruction = yield* knownByReference(reference);
    const { standing } = instruction;
    if (standing !== "in doubt" && standing !== "held")
      throw refused(reference, `it is ${standing}, neither in doubt nor held`);
    return { instruction, submission: yield* findLastSubmission(instruction.id) };
  });
}

async function refuseWhereShown(tools: ExecutionTools, reference: string): Promise<void> {
  const look = await lookByReferences(tools, [reference]);
  const shown: readonly ObservedPayout[] = look.byReference.get(reference) ?? [];
  if (shown.length > 0)
    throw refused(
      reference,
      `the service shows ${shown.map(({ payoutId }) => payoutId).join(", ")} under it`,
    );
  if (!look.complete) throw refused(reference, "the look for it was incomplete; try again");
}

function refused(reference: string, reason: string): Fault {
  return fault("DECISION_REFUSED", { reason }, { reference });
}
