/** What needs somebody now, worded for many readers: counts, codes and commands, but no payment, amount or name. */
import { DAY_MS, type Standing, shifted } from "../model/index.ts";
import { type Figures, figuresOf } from "../pipeline/status/figures.ts";
import type { Workplace } from "../pipeline/workplace/workplace.ts";
import { countNotAccepted } from "../store/batches.ts";
import { listFailedUntold } from "../store/failed-payments.ts";
import { countRefused } from "../store/instructions.ts";
import { wrongRuns } from "./run-outcome.ts";
import type { UnrecordedRuns } from "./unrecorded-runs.ts";

export interface Need {
  /** Identifies the need across repeated checks. */
  readonly about: string;
  readonly count: number;
  readonly text: string;
  /** Age from which it needs somebody, for what often resolves by itself. */
  readonly lastsMs?: number;
  /** It passes by itself, whether or not somebody acts. */
  readonly isPassing?: true;
}

/** Time for the next runs to resolve it. */
const SETTLES_BY_ITSELF_MS = 15 * 60_000;

const LASTING = { lastsMs: SETTLES_BY_ITSELF_MS };

/** All present needs. */
export async function needsOf(workplace: Workplace, unrecorded: UnrecordedRuns): Promise<Need[]> {
  const { store, context } = workplace;
  const figures = unrecorded.among(await figuresOf(workplace));
  const aDayAgo = shifted(context.clock.now(), -DAY_MS);
  const { refused, failed, notAccepted } = await store.read(function* () {
    const failures = yield* listFailedUntold();
    const counts = { refused: yield* countRefused(), notAccepted: yield* countNotAccepted(aDayAgo) };
    return { ...counts, failed: failures.length };
  });
  return [
    ...needsOfPayments(figures, refused, failed),
    ...needsOfComparison(figures),
    counted("files", notAccepted, "files not accepted in the last 24 hours", "the outbox says why", {
      isPassing: true,
    }),
    ...needsOfSending(figures),
    ...needsOfJobs(figures),
  ].filter(({ count }) => count > 0);
}

function counted(about: string, count: number, what: string, next: string, more: Partial<Need> = {}): Need {
  return { about, count, text: `${what}: ${count} (${next})`, ...more };
}

function needsOfPayments({ payments, changesInDoubt }: Figures, refused: number, failed: number): Need[] {
  const inStanding = (standing: Standing) => payments.get(standing) ?? 0;
  const changes = "deposits, voids and authorizations in doubt";
  return [
    counted("received", inStanding("received"), "payments that wait for approval", "`paydrop status`"),
    counted("in doubt", inStanding("in doubt"), "payments in doubt", "`paydrop doubt`", LASTING),
    counted("held", inStanding("held"), "payments held", "`paydrop doubt`"),
    counted("refused", refused, "payments that the service refused", "`paydrop status`"),
    counted("failed", failed, "payments that the service accepted and that failed since", "`paydrop status`"),
    counted("changes in doubt", changesInDoubt, changes, "`paydrop doubt`", LASTING),
  ];
}

function needsOfComparison({ openBreaks: { alarm, warning } }: Figures): Need[] {
  return [
    counted("alarms", alarm, "alarms of the comparison", "`paydrop breaks`"),
    counted("warnings", warning, "warnings of the comparison", "`paydrop breaks`"),
  ];
}

function needsOfSending({ sendingStopped }: Figures): Need[] {
  return Object.entries(sendingStopped)
    .filter(([, isStopped]) => isStopped)
    .map(([reason]) => ({
      about: `stopped ${reason}`,
      count: 1,
      text: `nothing is sent: ${reason} (\`paydrop status\`)`,
    }));
}

function needsOfJobs({ lastEndedRuns }: Figures): Need[] {
  return wrongRuns(lastEndedRuns).map(({ job, code }) => ({
    about: `job ${job}`,
    count: 1,
    text: `the job ${job} did not end well: ${code} (\`paydrop jobs\`)`,
    ...LASTING,
  }));
}
