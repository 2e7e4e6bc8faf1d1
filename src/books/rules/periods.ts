/**
 * The checklist for closing a month, with each point done or open and a sentence; and the day through which the
 * books are closed.
 */
import { counted } from "../../model/counted.ts";
import {
  type Break,
  type Day,
  dayIn,
  type Instant,
  type JournalEntry,
  lastDayOf,
  type Month,
  type NightProofRow,
} from "../../model/index.ts";
import { exportNumberText } from "../../model/ledger-table.ts";
import { Decimal, formatAmount } from "../../money/index.ts";
import { checkBalance } from "./journal-entries.ts";
import { checkCurrency } from "./trial-balance.ts";

/** The later of the last closed month's end and `ledger.closedThrough`; undefined while everything is open. */
export function closedThroughOf(configured: Day | undefined, lastClosed: Month | undefined): Day | undefined {
  const ends = [configured, lastClosed && lastDayOf(lastClosed)];
  return ends
    .filter((day) => day !== undefined)
    .sort()
    .at(-1);
}

export interface Point {
  readonly point: "held" | "balance" | "exported" | "breaks" | "proof" | "answered" | "suspense";
  /** not kept: there is nothing to decide it by, as when no target answers. It does not prevent closing. */
  readonly state: "done" | "open" | "not kept";
  readonly said: string;
}

/** A night after the month's end. */
export interface LaterNight {
  readonly number: number;
  readonly day: Day;
  readonly proof: readonly NightProofRow[];
}

export interface MonthFacts {
  readonly month: Month;
  readonly timeZone: string;
  readonly sums: MonthSums;
  readonly held: readonly {
    readonly next: string;
    readonly code: string;
    readonly confirmedAt?: Instant | undefined;
    readonly reference?: string | undefined;
    readonly id: string;
    readonly settledAt?: Instant | undefined;
  }[];
  /** By target, how many entries until the month's end it has yet to get; empty if there are none. */
  readonly notExported: readonly { readonly target: string; readonly entries: number }[];
  /** Open breaks that are not settled. */
  readonly breaks: readonly (Pick<Break, "severity" | "amount"> & {
    readonly opening: string;
    readonly openedAt: Instant;
  })[];
  /**
   * By currency, the amount above which a break must be settled; in a currency without one, every break must be.
   */
  readonly limits: Readonly<Record<string, Decimal>>;
  /** Complete nights after the month's end, oldest first. */
  readonly nights: readonly LaterNight[];
  /** Batches with entries until the month's end that have no answer; absent if no target is configured to answer. */
  readonly unanswered?:
    | readonly { readonly target: string; readonly number: number; readonly entries: number }[]
    | undefined;
  /** Why the amounts on suspense are accepted. */
  readonly acceptedSuspense?: string | undefined;
}

export function checklistOf(facts: MonthFacts): readonly Point[] {
  return [
    heldPoint(facts),
    balancePoint(facts),
    exportedPoint(facts),
    breaksPoint(facts),
    proofPoint(facts),
    answersPoint(facts),
    suspensePoint(facts),
  ];
}

/**
 * Sums the entries that closing a month closes: from the first open day to the last day of the month. Add them in any
 * order.
 */
export class MonthSums {
  entries = 0;
  debit = Decimal.zero;
  credit = Decimal.zero;
  /** The balance on suspense; debit positive. */
  suspense = Decimal.zero;
  /** The number of lines on suspense. */
  suspenseLines = 0;
  readonly currency: string;
  private readonly after: Day;
  private readonly until: Day;

  constructor(currency: string, closedThrough: Day | undefined, month: Month) {
    this.currency = currency;
    this.after = closedThrough ?? "";
    this.until = lastDayOf(month);
  }

  /** Throws INVARIANT_BROKEN for an entry that does not balance, and LEDGER_CURRENCY_CHANGED. */
  add(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      if (entry.bookDay <= this.after || entry.bookDay > this.until) continue;
      checkBalance(entry);
      checkCurrency(entry, this.currency);
      this.entries += 1;
      for (const line of entry.lines) this.addLine(line);
    }
  }

  private addLine({
    accountKey,
    debit = Decimal.zero,
    credit = Decimal.zero,
  }: JournalEntry["lines"][number]) {
    this.debit = this.debit.plus(debit);
    this.credit = this.credit.plus(credit);
    if (accountKey !== "suspense") return;
    this.suspense = this.suspense.plus(debit).minus(credit);
    this.suspenseLines += 1;
  }
}

/** The receipts of such a deposit are booked, to deposits clearing. */
const RECEIPTS_BOOKED = "LEDGER_DEPOSIT_UNAPPLIED";

/**
 * Leaves out movements that a controller has settled, those that wait for the network (`will-retry`), deposits whose
 * receipts are booked, and movements confirmed after the month, which belong to a later one.
 */
function heldPoint({ held, month, timeZone }: MonthFacts): Point {
  const end = lastDayOf(month);
  const own = held.filter(
    ({ next, code, confirmedAt, settledAt }) =>
      settledAt === undefined &&
      next !== "will-retry" &&
      code !== RECEIPTS_BOOKED &&
      (confirmedAt === undefined || dayIn(timeZone, confirmedAt) <= end),
  );
  if (own.length === 0) return done("held", "No movement confirmed by then is held.");
  const names = own.map(({ reference, id }) => reference ?? id);
  return open("held", `${counted(own.length, "movement")} held: ${named(names)}.`);
}

function balancePoint({ sums: { debit, credit, entries, currency } }: MonthFacts): Point {
  const both = `${debit} ${currency} each, in ${counted(entries, "entry", "entries")}`;
  return debit.equals(credit)
    ? done("balance", `Debit equals credit: ${both}.`)
    : open("balance", `Debit is ${debit} ${currency}, credit ${credit}.`);
}

function exportedPoint({ notExported }: MonthFacts): Point {
  const [first] = notExported;
  if (first === undefined) return done("exported", "Every entry is in an export batch of each target.");
  const entries = counted(first.entries, "entry is", "entries are");
  const others = notExported.slice(1).map(({ target }) => target);
  const more = others.length === 0 ? "" : `, nor all of ${named(others)}`;
  const how = "`paydrop ledger export` issues the next one, or names what a target cannot hold";
  return open("exported", `${entries} in no export batch of ${first.target}${more}: ${how}.`);
}

function breaksPoint({ breaks, limits, month, timeZone }: MonthFacts): Point {
  const end = lastDayOf(month);
  const limitsText = Object.entries(limits).map(([currency, value]) => formatAmount({ currency, value }));
  const which = limitsText.length === 0 ? "Breaks" : `Breaks above ${limitsText.join(", ")}`;
  const own = breaks.filter(({ severity, amount, openedAt }) => {
    if (severity === "note" || dayIn(timeZone, openedAt) > end) return false;
    if (amount === undefined) return severity === "alarm";
    const limit = limits[amount.currency];
    return limit === undefined || amount.value.absolute().compare(limit) > 0;
  });
  if (own.length === 0) return done("breaks", `${which} of the month are explained.`);
  const names = named(own.map(({ opening }) => opening));
  return open("breaks", `${which}: ${names} ${own.length === 1 ? "is" : "are"} not settled.`);
}

/** A later proof is enough: it includes the same movements, so earlier differences have been resolved. */
function proofPoint({ nights, month }: MonthFacts): Point {
  const end = lastDayOf(month);
  const [first] = nights;
  if (first === undefined)
    return open("proof", `No complete comparison was kept after ${end}: \`paydrop reconcile\` makes one.`);
  const tying = nights.find(({ proof }) => offIn(proof).length === 0);
  const off = named(offIn(first.proof));
  if (tying === undefined)
    return open(
      "proof",
      `In night ${first.number} of ${first.day}, the first after ${end}, ${off} did not tie.`,
    );
  if (tying === first) return done("proof", `All balances tie in night ${first.number} of ${first.day}.`);
  return done(
    "proof",
    `All balances tie in night ${tying.number} of ${tying.day}; in night ${first.number} ${off} did not.`,
  );
}

function offIn(proof: readonly NightProofRow[]): string[] {
  return proof.filter(({ ties }) => !ties).map(({ account }) => account);
}

function answersPoint({ unanswered }: MonthFacts): Point {
  if (unanswered === undefined)
    return {
      point: "answered",
      state: "not kept",
      said: "No target answers its exports: check the ERP's import.",
    };
  const [first] = unanswered;
  if (first === undefined)
    return done("answered", "The ERP has answered for every entry, or its export is excused.");
  const more = unanswered.length === 1 ? "" : `, and ${unanswered.length - 1} more`;
  const name = `export ${exportNumberText(first.number)} of ${first.target}`;
  const have = first.entries === 1 ? "has" : "have";
  return open(
    "answered",
    `${counted(first.entries, "entry", "entries")} of ${name} ${have} no answer${more}.`,
  );
}

function suspensePoint({ sums, acceptedSuspense }: MonthFacts): Point {
  const { suspense, suspenseLines, currency } = sums;
  if (suspense.isZero()) return done("suspense", "Nothing is left on suspense.");
  const left = `${suspense} ${currency} in ${counted(suspenseLines, "line")} on suspense`;
  if (acceptedSuspense !== undefined) return done("suspense", `${left}, accepted: ${acceptedSuspense}`);
  return open("suspense", `${left}: \`--accept-suspense WHY\` accepts it.`);
}

function done(point: Point["point"], said: string): Point {
  return { point, state: "done", said };
}

function open(point: Point["point"], said: string): Point {
  return { point, state: "open", said };
}

const NAMED_MAX = 5;

function named(names: readonly string[]): string {
  const shown = names.slice(0, NAMED_MAX).join(", ");
  return names.length > NAMED_MAX ? `${shown} and ${names.length - NAMED_MAX} more` : shown;
}
