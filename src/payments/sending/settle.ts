/** Stores the outcomes of submissions together with the instructions' standings, in one transaction. */
import { invariant } from "../../faults/index.ts";
import {
  type Instant,
  type Instruction,
  type InstructionId,
  isAnothers,
  type Moment,
  type ObservedPayout,
  type Outcome,
  type PayoutId,
  payoutEndOf,
} from "../../model/index.ts";
import { knownByIds } from "../../observation/index.ts";
import { type AuditEntry, appendAudit } from "../../store/audit.ts";
import { findByPayoutIds, moveEnded, moveInstruction } from "../../store/instructions.ts";
import type { Transaction } from "../../store/sql.ts";
import { findLastSubmission, recordAcceptanceRevoked, recordOutcome } from "../../store/submissions.ts";

export interface Answered {
  readonly submissionId: number;
  readonly instruction: Instruction;
  readonly outcome: Outcome;
  readonly moment: Moment;
}

/**
 * Stores the answers to creations in one transaction, in their order. Returns the outcomes as stored: accepted
 * becomes in doubt if the payoutId belongs to another payment.
 */
export function* settleAll(answers: readonly Answered[]): Transaction<Outcome[]> {
  const payoutIds = answers.flatMap(({ outcome }) => (outcome.kind === "accepted" ? [outcome.payoutId] : []));
  const known = yield* knownOf(payoutIds);
  const settled = answers.map((answer) => ({ ...answer, outcome: inDoubtUnlessOwn(answer, known) }));
  yield* storeAll(settled, known.shown);
  return settled.map(({ outcome }) => outcome);
}

/** Stores one outcome unchanged. */
export function* settle(
  submissionId: number,
  instruction: Instruction,
  outcome: Outcome,
  moment: Moment,
): Transaction<void> {
  const shown = yield* knownByIds(outcome.kind === "accepted" ? [outcome.payoutId] : []);
  yield* storeAll([{ submissionId, instruction, outcome, moment }], shown);
}

/** Why an answered payoutId cannot belong to the instruction, in words; undefined when it can. */
export function* whyNotOwnPayout(instruction: Instruction, id: PayoutId): Transaction<string | undefined> {
  return whyNotOwn(instruction, id, yield* knownOf([id]));
}

/** Holds an instruction that may be paid already, by a payout that is not provably its own. A person must look. */
export function* hold(id: InstructionId, reference: string, reason: string, at: Instant): Transaction<void> {
  yield* moveInstruction(id, { to: "held", reason, at });
  const detail = { reason };
  yield* appendAudit({ at, person: "paydrop", action: "payout held", subject: reference, detail });
}

/**
 * Puts an accepted instruction back in doubt because its payout is another's; its send times are kept, so it may be
 * re-sent. Holds it if none of its submissions was accepted, because then there is no doubt to look for.
 */
export function* takeBack(instruction: Instruction, evidence: string, at: Instant): Transaction<void> {
  const { id, fields } = instruction;
  const submission = yield* findLastSubmission(id);
  if (submission?.outcome !== "accepted") return yield* hold(id, fields.reference, evidence, at);
  const outcome = { kind: "in doubt", evidence } as const;
  yield* recordAcceptanceRevoked(submission.id, evidence);
  yield* moveInstruction(id, moveFor(outcome, at));
  yield* appendAudit(auditEntry(instruction, outcome, at));
}

interface KnownPayouts {
  readonly owners: Map<PayoutId, Pick<Instruction, "id" | "fields">>;
  readonly shown: ReadonlyMap<PayoutId, ObservedPayout>;
}

function* knownOf(ids: readonly PayoutId[]): Transaction<KnownPayouts> {
  const owned = yield* findByPayoutIds(ids);
  return {
    owners: new Map(owned.map((owner) => [owner.payoutId, owner])),
    shown: yield* knownByIds(ids),
  };
}

/**
 * The outcome, turned into a doubt if the payoutId belongs to another payment. An accepted payoutId is entered into
 * `known`, so that a second one in the same transaction is noticed.
 */
function inDoubtUnlessOwn({ instruction, outcome }: Answered, known: KnownPayouts): Outcome {
  if (outcome.kind !== "accepted") return outcome;
  const { payoutId } = outcome;
  const why = whyNotOwn(instruction, payoutId, known);
  if (why !== undefined)
    return { kind: "in doubt", evidence: `the service answered with payoutId ${payoutId}, ${why}` };
  known.owners.set(payoutId, instruction);
  return outcome;
}

function whyNotOwn(instruction: Instruction, id: PayoutId, known: KnownPayouts): string | undefined {
  const owner = known.owners.get(id) ?? instruction;
  if (owner.id !== instruction.id) return `which belongs to ${owner.fields.reference}`;
  const shown = known.shown.get(id);
  if (shown === undefined || !isAnothers(instruction, shown)) return undefined;
  return `which it had shown as ${shown.reference ?? "a payment without a reference"}`;
}

function* storeAll(answers: readonly Answered[], shown: KnownPayouts["shown"]): Transaction<void> {
  const entries: AuditEntry[] = [];
  for (const { submissionId, instruction, outcome, moment } of answers) {
    yield* recordOutcome(submissionId, outcome, moment);
    const payout = outcome.kind === "accepted" ? shown.get(outcome.payoutId) : undefined;
    yield* moveEnded(instruction.id, moveFor(outcome, moment.at), payout && payoutEndOf(payout.state));
    entries.push(auditEntry(instruction, outcome, moment.at));
  }
  yield* appendAudit(...entries);
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
