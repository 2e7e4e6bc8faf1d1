/**
 * The needs that require a person now: the one list behind notices, the metric `paydrop_needs` and the exit code of
 * `status`. Worded for many readers: counts, codes and commands, but no payment, amount or name.
 */
import type { BreakSeverity, Instant, Standing } from "../model/index.ts";
import { present } from "../model/present.ts";
import { countBySeverity } from "../store/breaks.ts";
import type { Incomplete } from "../store/comparison.ts";
import type { Figures } from "./figures.ts";
import { whyWrong } from "./run-result.ts";

export interface Need {
  /** Identifies the need across repeated checks; a monitor's label. */
  readonly about: string;
  /** 0 if no person is needed. */
  readonly count: number;
  readonly text: string;
  /**
   * When the newest case came, for needs whose count may stay the same because an older case ends at the same time.
   */
  readonly newestAt?: Instant;
  /** The age from which it needs a person, for cases that often resolve by themselves. */
  readonly lastsMs?: number;
  /** It ends by itself, whether or not a person acts. */
  readonly isPassing?: true;
}

/** Time for the next runs to resolve it. */
const SETTLES_BY_ITSELF_MS = 15 * 60_000;

/** Whether a comparison is probably still under way, not cut short. */
export function mayBeUnderWay({ code, since }: Incomplete, now: Instant): boolean {
  return code === "UNDER_WAY" && Date.parse(now) - Date.parse(since) < SETTLES_BY_ITSELF_MS;
}

const LASTING = { lastsMs: SETTLES_BY_ITSELF_MS };

/** All possible needs, including those whose count is 0. */
export function needsOf(figures: Figures): Need[] {
  return [
    ...needsOfPayments(figures),
    ...needsOfFiles(figures),
    ...needsOfNotices(figures),
    ...needsOfSending(figures),
    ...needsOfJobs(figures),
  ];
}

function counted(about: string, count: number, what: string, next: string, more: Partial<Need> = {}): Need {
  return { about, count, text: `${what}: ${count} (${next})`, ...more };
}

/**
 * A failed payout stays one need when the comparison reports it as a break, unless it may have paid: that is an
 * alarm.
 */
function needsOfPayments(figures: Figures): Need[] {
  const { payments, newestReceivedAt, runOut, refused, failed, changesInDoubt, openBreaks } = figures;
  const inStanding = (standing: Standing) => payments.get(standing) ?? 0;
  const changes = "deposits, voids and authorizations in doubt";
  const { failures = [], others = [] } = Object.groupBy(openBreaks, ({ kind, severity, payoutId }) =>
    kind === "failed" && severity === "warning" && payoutId !== undefined ? "failures" : "others",
  );
  const { alarm, warning } = countBySeverity(others);
  const newest = (severity: BreakSeverity) =>
    present({ newestAt: others.find((each) => each.severity === severity)?.openedAt });
  const failedSince = "payments that the service accepted and that failed since";
  return [
    counted(
      "approval",
      inStanding("received"),
      "payments that wait for approval",
      "`paydrop status`",
      present({ newestAt: newestReceivedAt }),
    ),
    counted("approval run out", runOut, "payments that must be approved again", "`paydrop status`"),
    counted("in doubt", inStanding("in doubt"), "payments in doubt", "`paydrop doubt`", LASTING),
    counted("held", inStanding("held"), "payments held", "`paydrop doubt`"),
    counted("refused", refused, "payments that the service refused", "`paydrop status`"),
    counted("failed", failed + failures.length, failedSince, "`paydrop status`"),
    counted("changes in doubt", changesInDoubt, changes, "`paydrop doubt`", LASTING),
    counted("alarms", alarm, "alarms of the comparison", "`paydrop breaks`", newest("alarm")),
    counted("warnings", warning, "warnings of the comparison", "`paydrop breaks`", newest("warning")),
  ];
}

function needsOfFiles({ filesBack: { rejected, refused } }: Figures): Need[] {
  const what = "files came back in the last 24 hours";
  return [counted("files", rejected + refused, what, "the outbox says why", { isPassing: true })];
}

function needsOfNotices({ noticesGivenUp: count }: Figures): Need[] {
  const what = "notices could not be delivered in the last 24 hours";
  return [counted("notices", count, what, "`paydrop notices list`", { isPassing: true })];
}

function needsOfSending({ sendingStopped }: Figures): Need[] {
  return Object.entries(sendingStopped).map(([reason, isStopped]) => ({
    about: reason,
    count: Number(isStopped),
    text: `nothing is sent: ${reason} (\`paydrop status\`)`,
  }));
}

function needsOfJobs({ lastEndedRuns, incompleteComparison }: Figures): Need[] {
  const { since, code } = incompleteComparison ?? { since: "", code: "" };
  const what = `no comparison has been complete since ${since}: ${code}`;
  const count = Number(incompleteComparison !== undefined);
  const runs = lastEndedRuns.map((run) => {
    const code = whyWrong(run);
    return {
      about: `job ${run.job}`,
      count: Number(code !== undefined),
      text: `the job ${run.job} did not end well: ${code} (\`paydrop jobs\`)`,
      ...LASTING,
    };
  });
  return [{ about: "comparison", count, text: `${what} (\`paydrop breaks\`)`, ...LASTING }, ...runs];
}
