/** Follows payouts that are not final and deposits that are open, and writes the senders' result files in which something is new. */
import type { Problem } from "../faults/index.ts";
import { ENDED_DEPOSIT_STATES, ENDED_PAYOUT_STATES, type PayoutId } from "../model/index.ts";
import { type StateChange, type Tracked, trackDeposits, trackPayouts } from "../observation/index.ts";
import { listPayoutsNotIn } from "../store/instructions.ts";
import { listIdsNotIn } from "../store/observed.ts";
import { writeResults } from "./files/write-results.ts";
import { checkAgreement } from "./workplace/agreement.ts";
import { custodyAccountsElsewhere, type Workplace } from "./workplace/workplace.ts";

export interface TrackReport {
  readonly changes: readonly StateChange[];
  /** Payouts that are still on their way. */
  readonly open: number;
  /** Result files that were written. */
  readonly results: readonly string[];
  /** What was shown and could not be read, and why result files were not written. */
  readonly problems: readonly Problem[];
}

export interface TrackOptions {
  /** Writes the result file of every batch, not only of those of which something is new. */
  readonly allResults?: boolean | undefined;
}

/** Throws a SERVICE_ fault, or CONFIGURATION_DIFFERS. */
export async function trackStep(
  workplace: Workplace,
  { allResults = false }: TrackOptions = {},
): Promise<TrackReport> {
  await checkAgreement(workplace);
  const tracked: Tracked[] = [];
  for (const view of workplace.underKeys) {
    const { tools } = view.service();
    tracked.push(await trackPayouts(tools, await openPayoutIds(workplace, view)));
    tracked.push(await trackDeposits(tools, await openDepositIds(view)));
  }
  const { paths, problems } = await writeResults(workplace, allResults);
  return {
    changes: tracked.flatMap(({ changes }) => changes),
    open: (await openPayoutIds(workplace)).length,
    results: paths,
    problems: [...tracked.flatMap((one) => one.problems), ...problems],
  };
}

/** Accepted payouts that were never seen or have not ended; only those of the key of `view` where it is given. */
function openPayoutIds(workplace: Workplace, view = workplace): Promise<PayoutId[]> {
  const elsewhere = view === workplace ? [] : custodyAccountsElsewhere(workplace, view);
  return workplace.store.read(() => listPayoutsNotIn(ENDED_PAYOUT_STATES, elsewhere));
}

function openDepositIds({ store }: Workplace): Promise<string[]> {
  return store.read(() => listIdsNotIn("deposit", ENDED_DEPOSIT_STATES));
}
