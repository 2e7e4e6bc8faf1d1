/** Recalls approved payments, or a whole batch, before they leave. */

import { fault } from "../faults/index.ts";
import type { Instruction } from "../model/index.ts";
import { proveDecision } from "../proof/prove.ts";
import type { Transaction } from "../store/sql.ts";
import type { Store } from "../store/store.ts";
import { checkAgreement } from "../workplace/agreement.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { paymentsNamed, paymentsOf } from "./named/named.ts";
import { checkRecord, inLane } from "./run/lane.ts";
import { type Decision, decisionRefused, mayBeRecalled, recallByPerson } from "./sending/index.ts";

/**
 * `decision.reference` names an approved payment, or a batch whose unsent payments are all recalled; returns the
 * recalled payments. A single payment of a batch that awaits approval cannot be recalled, because approvers must
 * approve what they were shown. A payment that awaits approval is never being sent, so recalling it needs neither a
 * lane nor a secret of the service. Throws BATCH_UNKNOWN, DECISION_REFUSED, STATEMENT_CHANGED if none of the signed
 * payments waits any more, and, if anything is approved, LANE_TAKEN while another process sends.
 */
export async function recallStep(workplace: Workplace, decision: Decision): Promise<readonly Instruction[]> {
  const chosen = await workplace.store.read(() => recallable(decision.reference));
  const { reference: subject, person, reason } = decision;
  const detail = { payments: chosen.map(referenceOf) };
  await proveDecision(workplace, { decision: "recall", person, subject, reason, detail });
  return recallProven(workplace, decision, new Set(detail.payments));
}

/**
 * As `recallStep`, for a recall that follows from another signed decision. `signed`: the payments that it names, if
 * it names them; others, such as one that was re-opened after the signature, are not recalled.
 */
export async function recallProven(
  workplace: Workplace,
  decision: Decision,
  signed?: ReadonlySet<string>,
): Promise<readonly Instruction[]> {
  const { store, context } = workplace;
  const recall = async (lanes: "held" | "not held", within: Store) => {
    const now = (await within.read(() => recallable(decision.reference))).map(referenceOf);
    const references = now.filter((reference) => signed?.has(reference) !== false);
    if (references.length === 0) throw fault("STATEMENT_CHANGED", { reason: "batch" });
    await recallByPerson({ store: within, context }, references, decision, lanes);
    return within.read(() => paymentsOf(references));
  };
  const chosen = await store.read(() => recallable(decision.reference));
  if (chosen.some(({ standing }) => standing !== "received"))
    return inEveryLane(workplace.underKeys, store, (fenced) => recall("held", fenced));
  await checkRecord(workplace);
  await checkAgreement(workplace);
  return recall("not held", store);
}

function referenceOf({ fields }: Instruction): string {
  return fields.reference;
}

/**
 * Holds the lanes of all keys at once, because the key of a custody account that is no longer configured is
 * unknown.
 */
function inEveryLane<Result>(
  [view, ...others]: readonly Workplace[],
  store: Store,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  return view === undefined
    ? work(store)
    : inLane(view, ({ tools }) => inEveryLane(others, tools.store, work));
}

function* recallable(batchOrReference: string): Transaction<readonly Instruction[]> {
  const { batch, payments } = yield* paymentsNamed(batchOrReference);
  const awaits = payments.find(({ standing }) => standing === "received");
  if (batch === undefined && awaits !== undefined)
    throw decisionRefused(batchOrReference, { reason: "awaiting", batch: awaits.batchId });
  const chosen = batch === undefined ? payments : payments.filter(({ standing }) => mayBeRecalled(standing));
  if (chosen.length === 0) throw decisionRefused(batchOrReference, { reason: "none-waits" });
  return chosen;
}
