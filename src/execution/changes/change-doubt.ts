/**
 * Changes whose outcome nobody knows. A deposit is looked for by its reference and its own callbackUrl; a void or an
 * authorization leaves nothing that says who did it, so a person looks at the payout or deposit itself.
 */
import type { Change, ChangeOutcome } from "../../model/index.ts";
import { lookForDeposits } from "../../observation/index.ts";
import { appendAudit } from "../../store/audit.ts";
import {
  doubtChangesUnderWay,
  hasOpenChange,
  listChangesInDoubt,
  recordChangeOutcome,
} from "../../store/changes.ts";
import type { Transaction } from "../../store/sql.ts";
import { PROCESS_ENDED } from "../send-rules.ts";
import type { ChangeTools } from "../tools.ts";

/** What a former process left without an outcome is in doubt. The caller holds the lane. */
export async function doubtEarlierChanges({ store, context, policy }: ChangeTools): Promise<void> {
  await store.write(() => doubtChangesUnderWay(policy.keyId, PROCESS_ENDED, context.clock.now()));
}

/** The same, and deposits in doubt are looked for. */
export async function resolveEarlierChanges(tools: ChangeTools): Promise<void> {
  const { store, policy, gateway } = tools;
  if (!(await store.read(() => hasOpenChange(policy.keyId)))) return;
  await doubtEarlierChanges(tools);
  for (const doubtful of await store.read(() => listChangesInDoubt())) {
    const isOfThisLane = doubtful.baseUrl === gateway.baseUrl && doubtful.keyId === policy.keyId;
    if (isOfThisLane) await resolveChange(tools, doubtful, false);
  }
}

/**
 * Looks for the deposit of a change in doubt and writes what that shows. Where the answer was a conflict (409) and a complete look does not
 * show the deposit, it counts as refused: no money leaves by a deposit, and at worst an unused address remains.
 */
export async function resolveChange(
  tools: ChangeTools,
  doubtful: Change,
  wasConflict: boolean,
): Promise<ChangeOutcome | undefined> {
  if (!isCreation(doubtful)) return undefined;
  const { store, context } = tools;
  const reading = await lookForDeposits(tools, { references: [doubtful.subject] });
  const own = reading.found.find(({ element }) => element.callbackUrl === doubtful.correlation);
  const at = context.clock.now();
  const outcome: ChangeOutcome | undefined =
    own !== undefined
      ? { kind: "accepted", evidence: `found at the service at ${at}`, depositId: own.element.depositId }
      : wasConflict && reading.complete
        ? { kind: "refused", evidence: `${doubtful.evidence ?? ""}; no such deposit at ${at}` }
        : undefined;
  if (outcome !== undefined) await store.write(() => settleChange(doubtful, outcome, at));
  return outcome;
}

/** A deposit's creation carries a callbackUrl of its own; no other change does. */
export function isCreation({ correlation }: Pick<Change, "correlation">): boolean {
  return correlation !== "";
}

/** Writes what came of a change, and the audit's line about it. */
export function* settleChange(
  { id, operation, subject }: Pick<Change, "id" | "operation" | "subject">,
  outcome: ChangeOutcome,
  at: string,
): Transaction<void> {
  const { kind, evidence, depositId } = outcome;
  yield* recordChangeOutcome(id, outcome, at);
  const detail = depositId === undefined ? { evidence } : { depositId };
  yield* appendAudit({ at, person: "paydrop", action: `${operation} ${kind}`, subject, detail });
}
