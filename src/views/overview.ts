/** The treasurer's overview: what waits for whom and since when, and the results of the scheduled jobs. */
import type { Config } from "../config/index.ts";
import { questionsAsked } from "../files/questions-asked.ts";
import {
  addControlTotals,
  type ControlTotal,
  controlTotals,
  countOf,
  type Day,
  dayIn,
  type Instant,
  type Instruction,
  lessControlTotals,
  type Rest,
  type Standing,
} from "../model/index.ts";
import { present } from "../model/present.ts";
import { type Amount, Decimal } from "../money/index.ts";
import { spendingLimitsOf } from "../payments/run/spending-limits.ts";
import { spend } from "../payments/sending/index.ts";
import { givenInVain, peopleMissing } from "../people/index.ts";
import type { AskedOfSender, FilesBack } from "../store/batches.ts";
import { type BreakCounts, countOpenBreaks } from "../store/breaks.ts";
import { type Incomplete, readComparison } from "../store/comparison.ts";
import { listFailedSinceComparison } from "../store/failed-payments.ts";
import { listDue, listRefused } from "../store/instructions.ts";
import { type LastRun, listLastRuns } from "../store/runs.ts";
import { Spending, spentOn } from "../store/spending.ts";
import type { Transaction } from "../store/sql.ts";
import { listAttempts } from "../store/submissions.ts";
import { calendarOf } from "../workplace/calendar.ts";
import type { Workplace } from "../workplace/workplace.ts";
import type { BatchStatus, RunsOutFirst } from "./batch-status.ts";
import type { DoubtReport } from "./doubts.ts";
import { countUndelivered } from "./figures.ts";
import { filesBack } from "./files-back.ts";
import { type FileNotCome, filesNotCome } from "./files-not-come.ts";
import { wrongRuns } from "./run-result.ts";
import { type WhyNothingIsSent, whyNothingIsSent } from "./why-nothing-is-sent.ts";

export interface Waiting {
  readonly totals: readonly ControlTotal[];
  /** The longest wait; absent if unknown. */
  readonly longestMs?: number;
}

export interface WaitingForApproval extends Waiting {
  readonly batchId: string;
  readonly fileName: string;
  readonly digest: string;
  /** People who cannot approve it: the submitter, and those who already have while others must. */
  readonly not: readonly string[];
  /** The people and roles whom the rule lists; absent if it lists none. */
  readonly approvers?: readonly string[];
  /** Undefined if no rule covers the batch. */
  readonly peopleMissing: number | undefined;
  /** Whether it was approved before, and that approval has expired or does not fit. */
  readonly isAnew: boolean;
}

export interface Overview extends WhyNothingIsSent {
  readonly at: Instant;
  readonly forApproval: readonly WaitingForApproval[];
  readonly inDoubt: Waiting;
  readonly held: Waiting;
  /** Without payments that are paid again. */
  readonly refused: Waiting;
  /** Accepted payments whose payouts failed since the last comparison; the next one reports each as a break. */
  readonly failed: Waiting;
  readonly dueToday: Waiting;
  /** Why the calendar lets nothing new be sent now, and when sending resumes. */
  readonly rest?: Rest;
  /** Approvals that expire before the calendar lets their payments leave. */
  readonly runsOutFirst: readonly RunsOutFirst[];
  /** Files of senders that did not come by their due day. */
  readonly filesNotCome: readonly FileNotCome[];
  /** Due, but more than today's limits allow. */
  readonly beyondLimits: Waiting;
  /** Set if too many payments are due to check each one: the amounts by which they exceed a day's limits. */
  readonly overDayLimits: readonly Amount[];
  readonly later: Waiting & { readonly firstDay?: Day };
  /** Being sent, or left behind by a dead process. */
  readonly sending: Waiting;
  readonly openBreaks: BreakCounts;
  /** The time since which no comparison has been complete, and the reason. */
  readonly incompleteComparison?: Incomplete;
  /** Of the last 30 days. */
  readonly filesBack: FilesBack;
  /** Counts of questions about files, by sender and month, of the last three months. */
  readonly questionsAsked: readonly AskedOfSender[];
  /** As `Figures` has them. */
  readonly noticesGivenUp: number;
  /** The last ended run of each job that did not end well. */
  readonly wrongRuns: ReturnType<typeof wrongRuns>;
  /** The last run of each job. */
  readonly lastRuns: readonly LastRun[];
}

/** `batches` and `doubts` are passed in because the caller shows them as well. */
export async function overviewOf(
  workplace: Workplace,
  batches: readonly BatchStatus[],
  { payments }: DoubtReport,
): Promise<Overview> {
  const { store, config, context } = workplace;
  const at = context.clock.now();
  const today = dayIn(config.ledger.timeZone, at);
  const obstacles = await whyNothingIsSent(workplace);
  const calendar = calendarOf(config);
  return store.read(function* (): Transaction<Overview> {
    const released = batches.flatMap(({ released }) => released);
    const { later = [], due = [] } = Object.groupBy(released, ({ payOn = "" }) =>
      payOn !== "" && calendar.workingDayFrom(payOn) > today ? "later" : "due",
    );
    const [firstDay] = later.flatMap(({ payOn = "" }) => calendar.workingDayFrom(payOn)).sort();
    const dueTotals = addControlTotals(due.map(({ total }) => total));
    const isMany = countOf(dueTotals) > LOOKED_AT_MAX;
    const beyondLimits = isMany ? [] : yield* listBeyondLimits(batches, today, config, at);
    const doubted = (standing: string) => {
      const some = payments.filter(({ instruction }) => instruction.standing === standing);
      const waiting = waitingOf(some.map(({ instruction }) => instruction));
      return some.length === 0
        ? waiting
        : { ...waiting, longestMs: Math.max(...some.map(({ ageMs }) => ageMs)) };
    };
    return {
      at,
      ...obstacles,
      ...present({ rest: calendar.restAt(at, "begin") }),
      runsOutFirst: batches.flatMap(({ runsOutFirst }) => runsOutFirst ?? []),
      filesNotCome: yield* filesNotCome(config, at),
      forApproval: batches.flatMap((status) => waitingForApproval(status, at)),
      inDoubt: doubted("in doubt"),
      held: doubted("held"),
      refused: waitingOf(yield* listRefused()),
      failed: waitingOf(yield* listFailedSinceComparison()),
      dueToday: { totals: lessControlTotals(dueTotals, waitingOf(beyondLimits).totals) },
      beyondLimits: waitingOf(beyondLimits),
      overDayLimits: isMany ? yield* listOverDayLimits(dueTotals, config, at) : [],
      later: { totals: addControlTotals(later.map(({ total }) => total)), ...present({ firstDay }) },
      sending: { totals: addControlTotals(...batches.map((status) => totalsAt(status, "sending"))) },
      openBreaks: yield* countOpenBreaks(),
      ...present({ incompleteComparison: (yield* readComparison()).incomplete }),
      filesBack: yield* filesBack(at),
      questionsAsked: yield* questionsAsked(config.ledger.timeZone, at),
      noticesGivenUp: yield* countUndelivered(at),
      wrongRuns: wrongRuns(yield* listLastRuns({ isEnded: true })),
      lastRuns: yield* listLastRuns(),
    };
  });
}

const LOOKED_AT_MAX = 2_000;

/**
 * The due payments that today's limits hold back, determined in the order of sending with the rules of the intents.
 * Stores nothing.
 */
function* listBeyondLimits(
  batches: readonly BatchStatus[],
  today: Day,
  config: Pick<Config, "limits" | "ledger">,
  at: Instant,
): Transaction<readonly Instruction[]> {
  const limits = spendingLimitsOf(config);
  const spending = new Spending(limits.dayOf(at));
  const beyond: Instruction[] = [];
  for (const { batch, released } of batches) {
    const days = new Set(released.map(({ payOn }) => payOn));
    if (![...days].some((payOn = "") => payOn <= today)) continue;
    const approved = yield* listDue({ today, batch: batch.id, except: [] }, undefined, batch.rowCount);
    const due = approved.filter(({ reason, fields }) => reason === undefined && days.has(fields.payOn));
    const attempts = yield* listAttempts(due.map(({ id }) => id));
    for (const instruction of due) {
      const earlier = attempts.get(instruction.id) ?? [];
      if ((yield* spend(instruction, earlier, spending, limits)) !== undefined) beyond.push(instruction);
    }
  }
  return beyond;
}

/** The amounts by which due payments exceed the rest of today's limits. */
function* listOverDayLimits(
  due: readonly ControlTotal[],
  config: Pick<Config, "limits" | "ledger">,
  at: Instant,
): Transaction<readonly Amount[]> {
  const { limitPerDay, dayOf } = spendingLimitsOf(config);
  const over: Amount[] = [];
  for (const { currency, amount } of due) {
    const limit = limitPerDay[currency] ?? Decimal.zero;
    const value = amount.plus(yield* spentOn(dayOf(at), currency)).minus(limit);
    if (value.compare(Decimal.zero) > 0) over.push({ currency, value });
  }
  return over;
}

function waitingOf(instructions: readonly Instruction[]): Waiting {
  return { totals: controlTotals(instructions.map(({ fields }) => fields.amount)) };
}

function totalsAt({ standings }: BatchStatus, wanted: Standing): readonly ControlTotal[] {
  return standings.find(({ standing }) => standing === wanted)?.totals ?? [];
}

/** The payments of a batch that await approval; empty if there are none. */
export function waitingForApproval(status: BatchStatus, at: Instant): WaitingForApproval[] {
  const { batch, runOut, approvedBy, peopleNeeded, approvers } = status;
  const totals = addControlTotals(totalsAt(status, "received"), runOut);
  if (totals.length === 0) return [];
  return [
    {
      batchId: batch.id,
      fileName: batch.fileName,
      digest: batch.digest,
      totals,
      isAnew: runOut.length > 0,
      // The rules do not say when an approval ran out, so no age is shown.
      ...(runOut.length === 0 && {
        longestMs: Math.max(0, Date.parse(at) - Date.parse(batch.submittedAt)),
      }),
      not: [...new Set([batch.submittedBy, ...givenInVain(approvedBy, peopleNeeded)])],
      ...present({ approvers }),
      // A payment that was held back needs at least one more approval.
      peopleMissing: peopleMissing(peopleNeeded, approvedBy.length),
    },
  ];
}
