/**
 * What a person decides about a payment that is in doubt, held or refused, except which payout is its own (accept.ts). Every decision looks
 * first, refuses what the service contradicts, and is on record with its reason. The caller holds the lane.
 */
import { Fault, invariant } from "../../faults/index.ts";
import { ServiceFault } from "../../gateway/index.ts";
import {
  type Instruction,
  mayMove,
  type ObservedPayout,
  type Outcome,
  payoutStateMeaning,
  type Standing,
} from "../../model/index.ts";
import { knownForInstruction, knownForInstructions } from "../../observation/index.ts";
import { findAgain } from "../../store/again.ts";
import { appendAudit } from "../../store/audit.ts";
import { getByReference, moveInstruction } from "../../store/instructions.ts";
import type { Transaction } from "../../store/sql.ts";
import { codeFor, passOverUsedCode } from "../creation-code.ts";
import { hold } from "../settle.ts";
import { madeAfterAll } from "../sight-of-earlier.ts";
import type { ExecutionTools } from "../tools.ts";
import { whyKeptByAnother } from "./accept.ts";
import { type Decision, decisionRefused, type OpenDoubt, openDoubt } from "./decision.ts";
import { isOwn, whyNotTheOne } from "./recognise.ts";
import { prohibition, resend } from "./resend.ts";
import { lookForPayment, type PaymentLook } from "./witnessed-look.ts";

/**
 * Sends it once more, with the same nonce and body. Throws DECISION_REFUSED unless a complete look right before has not shown it,
 * and what keeps any send: SENDING_STOPPED, APPROVAL_EXPIRED, a limit. When `signal` aborts nothing is sent any more.
 */
export async function resendByPerson(
  tools: ExecutionTools,
  { reference, person, reason }: Decision,
  signal?: AbortSignal,
): Promise<Outcome> {
  const { store, context, policy } = tools;
  const { instruction, submission } = await openDoubt(tools, reference);
  if (instruction.standing !== "in doubt")
    throw decisionRefused(reference, `it is ${instruction.standing}: ${instruction.reason}`);
  invariant(submission?.outcome === "in doubt", `${reference} is in doubt without a submission that is`);
  const prohibited = await store.read(() => prohibition(tools, submission, instruction));
  if (prohibited !== undefined) throw new Fault(prohibited);
  await passOverUsedCode(tools);
  // The code is made first: waiting for it must not happen between the look and the send.
  const creation = policy.creationOf(instruction.fields.custodyAccountId);
  const otpCode = creation && (await codeFor(tools, creation, signal));
  if (otpCode === undefined || signal?.aborted === true) throw decisionRefused(reference, STOPPED);
  const { shown, absence } = await lookForPayment(tools, policy.keyId, instruction);
  refuseShown(reference, shown);
  if (absence.worth === "unproven") throw decisionRefused(reference, `it was ${absence.words}; try again`);
  const detail = { reason, look: absence.words };
  await store.write(() =>
    appendAudit({
      at: context.clock.now(),
      person,
      action: "send payout again",
      subject: reference,
      detail,
    }),
  );
  return resend(tools, submission, instruction, {
    person,
    otpCode,
    mayStillSend: () => signal?.aborted !== true,
  });
}

const STOPPED = "the command was stopped before anything was sent";

/**
 * Gives it up, also what was refused and is of no use any more; reconciliation keeps watching for it. Throws DECISION_REFUSED where
 * any look has shown a payout that is this one and can be accepted, and of a held payment has not failed. What a look was worth that did
 * not show it is kept with the decision; an incomplete one, or none at all, counts only where the person says that it is to.
 */
export async function abandonByPerson(
  tools: ExecutionTools,
  { reference, person, reason }: Decision,
  despiteIncompleteLook = false,
): Promise<void> {
  const { store, context, policy, gateway } = tools;
  const { instruction, submission } = await openDoubt(tools, reference, mayBeGivenUp);
  const { shown, absence } = despiteIncompleteLook
    ? await lookIfPossible(tools, instruction)
    : await lookForPayment(tools, policy.keyId, instruction);
  const own = await store.read(() => findAcceptable(tools, { instruction, submission }, shown));
  if (own !== undefined)
    throw decisionRefused(
      reference,
      `the service shows payout ${own.payoutId} for it, which is ${own.state}`,
    );
  if (shown.length === 0 && absence.worth === "unproven" && !despiteIncompleteLook)
    throw decisionRefused(
      reference,
      `it was ${absence.words}; try again, or add ${DESPITE} if that will not change`,
    );
  const sentTo = submission?.baseUrl ?? gateway.baseUrl;
  const where = sentTo === gateway.baseUrl ? "" : `, looked for at ${gateway.baseUrl}`;
  const look =
    shown.length === 0 ? `${absence.words}${where}` : `the service shows ${namesOf(shown)} under it`;
  const at = context.clock.now();
  await store.write(function* (): Transaction<void> {
    const detail = { reason, look };
    yield* appendAudit({ at, person, action: "abandon payout", subject: reference, detail });
    yield* moveInstruction(instruction.id, {
      to: "abandoned",
      reason: `abandoned by ${person}: ${reason} (${look})`,
      at,
    });
  });
}

/** A service that can never be asked again must not keep a payment in doubt for good; what was shown before counts all the same. */
async function lookIfPossible(tools: ExecutionTools, instruction: Instruction): Promise<PaymentLook> {
  try {
    return await lookForPayment(tools, tools.policy.keyId, instruction);
  } catch (error) {
    if (!(error instanceof ServiceFault)) throw error;
    const absence = { worth: "unproven", words: `not looked for: ${error.message}` } as const;
    return { shown: await tools.store.read(() => knownForInstruction(instruction)), absence };
  }
}

/** What is approved is recalled. */
const mayBeGivenUp = (standing: Standing) => standing !== "approved" && mayMove(standing, "abandoned");

/** The option of the command that allows it. */
const DESPITE = "--despite-incomplete-look";

/** A payout that is the payment's own and that `acceptByPerson` would accept. Giving up is refused only then, so that one of the two is always possible. */
function* findAcceptable(
  { policy }: ExecutionTools,
  { instruction, submission }: OpenDoubt,
  shown: readonly ObservedPayout[],
): Transaction<ObservedPayout | undefined> {
  const sent = {
    hasLeft: submission !== undefined && submission.outcome !== "not sent",
    intendedAt: submission?.intendedAt ?? "",
  };
  for (const payout of shown) {
    const isIt =
      whyNotTheOne(instruction, payout).length === 0 &&
      isOwn(instruction, sent, payout, policy.recognition) &&
      (instruction.standing === "in doubt" || payoutStateMeaning(payout.state) !== "failed");
    if (isIt && (yield* whyKeptByAnother(instruction, payout)) === undefined) return payout;
  }
  return undefined;
}

/**
 * Lets refused payments be sent anew, all or none, after what the service named was put right. One of which any look has shown a payout
 * is held instead. Throws DECISION_REFUSED for any other standing, and for one that is paid again under another reference.
 */
export async function reopenByPerson(
  { store, context }: Pick<ExecutionTools, "store" | "context">,
  references: readonly string[],
  { person, reason }: Omit<Decision, "reference">,
): Promise<void> {
  const at = context.clock.now();
  await store.write(function* (): Transaction<void> {
    const instructions: Instruction[] = [];
    for (const reference of references) instructions.push(yield* getByReference(reference));
    const known = yield* knownForInstructions(instructions);
    for (const { id, standing, fields } of instructions) {
      const { reference } = fields;
      if (standing !== "refused") throw decisionRefused(reference, `it is ${standing}, not refused`);
      const again = yield* findAgain(id);
      if (again !== undefined) throw decisionRefused(reference, `it is paid again as ${again}`);
      const shown = known.get(id);
      if (shown !== undefined) {
        yield* hold(id, reference, madeAfterAll(shown), at);
        continue;
      }
      yield* appendAudit({ at, person, action: "re-open payout", subject: reference, detail: { reason } });
      yield* moveInstruction(id, { to: "approved", at });
    }
  });
}

function refuseShown(reference: string, shown: readonly ObservedPayout[]): void {
  if (shown.length > 0) throw decisionRefused(reference, `the service shows ${namesOf(shown)} under it`);
}

function namesOf(shown: readonly ObservedPayout[]): string {
  return shown.map(({ payoutId }) => payoutId).join(", ");
}
