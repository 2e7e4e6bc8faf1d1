/** The book days that a report covers, in the company's time zone, and the day as of which they are known. */
import type { Day, JournalEntry } from "../../../model/index.ts";
import type { Decimal } from "../../../money/index.ts";
import type { ReportFigure } from "./report-table.ts";

export interface ReportDays {
  /** Absent: from the first day. */
  readonly from?: Day | undefined;
  /** Absent: without an end. */
  readonly to?: Day | undefined;
  /** Only entries known at the end of this day; absent: all entries. */
  readonly asOf?: Day | undefined;
}

/** `currency`: the functional currency. */
export class ReportOfDays {
  readonly days: ReportDays;
  readonly currency: string;

  constructor(days: ReportDays, currency: string) {
    this.days = days;
    this.currency = currency;
  }

  /** A figure in the functional currency. */
  money(value: Decimal): ReportFigure {
    return { value, currency: this.currency };
  }
}

export function isBefore({ from }: ReportDays, { bookDay }: JournalEntry): boolean {
  return from !== undefined && bookDay < from;
}

export function isWithin(days: ReportDays, entry: JournalEntry): boolean {
  return !isBefore(days, entry) && (days.to === undefined || entry.bookDay <= days.to);
}

/** "Booked from 2026-11-01 to 2026-11-30, as known at the end of 2026-12-02" */
export function daysWords({ from, to, asOf }: ReportDays): string {
  const booked =
    from === undefined
      ? to === undefined
        ? "All that is booked"
        : `Booked until ${to}`
      : `Booked ${to === undefined ? `from ${from} on` : from === to ? `on ${from}` : `from ${from} to ${to}`}`;
  return asOf === undefined ? booked : `${booked}, as known at the end of ${asOf}`;
}

/** "2026-11-01-to-2026-11-30-as-of-2026-12-02", for file names; empty for all days. */
export function daysInName({ from, to, asOf }: ReportDays): string {
  const range = [from, (from ?? to) && "to", to ?? (from && "now")];
  return [...range, asOf && `as-of-${asOf}`].filter((part) => part !== undefined).join("-");
}
