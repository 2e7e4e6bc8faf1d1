/**
 * A person takes back what was approved, or awaits approval, so that it does not leave any more. The caller holds every lane, so that
 * nobody is about to send it.
 */
import type { Instant, Standing } from "../model/index.ts";
import { findEarlier, removeAgain } from "../store/again.ts";
import { appendAudit } from "../store/audit.ts";
import { getByReference, moveInstruction } from "../store/instructions.ts";
import type { Transaction } from "../store/sql.ts";
import { listSubmissions } from "../store/submissions.ts";
import { type Decision, decisionRefused } from "./doubts/decision.ts";
import type { ExecutionTools } from "./tools.ts";

/**
 * Withdraws payments for good, all or none. What was sent before, refused and re-opened is given up instead: should the service have it
 * after all, it can be taken in, and what it was to pay once more is not paid in another way without looking for it. Throws
 * DECISION_REFUSED for one that may be on its way, and for what is over.
 */
export async function recallByPerson(
  { store, context }: Pick<ExecutionTools, "store" | "context">,
  references: readonly string[],
  { person, reason }: Omit<Decision, "reference">,
): Promise<void> {
  const at = context.clock.now();
  await store.write(function* (): Transaction<void> {
    for (const reference of references) {
      const { id, standing } = yield* getByReference(reference);
      if (!mayBeRecalled(standing))
        throw decisionRefused(reference, `it is ${standing}, and only what has not left can be taken back`);
      yield* appendAudit({ at, person, action: "recall payment", subject: reference, detail: { reason } });
      const hasLeft = (yield* listSubmissions(id)).some(({ outcome }) => outcome !== "not sent");
      const to = hasLeft ? "abandoned" : "withdrawn";
      yield* moveInstruction(id, { to, reason: `recalled by ${person}: ${reason}`, at });
      if (!hasLeft) yield* freeEarlier(reference, person, at);
    }
  });
}

/** What it was to pay once more can be paid in another way: re-opened, or under another reference. */
function* freeEarlier(reference: string, person: string, at: Instant): Transaction<void> {
  const earlier = yield* findEarlier(reference);
  if (earlier === undefined) return;
  yield* removeAgain(earlier.id);
  const { reference: subject } = earlier.fields;
  yield* appendAudit({ at, person, action: "pay again taken back", subject, detail: { as: reference } });
}

/** Nothing of it is on its way, and nothing holds it. */
export function mayBeRecalled(standing: Standing): boolean {
  return standing === "received" || standing === "approved";
}
