/** Writes what came of submissions: their outcomes and the instructions' standings, in one transaction. */
import { invariant } from "../faults/index.ts";
import {
  correlatedCallbackUrl,
  type Instant,
  type Instruction,
  type InstructionId,
  type Moment,
  type ObservedPayout,
  type Outcome,
  type PayoutId,
} from "../model/index.ts";
import { knownByIds } from "../observation/index.ts";
import { type AuditEntry, appendAudit } from "../store/audit.ts";
import { findByPayoutIds, moveInstruction } from "../store/instructions.ts";
import type { Transaction } from "../store/sql.ts";
import { recordOutcome } from "../store/submissions.ts";

export interface Answered {
  readonly submissionId: number;
  readonly instruction: Instruction;
  readonly outcome: Outcome;
  readonly moment: Moment;
}

/**
 * Several outcomes in one transaction, in the order of their answers. Returns them as they were written: an accepted payoutId that
 * another instruction owns, or that was shown as another payment's before, is in doubt.
 */
export function* settleAll(all: readonly Answered[]): Transaction<Outcome[]> {
  const owners = new Map<PayoutId, Owner>();
  const answered = all.flatMap(({ outcome }) => (outcome.kind === "accepted" ? [outcome.payoutId] : []));
  for (const owner of yield* findByPayoutIds(answered)) owners.set(owner.payoutId, owner);
  const shown = yield* knownByIds(answered);

  const written: Outcome[] = [];
  const entries: AuditEntry[] = [];
  for (const { submissionId, instruction, outcome, moment } of all) {
    const settled = unlessOwned(instruction, unlessShownOtherwise(instruction, outcome, shown), owners);
    yield* recordOutcome(submissionId, settled, moment);
    yield* moveInstruction(instruction.id, moveFor(settled, moment.at));
    written.push(settled);
    entries.push(auditEntry(instruction, settled, moment.at));
  }
  yield* appendAudit(...entries);
  return written;
}

/** One outcome, as it was written. */
export function* settle(
  submissionId: number,
  instruction: Instruction,
  outcome: Outcome,
  moment: Moment,
): Transaction<Outcome> {
  const [written] = yield* settleAll([{ submissionId, instruction, outcome, moment }]);
  invariant(written !== undefined, "each answer has an outcome");
  return written;
}

/** A payout that is at the service but is not, or not provably, the one that was asked for: a person must look. */
export function* hold(id: InstructionId, reference: string, reason: string, at: Instant): Transaction<void> {
  yield* moveInstruction(id, { to: "held", reason, at });
  yield* appendAudit({
    at,
    person: "paydrop",
    action: "payout held",
    subject: reference,
    detail: { reason },
  });
}

/** A service that keeps references in a way of its own shows our callbackUrl all the same. */
function unlessShownOtherwise(
  instruction: Instruction,
  outcome: Outcome,
  shown: ReadonlyMap<PayoutId, ObservedPayout>,
): Outcome {
  const before = outcome.kind === "accepted" ? shown.get(outcome.payoutId) : undefined;
  if (before === undefined || before.callbackUrl === undefined) return outcome;
  const { payoutId, reference, callbackUrl } = before;
  if (reference === instruction.fields.reference || callbackUrl === correlatedCallbackUrl(instruction))
    return outcome;
  const evidence = `the service answered with payoutId ${payoutId}, which it had shown as ${reference ?? "a payment without a reference"}`;
  return { kind: "in doubt", evidence };
}

type Owner = Pick<Instruction, "id" | "fields">;

/** What is accepted is owned from then on, by the others of the same transaction too. */
function unlessOwned(instruction: Instruction, outcome: Outcome, owners: Map<PayoutId, Owner>): Outcome {
  if (outcome.kind !== "accepted") return outcome;
  const owner = owners.get(outcome.payoutId) ?? instruction;
  owners.set(outcome.payoutId, owner);
  if (owner.id === instruction.id) return outcome;
  const evidence = `the service answered with payoutId ${outcome.payoutId}, which belongs to ${owner.fields.reference}`;
  return { kind: "in doubt", evidence };
}

function auditEntry({ fields }: Instruction, outcome: Outcome, at: Instant): AuditEntry {
  const { kind, evidence } = outcome;
  return {
    at,
    person: "paydrop",
    action: `payout ${kind}`,
    subject: fields.reference,
    detail: kind === "accepted" ? { payoutId: outcome.payoutId } : { evidence },
  };
}

function moveFor(outcome: Outcome, at: Instant) {
  switch (outcome.kind) {
    case "accepted":
      return { to: "accepted", payoutId: outcome.payoutId, at } as const;
    case "refused":
      return { to: "refused", reason: outcome.evidence, at } as const;
    case "in doubt":
      return { to: "in doubt", reason: outcome.evidence, at } as const;
    case "not sent":
      return { to: "approved", at } as const;
    default:
      invariant(false, `an outcome ${JSON.stringify(outcome satisfies never)}`);
  }
}
