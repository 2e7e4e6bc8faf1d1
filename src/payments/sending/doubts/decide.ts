/**
 * A person's decisions about a payment that is in doubt, held or refused: send again, abandon, re-open (accept.ts has
 * the fourth: accept a payout). Sending again and abandoning need the lane and look first; they are refused if the
 * service contradicts them. Re-opening needs neither lane nor look. Every decision is audited with its reason.
 */
import { Fault, invariant } from "../../../faults/index.ts";
import { type ServiceFault, unlessServiceFails } from "../../../gateway/index.ts";
import {
  type Instruction,
  mayMove,
  type ObservedPayout,
  type Outcome,
  payoutStateMeaning,
  type Standing,
} from "../../../model/index.ts";
import { knownForInstruction, knownForInstructions } from "../../../observation/index.ts";
import { appendAudit } from "../../../store/audit.ts";
import { getByReference, getInstruction, moveInstruction } from "../../../store/instructions.ts";
import { findPayAgain, findSubmittedSince } from "../../../store/pay-again.ts";
import type { Transaction } from "../../../store/sql.ts";
import { wakeMachines } from "../../../store/wake.ts";
import { codeFor, passOverUsedCode } from "../creation-code.ts";
import { madeAfterAll } from "../refused-looks.ts";
import { hold } from "../settle.ts";
import type { ExecutionTools } from "../tools.ts";
import { whyKeptByAnother } from "./accept.ts";
import {
  DESPITE_INCOMPLETE_LOOK,
  type Decision,
  decisionRefused,
  type OpenDoubt,
  openDoubt,
  paidAgainAs,
} from "./decision.ts";
import { isOwn, whyNotTheOne } from "./recognise.ts";
import { prohibition, resend } from "./resend.ts";
import { lookForPayment, type PaymentLook } from "./witnessed-look.ts";

/**
 * Sends the payment again, with the same nonce and body. Throws DECISION_REFUSED if any look has shown a payout for
 * it, if the look right before is incomplete, or if `signal` has aborted; and the fault of any rule that forbids
 * sending: SENDING_STOPPED, APPROVAL_EXPIRED, a limit. Unlike an automatic re-send, it needs neither a nonce rule
 * nor a witness, and does not wait for the settle window.
 */
export async function resendByPerson(
  tools: ExecutionTools,
  { reference, person, reason }: Decision,
  signal?: AbortSignal,
): Promise<Outcome> {
  const { store, context, policy } = tools;
  const { instruction, submission } = await openDoubt(tools, reference);
  const { standing, reason: why = "" } = instruction;
  if (standing !== "in doubt") throw decisionRefused(reference, { reason: "held", standing, why });
  invariant(submission?.outcome === "in doubt", `${reference} is in doubt without a submission that is`);
  const prohibited = await store.read(() => prohibition(tools, submission, instruction));
  if (prohibited !== undefined) throw new Fault(prohibited);
  await passOverUsedCode(tools);
  // The code comes first: waiting for it must not delay the send after the look.
  const creation = policy.creationOf(instruction.fields.custodyAccountId);
  const otpCode = creation && (await codeFor(tools, creation, signal));
  if (otpCode === undefined || signal?.aborted === true)
    throw decisionRefused(reference, { reason: "stopped" });
  const { shown, absence } = await lookForPayment(tools, policy.keyId, instruction);
  refuseShown(reference, shown);
  if (absence.worth === "unproven")
    throw decisionRefused(reference, { reason: "incomplete", look: absence.words });
  const detail = { reason, look: absence.words };
  const entry = { at: context.clock.now(), person, action: "send payout again", subject: reference, detail };
  await store.write(() => appendAudit(entry));
  const mayStillSend = () => signal?.aborted !== true;
  return resend(tools, submission, instruction, { person, otpCode, mayStillSend });
}

/**
 * Abandons a payment that is in doubt, held or refused; reconciliation keeps watching for it. Throws
 * DECISION_REFUSED for a payout that `findAcceptable` finds, and, unless `despiteIncompleteLook`, if no look has
 * shown any payout and the last one was incomplete. Stores with the decision how much the look proves.
 */
export async function abandonByPerson(
  tools: ExecutionTools,
  { reference, person, reason }: Decision,
  despiteIncompleteLook = false,
): Promise<void> {
  const { store, context, policy, gateway } = tools;
  const { instruction, submission } = await openDoubt(tools, reference, mayBeAbandoned);
  const look = () => lookForPayment(tools, policy.keyId, instruction);
  const { shown, absence } = despiteIncompleteLook
    ? await unlessServiceFails(look, (failed) => shownBefore(tools, instruction, failed))
    : await look();
  const own = await store.read(() => findAcceptable(tools, { instruction, submission }, shown));
  if (own !== undefined)
    throw decisionRefused(reference, { reason: "shown", payout: own.payoutId, state: own.state });
  const option = DESPITE_INCOMPLETE_LOOK;
  if (shown.length === 0 && absence.worth === "unproven" && !despiteIncompleteLook)
    throw decisionRefused(reference, { reason: "incomplete-abandon", look: absence.words, option });
  const sentTo = submission?.baseUrl ?? gateway.baseUrl;
  const where = sentTo === gateway.baseUrl ? "" : `, looked for at ${gateway.baseUrl}`;
  const saw =
    shown.length === 0 ? `${absence.words}${where}` : `the service shows ${namesOf(shown)} under it`;
  const at = context.clock.now();
  await store.write(function* (): Transaction<void> {
    const { standing } = yield* getInstruction(instruction.id);
    // Re-opening needs no lane, so it may have happened since the look.
    if (standing !== instruction.standing) throw decisionRefused(reference, { reason: "standing", standing });
    const detail = { reason, look: saw };
    yield* appendAudit({ at, person, action: "abandon payout", subject: reference, detail });
    const said = `abandoned by ${person}: ${reason} (${saw})`;
    yield* moveInstruction(instruction.id, { to: "abandoned", reason: said, at });
  });
}

/**
 * A service that cannot be asked must not keep the payment in doubt for ever; payouts shown by earlier looks still
 * count.
 */
async function shownBefore(
  { store }: ExecutionTools,
  instruction: Instruction,
  failed: ServiceFault,
): Promise<PaymentLook> {
  const absence = { worth: "unproven", words: `not looked for: ${failed.message}` } as const;
  return { shown: await store.read(() => knownForInstruction(instruction)), absence };
}

/** Approved payments are recalled instead. */
const mayBeAbandoned = (standing: Standing) => standing !== "approved" && mayMove(standing, "abandoned");

/**
 * A shown payout that certainly belongs to the payment (`isOwn`) and that `acceptByPerson` would accept; a failed
 * one counts only if the payment is in doubt. Abandoning is refused only for such a payout, so that a person can
 * always do one or the other.
 */
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
 * Re-opens refused payments, all or none, after their cause was fixed; they are then approved and due again. A
 * payment of which any look has shown a payout is held instead. Throws DECISION_REFUSED for any other standing, and
 * for one that is already paid again under another reference, or that a sender has submitted again.
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
      if (standing !== "refused") throw decisionRefused(reference, { reason: "not-refused", standing });
      const again = yield* findPayAgain(id);
      if (again !== undefined) throw decisionRefused(reference, paidAgainAs(reference, again));
      const since = yield* findSubmittedSince(id);
      if (since !== undefined) {
        const { reference: named, standing: now } = since;
        throw decisionRefused(reference, { reason: "submitted", named, standing: now });
      }
      const shown = known.get(id);
      if (shown !== undefined) {
        yield* hold(id, reference, madeAfterAll(shown), at);
        continue;
      }
      yield* appendAudit({ at, person, action: "re-open payout", subject: reference, detail: { reason } });
      yield* moveInstruction(id, { to: "approved", at });
    }
    yield* wakeMachines("pay");
  });
}

function refuseShown(reference: string, shown: readonly ObservedPayout[]): void {
  if (shown.length > 0) throw decisionRefused(reference, { reason: "shown-under", payouts: namesOf(shown) });
}

function namesOf(shown: readonly ObservedPayout[]): string {
  return shown.map(({ payoutId }) => payoutId).join(", ");
}
