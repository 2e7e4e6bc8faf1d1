/** Updates payouts that are not final and open deposits, and writes the senders' result files that changed. */
import type { Problem } from "../faults/index.ts";
import { type ServiceFault, unlessServiceFails } from "../gateway/index.ts";
import { ENDED_DEPOSIT_STATES, ENDED_PAYOUT_STATES } from "../model/index.ts";
import { DEPOSITS, PAYOUTS, type StateChange, type Tracked, track } from "../observation/index.ts";
import { listPayoutsNotIn } from "../store/instructions.ts";
import { listIdsNotIn } from "../store/observed.ts";
import { checkAgreement } from "../workplace/agreement.ts";
import { custodyAccountsElsewhere, type Workplace } from "../workplace/workplace.ts";
import { writeResults } from "./write-results.ts";

export interface TrackReport {
  readonly changes: readonly StateChange[];
  /** Number of payouts still on their way. */
  readonly open: number;
  /** Paths of the written result files. */
  readonly results: readonly string[];
  /** Unreadable elements, why a key's service could not be asked, and why result files were not written. */
  readonly problems: readonly Problem[];
}

export interface TrackOptions {
  /** Writes the result files of all batches, not only of those that changed. */
  readonly allResults?: boolean | undefined;
}

/**
 * Asks under each key in turn. A key that gets no answer does not stop the others, and result files are written in
 * any case. If no key gets an answer, throws the first one's SERVICE_ fault afterwards. Throws
 * CONFIGURATION_DIFFERS.
 */
export async function trackStep(
  workplace: Workplace,
  { allResults = false }: TrackOptions = {},
): Promise<TrackReport> {
  await checkAgreement(workplace);
  const { store } = workplace;
  const tracked: Tracked[] = [];
  const unanswered: ServiceFault[] = [];
  const kept = (failed: ServiceFault): Tracked[] => {
    unanswered.push(failed);
    return [];
  };
  for (const view of workplace.underKeys)
    tracked.push(...(await unlessServiceFails(() => trackUnder(workplace, view), kept)));
  const written = await writeResults(workplace, allResults);
  if (unanswered.length === workplace.underKeys.length) throw unanswered[0];
  return {
    changes: tracked.flatMap(({ changes }) => changes),
    open: (await store.read(() => listPayoutsNotIn(ENDED_PAYOUT_STATES, []))).length,
    results: written.paths,
    problems: [
      ...tracked.flatMap(({ problems }) => problems),
      ...unanswered.map(({ problem }) => problem),
      ...written.problems,
    ],
  };
}

async function trackUnder(workplace: Workplace, view: Workplace): Promise<Tracked[]> {
  const { store } = workplace;
  const { tools } = view.service();
  const elsewhere = custodyAccountsElsewhere(workplace, view);
  const payoutIds = await store.read(() => listPayoutsNotIn(ENDED_PAYOUT_STATES, elsewhere));
  const depositIds = await store.read(() => listIdsNotIn("deposit", ENDED_DEPOSIT_STATES, elsewhere));
  return [await track(tools, PAYOUTS, payoutIds), await track(tools, DEPOSITS, depositIds)];
}
