/** Follows payouts that are not final and deposits that are open, and writes the senders' result files anew. */
import type { Problem } from "../faults/index.ts";
import { depositStateMeaning, hasEnded, payoutStateMeaning } from "../model/index.ts";
import {
  knownStates,
  type StateChange,
  type Tracked,
  trackDeposits,
  trackPayouts,
} from "../observation/index.ts";
import { listByStanding } from "../store/instructions.ts";
import { writeResults } from "./files/write-results.ts";
import { checkAgreement } from "./workplace/agreement.ts";
import { custodyAccountsElsewhere, type Workplace } from "./workplace/workplace.ts";

export interface TrackReport {
  readonly changes: readonly StateChange[];
  /** Payouts that are still on their way. */
  readonly open: number;
  /** Result files that were written. */
  readonly results: readonly string[];
  /** What was shown and could not be read. */
  readonly problems: readonly Problem[];
}

/** Throws a SERVICE_ fault, or CONFIGURATION_DIFFERS. */
export async function trackStep(workplace: Workplace): Promise<TrackReport> {
  await checkAgreement(workplace);
  const tracked: Tracked[] = [];
  for (const view of workplace.underKeys) {
    const { tools } = view.service();
    tracked.push(await trackPayouts(tools, await openPayoutIds(workplace, view)));
    tracked.push(await trackDeposits(tools, await openDepositIds(view)));
  }
  const results = await writeResults(workplace);
  return {
    changes: tracked.flatMap(({ changes }) => changes),
    open: (await openPayoutIds(workplace)).length,
    results,
    problems: tracked.flatMap(({ problems }) => problems),
  };
}

/** Accepted payouts that were never seen or have not ended; only those of the key of `view` where it is given. */
async function openPayoutIds(workplace: Workplace, view = workplace): Promise<string[]> {
  const { store } = workplace;
  const elsewhere = new Set(view === workplace ? [] : custodyAccountsElsewhere(workplace, view));
  const accepted = (await store.read(() => listByStanding("accepted"))).filter(
    ({ fields }) => !elsewhere.has(fields.custodyAccountId),
  );
  const states = await knownStates(store, "payout");
  return accepted.flatMap(({ payoutId }) => {
    if (payoutId === undefined) return [];
    return hasEnded(payoutStateMeaning(states.get(payoutId) ?? "")) ? [] : [payoutId];
  });
}

async function openDepositIds({ store }: Workplace): Promise<string[]> {
  const states = [...(await knownStates(store, "deposit"))];
  return states.filter(([, state]) => !hasEnded(depositStateMeaning(state))).map(([depositId]) => depositId);
}
