/**
 * Controllers close months in order, by signing the checklist, and open a month together with those after it. A
 * movement that settles later is booked on the first open day, and keeps the day of its document.
 */
import { fault } from "../faults/index.ts";
import {
  type Day,
  dayAfter,
  dayIn,
  firstDayOf,
  type Instant,
  lastDayOf,
  type Month,
  monthAfter,
  monthOf,
  type NightProofRow,
} from "../model/index.ts";
import { answeringTargets } from "../model/ledger-table.ts";
import { present } from "../model/present.ts";
import { proveDecision } from "../proof/prove.ts";
import { appendAudit } from "../store/audit.ts";
import { listOpenBreaks } from "../store/breaks.ts";
import { listUnanswered } from "../store/erp-answers.ts";
import { listHeld } from "../store/held.ts";
import { countNotExported, firstBookDay } from "../store/ledger-entries.ts";
import { lastNight, listCompleteNightsAfter, type StoredNight } from "../store/nights.ts";
import { insertClosedPeriod, listClosedPeriods, reopenPeriods } from "../store/periods.ts";
import type { Transaction } from "../store/sql.ts";
import { exclusivelyOrFault } from "../workplace/exclusively.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { entryWindows } from "./entry-windows.ts";
import { JOURNAL_TARGET } from "./exports/targets.ts";
import { closedThroughNow } from "./ledger-policy.ts";
import { postSettled } from "./posting/post-settled.ts";
import { checklistOf, type MonthFacts, MonthSums, type Point } from "./rules/periods.ts";

export interface PeriodClosing {
  readonly month: Month;
  readonly person: string;
  /** Why the month's amounts on suspense are accepted. */
  readonly acceptSuspense?: string;
  /** Posts what has settled and evaluates the checklist; signs and closes nothing. */
  readonly checkOnly?: boolean;
}

export interface PeriodClosed {
  readonly month: Month;
  readonly points: readonly Point[];
  /** False while a point is open, or if only the checklist was asked for. */
  readonly isClosed: boolean;
}

/**
 * Posts settled movements and goes through the checklist. If every point is done, the person signs it and the month
 * is closed. Throws USAGE for a month that is not over, or not the next one to close; UNDER_WAY; the faults of
 * `postSettled` and `proveDecision`; and STATEMENT_CHANGED if a point has changed when it is signed.
 */
export function closePeriodStep(workplace: Workplace, closing: PeriodClosing): Promise<PeriodClosed> {
  return exclusivelyOrFault(workplace, "ledger-export", async (alone) => {
    await refuseOutOfOrder(alone, closing.month);
    await postSettled(alone);
    const { points, entries } = await checklist(alone, closing);
    const { month, person, acceptSuspense, checkOnly } = closing;
    if (checkOnly === true || points.some(({ state }) => state === "open"))
      return { month, points, isClosed: false };
    const said = Object.fromEntries(points.map((point) => [point.point, point.said]));
    await proveDecision(alone, {
      decision: "close period",
      person,
      subject: month,
      ...present({ reason: acceptSuspense }),
      detail: { from: firstDayOf(month), to: lastDayOf(month), entries: String(entries), points: said },
    });
    const again = await checklist(alone, closing);
    if (JSON.stringify(again.points) !== JSON.stringify(points))
      throw fault("STATEMENT_CHANGED", { reason: "checklist" });
    const at = alone.context.clock.now();
    await alone.store.write(function* (): Transaction<void> {
      const detail = { ...said, ...present({ reason: acceptSuspense }) };
      yield* appendAudit({ at, person, action: "close period", subject: month, detail });
      yield* insertClosedPeriod({ month, closedAt: at, closedBy: person, points: JSON.stringify(points) });
    });
    return { month, points, isClosed: true };
  });
}

export interface PeriodReopening {
  readonly month: Month;
  readonly person: string;
  readonly reason: string;
}

/**
 * Opens a closed month and those after it; returns them. Throws NAME_UNKNOWN for a month that is not closed, USAGE
 * if `ledger.closedThrough` keeps it closed, UNDER_WAY, and the faults of `proveDecision`.
 */
export function reopenPeriodStep(
  workplace: Workplace,
  { month, person, reason }: PeriodReopening,
): Promise<readonly Month[]> {
  return exclusivelyOrFault(workplace, "ledger-export", async (alone) => {
    const { store, context, config } = alone;
    const months = await store.read(() => closedFrom(month));
    if (!months.includes(month)) {
      const how = "`paydrop ledger periods` lists the closed months.";
      throw fault("NAME_UNKNOWN", { what: `closed month ${month}`, how });
    }
    if (isKeptClosed(config, month)) {
      const what = `\`ledger.closedThrough\` keeps the books closed through ${config.ledger.closedThrough}`;
      throw fault("USAGE", { what, how: "Take it out of the configuration first." });
    }
    await proveDecision(alone, {
      decision: "reopen period",
      person,
      subject: month,
      reason,
      detail: { months },
    });
    const at = context.clock.now();
    await store.write(function* (): Transaction<void> {
      if (JSON.stringify(yield* closedFrom(month)) !== JSON.stringify(months))
        throw fault("STATEMENT_CHANGED", { reason: "months" });
      yield* appendAudit({
        at,
        person,
        action: "reopen period",
        subject: month,
        detail: { months: months.join(", "), reason },
      });
      yield* reopenPeriods(month, { at, person, reason });
    });
    return months;
  });
}

/** Whether the configuration keeps a month closed, so that nobody can open it. */
export function isKeptClosed(
  { ledger: { closedThrough = "" } }: Pick<Workplace["config"], "ledger">,
  month: Month,
): boolean {
  return closedThrough >= firstDayOf(month);
}

/** The closed months from this one on, in order. */
function* closedFrom(month: Month): Transaction<Month[]> {
  const closed = (yield* listClosedPeriods()).filter(({ reopenedAt }) => reopenedAt === undefined);
  return closed
    .map((each) => each.month)
    .filter((each) => each >= month)
    .sort();
}

export interface Period {
  readonly month: Month;
  readonly state: "closed" | "open again";
  readonly closedAt: Instant;
  readonly closedBy: string;
  readonly reopenedAt?: Instant;
  readonly reopenedBy?: string;
  readonly reopenReason?: string;
}

export interface Periods {
  /** Bookings on this day or earlier are closed; absent while everything is open. */
  readonly closedThrough?: Day;
  /** The month to close next; absent before the first entry. */
  readonly next?: Month;
  /** All closings, newest first. */
  readonly closings: readonly Period[];
}

export function periodsStep({ store, config }: Workplace): Promise<Periods> {
  return store.read(() => periodsIn(config));
}

export function* periodsIn(config: Workplace["config"]): Transaction<Periods> {
  const closedThrough = yield* closedThroughNow(config);
  const closings = yield* listClosedPeriods();
  return {
    ...present({ closedThrough, next: yield* nextToClose(closedThrough) }),
    closings: closings.map(({ points: _, ...each }) => ({
      ...each,
      state: each.reopenedAt === undefined ? "closed" : "open again",
    })),
  };
}

function* nextToClose(closedThrough: Day | undefined): Transaction<Month | undefined> {
  if (closedThrough !== undefined) return monthOf(dayAfter(closedThrough));
  const first = yield* firstBookDay();
  return first && monthOf(first);
}

async function refuseOutOfOrder({ store, config, context }: Workplace, month: Month): Promise<void> {
  const today = dayIn(config.ledger.timeZone, context.clock.now());
  if (lastDayOf(month) >= today) {
    const what = `${month} is not over in ${config.ledger.timeZone}`;
    throw fault("USAGE", { what, how: `It can be closed from ${firstDayOf(monthAfter(month))} on.` });
  }
  const { closedThrough, next } = await store.read(function* () {
    const through = yield* closedThroughNow(config);
    return { closedThrough: through, next: yield* nextToClose(through) };
  });
  if (closedThrough !== undefined && lastDayOf(month) <= closedThrough)
    throw fault("USAGE", { what: `${month} is closed already`, how: `Close ${next} next.` });
  // Otherwise every month from there to the first entry would have to be closed, one by one.
  if (next !== undefined && month < next)
    throw fault("USAGE", { what: `the books begin with ${next}`, how: `Close ${next} first.` });
  if (next !== undefined && month > next)
    throw fault("USAGE", {
      what: `months are closed in order, and ${next} is open`,
      how: `Close ${next} first.`,
    });
}

/** The present checklist, without posting; throws USAGE as `closePeriodStep` does. Reads every entry. */
export async function periodChecklist(
  workplace: Workplace,
  closing: Pick<PeriodClosing, "month" | "acceptSuspense">,
): Promise<readonly Point[]> {
  await refuseOutOfOrder(workplace, closing.month);
  return (await checklist(workplace, closing)).points;
}

async function checklist(
  { store, config, context }: Workplace,
  { month, acceptSuspense }: Pick<PeriodClosing, "month" | "acceptSuspense">,
): Promise<{ readonly points: readonly Point[]; readonly entries: number }> {
  const { functionalCurrency, timeZone } = config.ledger;
  const sums = new MonthSums(functionalCurrency, await store.read(() => closedThroughNow(config)), month);
  for await (const window of entryWindows(store)) sums.add(window.map(({ entry }) => entry));
  const end = lastDayOf(month);
  const answering = answeringTargets(config.ledger.exports);
  const now = context.clock.now();
  const points = await store.read(function* () {
    return checklistOf({
      month,
      timeZone,
      sums,
      held: yield* listHeld(),
      notExported: yield* notExported(config, end),
      ...(answering.length > 0 && { unanswered: yield* listUnanswered(answering, now, { until: end }) }),
      breaks: yield* listOpenBreaks(),
      limits: config.reconciliation.settleAlone,
      nights: (yield* nightsAfter(end)).map(({ number, day, document }) => {
        const { proof } = JSON.parse(document) as { readonly proof: readonly NightProofRow[] };
        return { number, day, proof };
      }),
      acceptedSuspense: acceptSuspense,
    });
  });
  return { points, entries: sums.entries };
}

/** By target, how many entries until the month's end it has yet to get. */
function* notExported({ ledger }: Workplace["config"], end: Day): Transaction<MonthFacts["notExported"]> {
  const counts = [];
  for (const { name, since } of [{ name: JOURNAL_TARGET, since: undefined }, ...ledger.exports])
    counts.push({ target: name, entries: yield* countNotExported(name, end, since) });
  return counts.filter(({ entries }) => entries > 0);
}

/** Nights after the month's end, the first ones and the last one; one that ties is enough. */
function* nightsAfter(end: Day): Transaction<StoredNight[]> {
  const first = yield* listCompleteNightsAfter(end, NIGHTS_LOOKED_AT);
  const last = yield* lastNight();
  const isOther =
    last?.isComplete === true && last.day > end && !first.some(({ number }) => number === last.number);
  return isOther ? [...first, last] : first;
}

const NIGHTS_LOOKED_AT = 62;
