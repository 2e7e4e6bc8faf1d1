/** What needs somebody now, worded for many readers: counts, codes and commands, but no payment, amount or name. */
import { DAY_MS } from "../model/index.ts";
import { figuresOf } from "../pipeline/standings/figures.ts";
import type { Workplace } from "../pipeline/workplace/workplace.ts";
import { countNotAccepted } from "../store/batches.ts";
import { countRefused } from "../store/instructions.ts";
import { wrongRuns } from "./run-outcome.ts";
import type { UnkeptRuns } from "./unkept-runs.ts";

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

const CHANGES_IN_DOUBT = "deposits, voids and authorizations in doubt";

/** All present needs. */
export async function needsOf(workplace: Workplace, unkept: UnkeptRuns): Promise<Need[]> {
  const { store, context } = workplace;
  const { payments, changesInDoubt, openBreaks, sendingStopped, lastEndedRuns } = unkept.among(
    await figuresOf(workplace),
  );
  const aDayAgo = new Date(Date.parse(context.clock.now()) - DAY_MS).toISOString();
  const { refused, notAccepted } = await store.read(function* () {
    return { refused: yield* countRefused(), notAccepted: yield* countNotAccepted(aDayAgo) };
  });
  const lasting = { lastsMs: SETTLES_BY_ITSELF_MS };
  const stopped = Object.entries(sendingStopped).filter(([, isStopped]) => isStopped);
  return [
    counted("received", payments.get("received") ?? 0, "payments that wait for approval", "`paydrop status`"),
    counted("in doubt", payments.get("in doubt") ?? 0, "payments in doubt", "`paydrop doubt`", lasting),
    counted("held", payments.get("held") ?? 0, "payments held", "`paydrop doubt`"),
    counted("refused", refused, "payments that the service refused", "`paydrop status`"),
    counted("changes in doubt", changesInDoubt, CHANGES_IN_DOUBT, "`paydrop doubt`", lasting),
    counted("alarms", openBreaks.alarm, "alarms of the comparison", "`paydrop breaks`"),
    counted("warnings", openBreaks.warning, "warnings of the comparison", "`paydrop breaks`"),
    counted("files", notAccepted, "files not accepted in the last 24 hours", "the outbox says why", {
      isPassing: true,
    }),
    ...stopped.map(([reason]) => ({
      about: `stopped ${reason}`,
      count: 1,
      text: `nothing is sent: ${reason} (\`paydrop status\`)`,
    })),
    ...wrongRuns(lastEndedRuns).map(({ job, code }) => ({
      about: `job ${job}`,
      count: 1,
      text: `the job ${job} did not end well: ${code} (\`paydrop jobs\`)`,
      ...lasting,
    })),
  ].filter(({ count }) => count > 0);
}

function counted(about: string, count: number, what: string, next: string, more: Partial<Need> = {}): Need {
  return { about, count, text: `${what}: ${count} (${next})`, ...more };
}
