/** Recalls approved payments, or a whole batch, before they leave. */
import { type Decision, decisionRefused, mayBeRecalled, recallByPerson } from "../execution/index.ts";
import type { Instruction } from "../model/index.ts";
import type { Transaction } from "../store/sql.ts";
import type { Store } from "../store/store.ts";
import { paymentsNamed, paymentsOf } from "./payments/named.ts";
import { inLane } from "./sending/lane.ts";
import type { Workplace } from "./workplace/workplace.ts";

/**
 * `decision.reference` names an approved payment, or a batch of which everything not sent is recalled; returns the
 * recalled payments. A single payment of a batch that awaits approval cannot be recalled, because what is approved must
 * be what was shown. Throws BATCH_UNKNOWN, DECISION_REFUSED, and LANE_TAKEN while anybody sends.
 */
export function recallStep(workplace: Workplace, decision: Decision): Promise<readonly Instruction[]> {
  const { store, context } = workplace;
  return inEveryLane(workplace.underKeys, store, async (fenced) => {
    const references = await fenced.read(() => recallable(decision.reference));
    await recallByPerson({ store: fenced, context }, references, decision);
    return fenced.read(() => paymentsOf(references));
  });
}

/** Holds the lanes of all keys at once: if a payment's custody account is no longer configured, its key is unknown. */
function inEveryLane<Result>(
  [view, ...others]: readonly Workplace[],
  store: Store,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  return view === undefined
    ? work(store)
    : inLane(view, ({ tools }) => inEveryLane(others, tools.store, work));
}

function* recallable(batchOrReference: string): Transaction<readonly string[]> {
  const { batch, payments } = yield* paymentsNamed(batchOrReference);
  const awaits = payments.find(({ standing }) => standing === "received");
  if (batch === undefined && awaits !== undefined)
    throw decisionRefused(
      batchOrReference,
      `its batch ${awaits.batchId} awaits approval: recall the batch, and submit a file without this payment`,
    );
  const chosen = batch === undefined ? payments : payments.filter(({ standing }) => mayBeRecalled(standing));
  if (chosen.length === 0)
    throw decisionRefused(batchOrReference, "no payment of this batch waits to be sent");
  return chosen.map(({ fields }) => fields.reference);
}
