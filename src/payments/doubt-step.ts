/** A person's decisions about payments and changes that are in doubt, held or refused. */

import { type Change, type Instruction, type PayoutId, payoutId } from "../model/index.ts";
import { proveDecision } from "../proof/prove.ts";
import { getChange } from "../store/changes.ts";
import { getByReference } from "../store/instructions.ts";
import { findPayAgain, findSubmittedSince } from "../store/pay-again.ts";
import type { Transaction } from "../store/sql.ts";
import { underKeyOf, type Workplace } from "../workplace/workplace.ts";
import { paymentsNamed, paymentsOf } from "./named/named.ts";
import { approvedBatches } from "./run/as-approved.ts";
import { checkDaySums } from "./run/day-sums.ts";
import { inExecutionLane } from "./run/execution-policy.ts";
import { inLane } from "./run/lane.ts";
import {
  abandonByPerson,
  abandonChangeByPerson,
  acceptByPerson,
  acceptChangeByPerson,
  type ChangeDecision,
  type Decision,
  decisionRefused,
  doubtEarlierChanges,
  doubtInterrupted,
  type ExecutionTools,
  listAcceptable,
  reopenByPerson,
  resendByPerson,
  resolveEarlierChanges,
} from "./sending/index.ts";

export type Resolving =
  | { readonly by: "accept"; readonly payoutId: string }
  | { readonly by: "resend" }
  | { readonly by: "abandon"; readonly despiteIncompleteLook?: boolean };

/**
 * Carries out a person's decision and returns the payment as it is afterwards. Throws DECISION_REFUSED if the
 * evidence contradicts it, and BATCH_ALTERED before anything is sent. Nothing is sent after `signal` has aborted.
 */
export async function resolveDoubtStep(
  workplace: Workplace,
  decision: Decision,
  resolving: Resolving,
  signal?: AbortSignal,
): Promise<Instruction> {
  const { fields, batchId } = await workplace.store.read(() => getByReference(decision.reference));
  await proveResolving(workplace, decision, { ...resolving });
  const view = underKeyOf(workplace, fields.custodyAccountId);
  const approved = resolving.by === "resend" ? approvedBatches(workplace) : undefined;
  const decide = async (tools: ExecutionTools) => {
    // This process holds the lane, so no other one sends: submissions that a dead process left open can be decided
    // at once.
    await doubtInterrupted(tools);
    switch (resolving.by) {
      case "accept":
        return acceptByPerson(tools, decision, payoutId(resolving.payoutId));
      case "resend":
        await approved?.compareAll();
        await approved?.prepare([batchId]);
        await checkDaySums(workplace);
        return resendByPerson(tools, decision, signal);
      case "abandon":
        return abandonByPerson(tools, decision, resolving.despiteIncompleteLook);
    }
  };
  await inExecutionLane(workplace, view, decide, approved);
  return workplace.store.read(() => getByReference(decision.reference));
}

function proveResolving(
  workplace: Workplace,
  { reference: subject, person, reason }: Decision,
  detail: Readonly<Record<string, string | boolean | Record<string, string>>>,
): Promise<void> {
  return proveDecision(workplace, { decision: "resolve doubt", person, subject, reason, detail });
}

/**
 * Accepts the one payout that looks have shown for the payment named, or for each payment of a batch that is in
 * doubt or held. Returns the payments afterwards: unchanged if looks have shown no payout, or several. Throws
 * DECISION_REFUSED.
 */
export async function acceptShownStep(
  workplace: Workplace,
  decision: Decision,
): Promise<readonly Instruction[]> {
  const { store } = workplace;
  const { payments } = await store.read(() => paymentsNamed(decision.reference));
  // A payment that a dead process left as being sent is in doubt once we hold its lane.
  const open = payments.filter(({ standing }) => ["sending", "in doubt", "held"].includes(standing));
  if (open.length === 0) throw decisionRefused(decision.reference, { reason: "none-open" });
  const shown = new Map<string, PayoutId>();
  for (const instruction of open) {
    const [id, ...others] = await store.read(() => listAcceptable(instruction));
    if (id !== undefined && others.length === 0) shown.set(instruction.fields.reference, id);
  }
  const payouts = Object.fromEntries(shown);
  await proveResolving(workplace, decision, { by: "accept", payouts });
  for (const [view, ofKey] of Map.groupBy(open, ({ fields }) =>
    underKeyOf(workplace, fields.custodyAccountId),
  ))
    await inExecutionLane(workplace, view, async (tools) => {
      await doubtInterrupted(tools);
      for (const instruction of ofKey) {
        const [id, ...others] = await store.read(() => listAcceptable(instruction));
        const { reference } = instruction.fields;
        if (id !== undefined && others.length === 0 && shown.get(reference) === id)
          await acceptByPerson(tools, { ...decision, reference }, id);
      }
    });
  return store.read(() => paymentsOf(open.map(({ fields }) => fields.reference)));
}

export type ResolvingChange =
  | { readonly by: "accept"; readonly id: string }
  | { readonly by: "abandon"; readonly despiteIncompleteLook?: boolean };

/** As `resolveDoubtStep`, for a change in doubt. Throws NAME_UNKNOWN for an unknown number. */
export async function resolveChangeStep(
  workplace: Workplace,
  decision: ChangeDecision,
  resolving: ResolvingChange,
): Promise<Change> {
  const { store } = workplace;
  const { number } = decision;
  const doubtful = await store.read(() => getChange(number));
  const { person, reason } = decision;
  await proveResolving(workplace, { reference: `change ${number}`, person, reason }, { ...resolving });
  const view =
    workplace.underKeys.find((candidate) => candidate.service().keyId === doubtful.keyId) ?? workplace;
  await inLane(view, async ({ tools, codes }, policy) => {
    const changeTools = { ...tools, codes, policy };
    const despite = resolving.by === "abandon" && resolving.despiteIncompleteLook === true;
    // Abandoning must be possible even if the change cannot be looked up.
    await (despite ? doubtEarlierChanges(changeTools) : resolveEarlierChanges(changeTools));
    return resolving.by === "accept"
      ? acceptChangeByPerson(changeTools, decision, resolving.id)
      : abandonChangeByPerson(changeTools, decision, despite);
  });
  return store.read(() => getChange(number));
}

/**
 * Re-opens a refused payment, or all refused ones of a batch, named by `decision.reference`. Returns them as they
 * are afterwards: approved, or held if any look has shown a payout. Throws DECISION_REFUSED for a payment in
 * another standing or paid again, and for a batch without refused payments.
 */
export async function reopenStep(workplace: Workplace, decision: Decision): Promise<readonly Instruction[]> {
  const { store } = workplace;
  const references = await store.read(() => refusedOf(decision.reference));
  const { reference: subject, person, reason } = decision;
  const detail = { payments: references };
  await proveDecision(workplace, { decision: "reopen", person, subject, reason, detail });
  await reopenByPerson(workplace, references, decision);
  return store.read(() => paymentsOf(references));
}

/**
 * The refused payments that the name stands for. For a batch, leaves out those that are paid again or were
 * submitted again under another reference.
 */
function* refusedOf(batchOrReference: string): Transaction<string[]> {
  const { batch, payments } = yield* paymentsNamed(batchOrReference);
  if (batch === undefined) return [batchOrReference];
  const references: string[] = [];
  for (const { id, standing, fields } of payments)
    if (
      standing === "refused" &&
      ((yield* findPayAgain(id)) ?? (yield* findSubmittedSince(id))) === undefined
    )
      references.push(fields.reference);
  if (references.length === 0) throw decisionRefused(batch, { reason: "none-refused" });
  return references;
}
