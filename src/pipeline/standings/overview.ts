/** What a treasurer asks first in the morning: what waits for whom and since when, and how the scheduled jobs went. */
import { Fault, type Problem } from "../../faults/index.ts";
import {
  type ControlTotal,
  controlTotals,
  type Day,
  dayIn,
  type Instant,
  type Instruction,
} from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { anchorOf, checkAnchor } from "../../store/anchor.ts";
import { type BreakCounts, countOpenBreaks } from "../../store/breaks.ts";
import { listByStanding, listRefused } from "../../store/instructions.ts";
import { type LastRun, listLastRuns } from "../../store/runs.ts";
import type { Transaction } from "../../store/sql.ts";
import type { DoubtReport } from "../doubt-step.ts";
import { stopOrder } from "../sending/stop-order.ts";
import { type Disagreements, disagreements } from "../workplace/agreement.ts";
import type { Workplace } from "../workplace/workplace.ts";
import type { BatchStatus } from "./status.ts";

export interface Waiting {
  readonly totals: readonly ControlTotal[];
  /** Of the one that has waited longest; absent where that is not known. */
  readonly longestMs?: number;
}

export interface WaitingForApproval extends Waiting {
  readonly batchId: string;
  readonly fileName: string;
  readonly digest: string;
  /** Who cannot approve it any more: the submitter, and those who have. */
  readonly not: readonly string[];
  /** Undefined where no rule covers the batch. */
  readonly peopleMissing: number | undefined;
}

export interface Overview {
  readonly at: Instant;
  /** Why nothing is sent at all. */
  readonly stopOrder?: string;
  /** The same, and why all that is told here may be old: the database was restored or exchanged. */
  readonly restored?: Problem;
  /** How machines that share the database differ from this one. */
  readonly machines: Disagreements;
  readonly forApproval: readonly WaitingForApproval[];
  readonly inDoubt: Waiting;
  readonly held: Waiting;
  /** Without those that are paid again. */
  readonly refused: Waiting;
  readonly dueToday: Waiting;
  readonly later: Waiting & { readonly firstDay?: Day };
  /** Being sent, or left by a process that died. */
  readonly sending: Waiting;
  readonly openBreaks: BreakCounts;
  /** The last run of each job that ever ran. */
  readonly lastRuns: readonly LastRun[];
}

/** `batches` and `doubts` are what the caller shows as well. */
export async function overviewOf(
  workplace: Workplace,
  batches: readonly BatchStatus[],
  { payments }: DoubtReport,
): Promise<Overview> {
  const { store, config, context } = workplace;
  const at = context.clock.now();
  const today = dayIn(config.ledger.timeZone, at);
  const order = await stopOrder(workplace);
  const restored = await restoredDatabase(workplace);
  const machines = await disagreements(workplace);
  return store.read(function* (): Transaction<Overview> {
    const approved = yield* listByStanding("approved");
    const isLater = ({ fields: { payOn } }: Instruction) => payOn !== undefined && payOn > today;
    const later = approved.filter(isLater);
    const [firstDay] = later.flatMap(({ fields }) => fields.payOn ?? []).sort();
    const doubted = (standing: string) => {
      const some = payments.filter(({ instruction }) => instruction.standing === standing);
      const waiting = waitingOf(some.map(({ instruction }) => instruction));
      return some.length === 0
        ? waiting
        : { ...waiting, longestMs: Math.max(...some.map(({ ageMs }) => ageMs)) };
    };
    return {
      at,
      ...present({ stopOrder: order?.reason, restored }),
      machines,
      forApproval: batches.flatMap((status) => approvalOf(status, at)),
      inDoubt: doubted("in doubt"),
      held: doubted("held"),
      refused: waitingOf(yield* listRefused()),
      dueToday: waitingOf(approved.filter((instruction) => !isLater(instruction))),
      later: { ...waitingOf(later), ...present({ firstDay }) },
      sending: waitingOf(yield* listByStanding("sending")),
      openBreaks: yield* countOpenBreaks(),
      lastRuns: yield* listLastRuns(),
    };
  });
}

/** Undefined while the database is as new as its anchor. */
export async function restoredDatabase({ store, config }: Workplace): Promise<Problem | undefined> {
  try {
    await store.read(checkAnchor(anchorOf(config)));
    return undefined;
  } catch (error) {
    const isAbout = error instanceof Fault && ANCHOR_CODES.has(error.problem.code);
    if (!isAbout) throw error;
    return error.problem;
  }
}

const ANCHOR_CODES: ReadonlySet<string> = new Set([
  "DATABASE_BEHIND_ANCHOR",
  "DATABASE_COPIED",
  "ANCHOR_UNREADABLE",
]);

function waitingOf(instructions: readonly Instruction[]): Waiting {
  return { totals: controlTotals(instructions.map(({ fields }) => fields.amount)) };
}

function approvalOf(
  { batch, standings, approvedBy, peopleNeeded }: BatchStatus,
  at: Instant,
): WaitingForApproval[] {
  const received = standings.find(({ standing }) => standing === "received");
  if (received === undefined) return [];
  return [
    {
      batchId: batch.id,
      fileName: batch.fileName,
      digest: batch.digest,
      totals: received.totals,
      longestMs: Math.max(0, Date.parse(at) - Date.parse(batch.submittedAt)),
      not: [...new Set([batch.submittedBy, ...approvedBy])],
      peopleMissing: peopleNeeded === undefined ? undefined : Math.max(0, peopleNeeded - approvedBy.length),
    },
  ];
}
