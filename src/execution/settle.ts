/** Writes what came of a submission: its outcome and the instruction's standing, in one transaction. */
import { invariant } from "../faults/index.ts";
import type { Instant, Instruction, InstructionId, Moment, Outcome, PayoutId } from "../model/index.ts";
import { appendAudit } from "../store/audit.ts";
import { findByPayoutId, moveInstruction } from "../store/instructions.ts";
import type { Transaction } from "../store/sql.ts";
import { recordOutcome } from "../store/submissions.ts";

export interface Answered {
  readonly submissionId: number;
  readonly instruction: Instruction;
  readonly outcome: Outcome;
  readonly moment: Moment;
}

/** Several outcomes in one transaction, in the order of their answers. */
export function* settleAll(all: readonly Answered[]): Transaction<Outcome[]> {
  const written: Outcome[] = [];
  for (const { submissionId, instruction, outcome, moment } of all)
    written.push(yield* settle(submissionId, instruction, outcome, moment));
  return written;
}

/** Returns the outcome as it was written: an accepted payoutId that another instruction owns is in doubt. */
export function* settle(
  submissionId: number,
  { id, fields }: Instruction,
  outcome: Outcome,
  moment: Moment,
): Transaction<Outcome> {
  const { at } = moment;
  const written = outcome.kind === "accepted" ? yield* unlessOwned(id, outcome.payoutId, outcome) : outcome;
  yield* recordOutcome(submissionId, written, moment);
  yield* moveInstruction(id, moveFor(written, at));
  yield* appendAudit({
    at,
    person: "paydrop",
    action: `payout ${written.kind}`,
    subject: fields.reference,
    detail: written.kind === "accepted" ? { payoutId: written.payoutId } : { evidence: written.evidence },
  });
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

function* unlessOwned(id: InstructionId, found: PayoutId, outcome: Outcome): Transaction<Outcome> {
  const owner = yield* findByPayoutId(found);
  if (owner === undefined || owner.id === id) return outcome;
  const evidence = `the service answered with payoutId ${found}, which belongs to ${owner.fields.reference}`;
  return { kind: "in doubt", evidence };
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
