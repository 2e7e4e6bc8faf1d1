/** What nobody knows yet, laid out for the person who decides: what was sent when, what looking showed, what may be done. */
import {
  abandonByPerson,
  acceptByPerson,
  type Decision,
  reopenByPerson,
  resendByPerson,
} from "../execution/index.ts";
import { type Change, type Instruction, payoutId, type Submission } from "../model/index.ts";
import { listChangesInDoubt } from "../store/changes.ts";
import { knownByReference, listByStanding } from "../store/instructions.ts";
import type { Transaction } from "../store/sql.ts";
import { findLastSubmission } from "../store/submissions.ts";
import { inExecutionLane } from "./execution-policy.ts";
import { underKeyOf, type Workplace } from "./workplace.ts";

export interface Choice {
  /** What follows `paydrop doubt resolve REFERENCE`. */
  readonly option: string;
  readonly consequence: string;
}

export interface Doubt {
  readonly instruction: Instruction;
  /** Absent where the service had something under the reference before anything was sent. */
  readonly submission?: Submission;
  /** Since the last send, or since it was held. */
  readonly ageMs: number;
  readonly choices: readonly Choice[];
}

export interface DoubtReport {
  readonly payments: readonly Doubt[];
  /** Deposits, voids and authorizations whose outcome nobody knows. */
  readonly changes: readonly Change[];
}

export async function listDoubts({ store, context }: Workplace): Promise<DoubtReport> {
  const nowMs = Date.parse(context.clock.now());
  return store.read(function* (): Transaction<DoubtReport> {
    const payments: Doubt[] = [];
    for (const instruction of [...(yield* listByStanding("in doubt")), ...(yield* listByStanding("held"))]) {
      const submission = yield* findLastSubmission(instruction.id);
      const since = submission?.endedAt ?? submission?.intendedAt;
      payments.push({
        instruction,
        ...(submission === undefined ? {} : { submission }),
        ageMs: since === undefined ? 0 : Math.max(0, nowMs - Date.parse(since)),
        choices: choicesFor(instruction),
      });
    }
    return { payments, changes: yield* listChangesInDoubt() };
  });
}

export type Resolving =
  | { readonly by: "accept"; readonly payoutId: string }
  | { readonly by: "resend" }
  | { readonly by: "abandon" };

/** Carries a person's decision out and returns how the payment stands then. Throws DECISION_REFUSED where the evidence contradicts it. */
export async function resolveDoubtStep(
  workplace: Workplace,
  decision: Decision,
  resolving: Resolving,
): Promise<Instruction> {
  const { fields } = await workplace.store.read(() => knownByReference(decision.reference));
  const view = underKeyOf(workplace, fields.custodyAccountId);
  await inExecutionLane(workplace, view, async (tools) => {
    switch (resolving.by) {
      case "accept":
        return acceptByPerson(tools, decision, payoutId(resolving.payoutId));
      case "resend":
        return resendByPerson(tools, decision);
      case "abandon":
        return abandonByPerson(tools, decision);
    }
  });
  return workplace.store.read(() => knownByReference(decision.reference));
}

/** Puts a refused payment back among the approved ones. Throws DECISION_REFUSED for any other standing. */
export async function reopenStep(workplace: Workplace, decision: Decision): Promise<Instruction> {
  await reopenByPerson(workplace, decision);
  return workplace.store.read(() => knownByReference(decision.reference));
}

function choicesFor({ standing }: Instruction): Choice[] {
  const accept = {
    option: "--accept PAYOUT_ID",
    consequence: "that payout is this payment: it is followed and booked, and nothing is sent again",
  };
  const abandon = {
    option: "--abandon",
    consequence: "nothing is sent again; should its payout appear, reconciliation raises an alarm",
  };
  if (standing === "held") return [accept, abandon];
  return [
    accept,
    {
      option: "--resend",
      consequence:
        "the same request leaves once more: the service pays it once if it takes each nonce once, and twice if it does not and the first one arrived",
    },
    abandon,
  ];
}
