/**
 * Resolves submissions in doubt by looking, never because time has passed. A failed or incomplete look proves nothing.
 * After a complete look that shows no payout the doubt stays, or the payment is sent again if resend.ts allows it.
 */
import { momentOf } from "../../../context/clock.ts";
import { fault } from "../../../faults/index.ts";
import {
  type Instruction,
  isPlainReference,
  type ObservedPayout,
  type Submission,
} from "../../../model/index.ts";
import { knownForInstructions } from "../../../observation/index.ts";
import { findByPayoutId, getInstruction } from "../../../store/instructions.ts";
import { recordLook } from "../../../store/looks.ts";
import type { Transaction } from "../../../store/sql.ts";
import { listInDoubt, listUnderWay } from "../../../store/submissions.ts";
import { codeFor } from "../creation-code.ts";
import { PROCESS_ENDED } from "../send-rules.ts";
import { hold, settle } from "../settle.ts";
import type { ExecutionTools, OwnLane } from "../tools.ts";
import { differences } from "./recognise.ts";
import { resend, type Unseen, whyNotResent } from "./resend.ts";
import { type Absence, lookWithWitness } from "./witnessed-look.ts";

/** Marks submissions that a dead process left without an outcome as in doubt; returns how many. Needs the lane. */
export function doubtInterrupted({ store, context, policy }: OwnLane): Promise<number> {
  const moment = momentOf(context.clock);
  return store.write(function* (): Transaction<number> {
    const underWay = (yield* listUnderWay()).filter(({ keyId }) => keyId === policy.keyId);
    for (const { id, instructionId } of underWay) {
      const outcome = { kind: "in doubt", evidence: PROCESS_ENDED } as const;
      yield* settle(id, yield* getInstruction(instructionId), outcome, moment);
    }
    return underWay.length;
  });
}

export interface ResendControl {
  /** Asked again right before the first byte of each request. */
  mayStillSend(): boolean;
  /** Ends the wait for a one-time code. */
  readonly signal: AbortSignal | undefined;
}

export interface Resolution {
  readonly instruction: Instruction;
  readonly now: "accepted" | "held" | "in doubt";
  readonly reason: string;
}

/**
 * Looks up every submission in doubt, and re-sends those that may be. Throws IDENTITY_CHANGED if any was sent to
 * another address or with another key, or a SERVICE_ fault.
 */
export async function resolveDoubts(tools: ExecutionTools, sending: ResendControl): Promise<Resolution[]> {
  const { keyId: ownKeyId, elsewhere } = tools.policy;
  const doubts = await tools.store.read(function* (): Transaction<Doubt[]> {
    const found: Doubt[] = [];
    // Submissions still under way here belong to a key that is no longer configured: `checkIdentity` rejects them.
    for (const submission of [...(yield* listInDoubt()), ...(yield* listUnderWay())]) {
      if (elsewhere.keyIds.includes(submission.keyId)) continue;
      found.push({ submission, instruction: yield* getInstruction(submission.instructionId) });
    }
    return found;
  });
  if (doubts.length === 0) return [];
  const identity = { baseUrl: tools.gateway.baseUrl, keyIds: [ownKeyId] };
  checkIdentity(
    identity,
    doubts.map(({ submission }) => submission),
  );

  // For held payments a look has already found something; a person decides.
  const open = doubts.filter(({ instruction }) => instruction.standing === "in doubt");
  if (open.length === 0) return [];
  await tools.policy.prepare([...new Set(open.map(({ instruction }) => instruction.batchId))]);
  // A reference that is not plain has a witness of its own.
  const isPlain = ({ instruction }: Doubt) => isPlainReference(instruction.fields.reference);
  const resolutions: Resolution[] = [];
  for (const some of [open.filter(isPlain), open.filter((doubt) => !isPlain(doubt))])
    if (some.length > 0) resolutions.push(...(await resolveTogether(tools, some, sending)));
  return resolutions;
}

async function resolveTogether(
  tools: ExecutionTools,
  open: readonly Doubt[],
  sending: ResendControl,
): Promise<Resolution[]> {
  const references = open.map(({ instruction }) => instruction.fields.reference);
  const askedMs = tools.context.clock.monotonicMs();
  const look = await lookWithWitness(tools, tools.policy.keyId, references);
  const known = await tools.store.read(() =>
    knownForInstructions(open.map(({ instruction }) => instruction)),
  );
  const resolutions: Resolution[] = [];
  for (const doubt of open) {
    const { id, fields } = doubt.instruction;
    const seen = look.byReference.get(fields.reference) ?? [];
    const sight =
      seen.length > 0
        ? { seen, absence: look.absence }
        : earlierSight(tools, doubt, known.get(id) ?? [], look.absence);
    resolutions.push(await resolve(tools, doubt, { ...sight, askedMs }, sending));
  }
  return resolutions;
}

/**
 * What earlier looks and sweeps have shown of a payment that this look does not show. A payout that differs from the
 * request does not end the doubt, because the next look may show it correctly; until then an absence proves nothing.
 */
function earlierSight(
  { policy }: ExecutionTools,
  { submission, instruction }: Doubt,
  known: readonly ObservedPayout[],
  absence: Absence,
): Omit<Sight, "askedMs"> {
  const isSame = (payout: ObservedPayout) =>
    differences(instruction, submission.intendedAt, payout, policy.recognition).length === 0;
  const same = known.filter(isSame);
  const [different] = known;
  if (same.length > 0 || different === undefined) return { seen: same, absence };
  const words = `not found, though payout ${different.payoutId} was shown for it before with other values`;
  return { seen: [], absence: { worth: "unproven", words } };
}

interface Sight extends Unseen {
  readonly seen: readonly ObservedPayout[];
}

interface Doubt {
  readonly submission: Submission;
  readonly instruction: Instruction;
}

function resolve(
  tools: ExecutionTools,
  doubt: Doubt,
  sight: Sight,
  sending: ResendControl,
): Promise<Resolution> {
  const [first, ...others] = sight.seen;
  return first === undefined
    ? resendOrRecord(tools, doubt, sight, sending)
    : acceptOrHold(tools, doubt, [first, ...others]);
}

/** For a doubt that no look shows: sends it again if that is allowed, otherwise records the look and the obstacle. */
async function resendOrRecord(
  tools: ExecutionTools,
  doubt: Doubt,
  unseen: Unseen,
  sending: ResendControl,
): Promise<Resolution> {
  const { store, context } = tools;
  const { submission, instruction } = doubt;
  const { at } = momentOf(context.clock);
  const whyNot = () => store.read(() => whyNotResent(tools, submission, instruction, unseen));
  const otpCode = (await whyNot()) === undefined ? await resendCode(tools, instruction, sending) : undefined;
  // Waiting for a code may take a whole time step, and a stop order may have come meanwhile.
  const obstacle = await whyNot();
  if (obstacle === undefined && otpCode !== undefined) return sendAgain(tools, doubt, otpCode, sending);
  const saw = unseen.absence.words;
  await store.write(() => recordLook(submission.id, { saw, notSent: obstacle }, at));
  const why = obstacle === undefined ? "" : ` (not sent again: ${obstacle})`;
  return { instruction, now: "in doubt", reason: `${submission.evidence ?? "sent"}; ${saw}${why}` };
}

/** Accepts the only payout if it equals the request; otherwise holds the payment. */
function acceptOrHold(
  { store, context, policy }: ExecutionTools,
  { submission, instruction }: Doubt,
  seen: readonly [ObservedPayout, ...ObservedPayout[]],
): Promise<Resolution> {
  const moment = momentOf(context.clock);
  const { at } = moment;
  const [payout] = seen;
  const { payoutId } = payout;
  // Checked and written in one transaction: another lane may claim the payout at any moment.
  return store.write(function* (): Transaction<Resolution> {
    const owner = yield* findByPayoutId(payoutId);
    const unlike = [
      ...differences(instruction, submission.intendedAt, payout, policy.recognition),
      ...(owner === undefined ? [] : [`a payoutId that belongs to ${owner.fields.reference}`]),
    ];
    if (seen.length === 1 && unlike.length === 0) {
      const evidence = `found at the service at ${at}`;
      yield* settle(submission.id, instruction, { kind: "accepted", payoutId, evidence }, moment);
      return { instruction, now: "accepted", reason: evidence };
    }
    const reason =
      seen.length === 1
        ? `the service has payout ${payoutId} under this reference, but with ${unlike.join(", ")}`
        : `the service has ${seen.length} payouts under this reference: ${seen.map((p) => p.payoutId).join(", ")}`;
    yield* hold(instruction.id, instruction.fields.reference, reason, at);
    return { instruction, now: "held", reason };
  });
}

/** The one-time code for a re-send; undefined when nothing may be sent any more. */
async function resendCode(
  tools: ExecutionTools,
  { fields }: Instruction,
  { mayStillSend, signal }: ResendControl,
): Promise<string | undefined> {
  const creation = tools.policy.creationOf(fields.custodyAccountId);
  if (creation === undefined || !mayStillSend()) return undefined;
  return codeFor(tools, creation, signal);
}

async function sendAgain(
  tools: ExecutionTools,
  { submission, instruction }: Doubt,
  otpCode: string,
  { mayStillSend }: ResendControl,
): Promise<Resolution> {
  const order = { person: "paydrop", otpCode, mayStillSend };
  const outcome = await resend(tools, submission, instruction, order);
  return {
    instruction,
    now: outcome.kind === "accepted" ? "accepted" : "in doubt",
    reason: outcome.kind === "accepted" ? `sent again: ${outcome.evidence}` : outcome.evidence,
  };
}

/**
 * Throws IDENTITY_CHANGED if a submission in doubt was sent to another address or with a key that is not among
 * these: a look here would not see it.
 */
export function checkIdentity(
  now: { readonly baseUrl: string; readonly keyIds: readonly string[] },
  inDoubt: readonly Submission[],
): void {
  const count = inDoubt.filter(({ baseUrl }) => baseUrl !== now.baseUrl).length;
  if (count > 0)
    throw fault("IDENTITY_CHANGED", { what: "service.baseUrl", count }, { key: "service.baseUrl" });
  const otherKey = inDoubt.filter(({ keyId }) => !now.keyIds.includes(keyId)).length;
  if (otherKey > 0)
    throw fault("IDENTITY_CHANGED", { what: "client key", count: otherKey }, { key: "PAYDROP_KEY" });
}
