/**
 * Changes whose outcome is unknown. A created deposit is looked up by its reference and unique callbackUrl. A void
 * or an authorization leaves no trace of who made it, so a person checks the payout or deposit.
 */
import type { Change, ChangeOutcome } from "../../../model/index.ts";
import { lookForDeposits } from "../../../observation/index.ts";
import { appendAudit } from "../../../store/audit.ts";
import {
  doubtChangesUnderWay,
  hasOpenChange,
  listOpenChanges,
  recordChangeOutcome,
} from "../../../store/changes.ts";
import type { Transaction } from "../../../store/sql.ts";
import { PROCESS_ENDED } from "../send-rules.ts";
import type { ChangeTools, OwnLane } from "../tools.ts";

/** Marks changes that an earlier process left without an outcome as in doubt. The caller holds the lane. */
export async function doubtEarlierChanges({ store, context, policy }: OwnLane): Promise<void> {
  await store.write(() => doubtChangesUnderWay(policy.keyId, PROCESS_ENDED, context.clock.now()));
}

/** As `doubtEarlierChanges`, and then looks up the deposits in doubt. */
export async function resolveEarlierChanges(tools: ChangeTools): Promise<void> {
  const { store, policy, gateway } = tools;
  if (!(await store.read(() => hasOpenChange(policy.keyId)))) return;
  await doubtEarlierChanges(tools);
  for (const doubtful of await store.read(() => listOpenChanges())) {
    const isOfThisLane = doubtful.baseUrl === gateway.baseUrl && doubtful.keyId === policy.keyId;
    if (isOfThisLane) await resolveChange(tools, doubtful, false);
  }
}

/**
 * Looks up the deposit of a change in doubt and stores the outcome, if the look shows one. After a conflict (409),
 * a complete look without the deposit counts as refused: a deposit moves no money, and at worst an unused address
 * remains.
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

/** Only the creation of a deposit has a callbackUrl of its own. */
export function isCreation({ correlation }: Pick<Change, "correlation">): boolean {
  return correlation !== "";
}

/** Stores the outcome of a change, with an audit entry. */
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
