/**
 * The contents of a report: a kept night and the nights around it; for a period, also what opened and closed in it.
 */
import { type Day, dayWords, type Instant, minuteText, type NightSummary } from "../../model/index.ts";
import type { Money, Night, NightBreak } from "./night.ts";

export interface NightReport {
  readonly number: number;
  /** For a period, its last night. */
  readonly night: Night;
  /** The nights of these days, oldest first. */
  readonly trend: { readonly from: Day; readonly to: Day; readonly nights: readonly NightSummary[] };
  readonly period?: Period;
}

export interface Period {
  readonly from: Day;
  readonly to: Day;
  /** Oldest first; a break that opened and closed is in both. */
  readonly opened: readonly PeriodBreak[];
  readonly closed: readonly PeriodBreak[];
  /** The register has more of them than a report lists. */
  readonly isCut: boolean;
}

/** As it is in the register now. Its age is counted until it closed, or until the last night of the period. */
export interface PeriodBreak extends NightBreak {
  readonly closedAt?: Instant;
  /** Who settled it, and why. */
  readonly settledBy?: string;
  readonly reason?: string;
}

/** The name of the report's files without extension: "2026-12-02-000042", "2026-11-01-to-2026-11-30". */
export function reportName({ number, night, period }: NightReport): string {
  if (period !== undefined) return `${period.from}-to-${period.to}`;
  return `${night.day}-${String(number).padStart(6, "0")}`;
}

/** "Night of 2 December 2026", "Nights from 1 to 30 November 2026" */
export function reportTitle({ night, period }: NightReport): string {
  if (period === undefined) return `Night of ${dayWords(night.day)}`;
  return `Nights from ${dayWords(period.from)} to ${dayWords(period.to)}`;
}

/** Whether both sides agree, how much is at stake and how old it is, in one or two sentences. */
export function nightSentence({ breaks, incomplete }: Night): string {
  const count = openBreaks(breaks);
  const stake = breaks.atStake.length === 0 ? "" : ` with ${moneyWords(breaks.atStake)} at stake`;
  const found =
    count === 0
      ? "Both sides agree."
      : `Both sides agree but for ${count} ${count === 1 ? "break" : "breaks"}${stake}. ${agesWords(breaks)}`;
  if (incomplete === undefined) return found;
  const seen = found.replace("Both sides agree", "both sides agree in what was seen");
  return `The comparison is incomplete, and none has been complete since ${minuteText(incomplete.since)}; ${seen}`;
}

export function openBreaks({ alarms, warnings, notes }: Pick<NightSummary, "alarms" | "warnings" | "notes">) {
  return alarms + warnings + notes;
}

function agesWords({ opened, over }: Night["breaks"]): string {
  const words = (count: number) => (count === 0 ? "none" : count === 1 ? "one" : String(count));
  const verb = (count: number) => (count < 2 ? "is" : "are");
  const fresh = words(opened);
  const first = `${fresh.slice(0, 1).toUpperCase()}${fresh.slice(1)} ${verb(opened)} new`;
  return `${first}, ${words(over)} ${verb(over)} over ${over < 2 ? "its" : "their"} time.`;
}

function moneyWords(sums: readonly Money[]): string {
  return sums.map(({ amount, currency }) => `${amount} ${currency}`).join(" and ");
}

/** What a break is about: "INV-7", "treasury-btc", or an id. */
export function aboutOf({ reference, account, payoutId, depositId }: NightBreak): string {
  return reference ?? account ?? payoutId ?? depositId ?? "";
}

/** By day, its last night. A second night of a day replaces the first, which may have been incomplete. */
export function lastOfEachDay(nights: readonly NightSummary[]): ReadonlyMap<Day, NightSummary> {
  return new Map(nights.map((each) => [each.day, each]));
}
