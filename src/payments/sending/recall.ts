/**
 * A person withdraws payments that have not left. The caller holds every lane, so that none of them is being sent;
 * for payments that wait for approval it needs no lane.
 */
import type { Instant, Standing } from "../../model/index.ts";
import { knownForInstruction } from "../../observation/index.ts";
import { appendAudit } from "../../store/audit.ts";
import { getByReference, moveInstruction } from "../../store/instructions.ts";
import { findEarlier, removePayAgain } from "../../store/pay-again.ts";
import type { Transaction } from "../../store/sql.ts";
import { listSubmissions } from "../../store/submissions.ts";
import { type Decision, decisionRefused } from "./doubts/decision.ts";
import { hasAnyLeft, isPaidBy } from "./pay-again-looks.ts";
import { hold } from "./settle.ts";
import type { ExecutionTools } from "./tools.ts";

/**
 * Withdraws payments for good, all or none. A payment that was sent, refused and re-opened is abandoned instead: if
 * the service has it after all, its payout can still be accepted. The payment that it replaces cannot be paid again
 * without a look. An approved payment whose payout was shown is held, because a lost database may have sent it
 * before a restore. Throws DECISION_REFUSED for payments that may be in flight or have ended.
 */
export async function recallByPerson(
  { store, context }: Pick<ExecutionTools, "store" | "context">,
  references: readonly string[],
  { person, reason }: Omit<Decision, "reference">,
  lanes: "held" | "not held",
): Promise<void> {
  const at = context.clock.now();
  await store.write(function* (): Transaction<void> {
    for (const reference of references) {
      const instruction = yield* getByReference(reference);
      const { id, standing } = instruction;
      if (!mayBeRecalled(standing))
        throw decisionRefused(
          reference,
          standing === "accepted" ? { reason: "left-accepted" } : { reason: "left", standing },
        );
      if (lanes === "not held" && standing !== "received")
        throw decisionRefused(reference, { reason: "approved" });
      yield* appendAudit({ at, person, action: "recall payment", subject: reference, detail: { reason } });
      const paying =
        standing === "approved"
          ? (yield* knownForInstruction(instruction)).find((payout) => isPaidBy(instruction, payout))
          : undefined;
      if (paying !== undefined) {
        yield* hold(id, reference, `the service has shown payout ${paying.payoutId} for it`, at);
        continue;
      }
      const hasLeft = hasAnyLeft(yield* listSubmissions(id));
      const to = hasLeft ? "abandoned" : "withdrawn";
      yield* moveInstruction(id, { to, reason: `rejected by ${person}: ${reason}`, at });
      if (!hasLeft) yield* freeEarlier(reference, person, at);
    }
  });
}

/** Frees the earlier payment that the recalled one replaces. It may then be re-opened or paid another way. */
function* freeEarlier(reference: string, person: string, at: Instant): Transaction<void> {
  const earlier = yield* findEarlier(reference);
  if (earlier === undefined) return;
  yield* removePayAgain(earlier.id, reference);
  const { reference: subject } = earlier.fields;
  yield* appendAudit({ at, person, action: "pay again taken back", subject, detail: { as: reference } });
}

/** Whether a payment of this standing is neither in flight nor over. */
export function mayBeRecalled(standing: Standing): boolean {
  return standing === "received" || standing === "approved";
}
