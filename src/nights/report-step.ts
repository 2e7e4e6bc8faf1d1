/** The report of a kept night, or of the nights of a period; reads only what was stored. */
import { fault } from "../faults/index.ts";
import { DAY_MS, type Day, dayEnd, dayIn, daysLater, shifted } from "../model/index.ts";
import { present } from "../model/present.ts";
import { listOpenedOrClosed, type Opening } from "../store/breaks.ts";
import {
  lastNight,
  lastNightBefore,
  listNights,
  nightDays,
  nightNumbered,
  nightOf,
  type StoredNight,
} from "../store/nights.ts";
import type { Transaction } from "../store/sql.ts";
import { custodyNames } from "../workplace/custody-accounts.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { ageOf } from "./rules/ageing.ts";
import { type Night, nightBreak } from "./rules/night.ts";
import type { NightReport, Period, PeriodBreak } from "./rules/night-report.ts";

/** Without members: the last night. */
export interface ReportAsked {
  /** The last night of a day, or the night with this number. */
  readonly night?: Day | number;
  /** The last night until the end of this day. */
  readonly asOf?: Day;
  /** Without `from`: from the first night; without `to`: until the last. */
  readonly from?: Day;
  readonly to?: Day;
}

/** Throws NAME_UNKNOWN without such a night, and USAGE for two of night, period and `asOf`, or `from` > `to`. */
export async function reportStep(workplace: Workplace, asked: ReportAsked = {}): Promise<NightReport> {
  const { night, from, to, asOf } = asked;
  const isPeriod = from !== undefined || to !== undefined;
  if (isPeriod && night !== undefined)
    throw usage("a report covers one night or a period, not both", "Leave out --night, or --from and --to.");
  if (asOf !== undefined && (isPeriod || night !== undefined))
    throw usage("a report covers one night or a period, not both", "Leave out --as-of, or the others.");
  return workplace.store.read(() =>
    isPeriod ? periodReport(workplace, asked) : nightReport(workplace, asked),
  );
}

const TREND_DAYS = 14;

function* nightReport({ config }: Workplace, asked: ReportAsked): Transaction<NightReport> {
  const { night, asOf } = asked;
  const stored = yield* storedNight(asked, config.ledger.timeZone);
  const words = asOf === undefined ? `night ${night ?? ""}`.trim() : `night until ${asOf}`;
  if (stored === undefined) throw yield* noNight(words);
  const from = daysLater(stored.day, 1 - TREND_DAYS);
  const nights = (yield* listNights(from, stored.day)).filter(({ number }) => number <= stored.number);
  return { number: stored.number, night: nightIn(stored), trend: { from, to: stored.day, nights } };
}

function storedNight({ night, asOf }: ReportAsked, timeZone: string): Transaction<StoredNight | undefined> {
  if (asOf !== undefined) return lastNightBefore(dayEnd(timeZone, asOf));
  if (night === undefined) return lastNight();
  return typeof night === "number" ? nightNumbered(night) : nightOf(night);
}

function nightIn({ document }: StoredNight): Night {
  return JSON.parse(document) as Night;
}

function* periodReport(workplace: Workplace, asked: ReportAsked): Transaction<NightReport> {
  const days = yield* nightDays();
  const { from = days?.first ?? "", to = days?.last ?? "" } = asked;
  if (asked.from !== undefined && asked.to !== undefined && from > to)
    throw usage(`the period begins on ${from} and ends on ${to}`, "Give the earlier day as --from.");
  const nights = from === "" || from > to ? [] : yield* listNights(from, to);
  const stored = yield* nightNumbered(nights.at(-1)?.number ?? 0);
  if (stored === undefined) throw yield* noNight(periodWords(asked));
  const period = yield* changesOf(workplace, from, to, stored);
  return { number: stored.number, night: nightIn(stored), trend: { from, to, nights }, period };
}

function periodWords({ from, to }: ReportAsked): string {
  if (from === undefined) return `night until ${to}`;
  return to === undefined ? `night since ${from}` : `night from ${from} to ${to}`;
}

/** The limit for each list. */
const PERIOD_BREAKS_MAX = 2_000;

/** By the company's days, which end at other instants than days in UTC. */
function* changesOf(
  { config }: Workplace,
  from: Day,
  to: Day,
  { comparedAt }: StoredNight,
): Transaction<Period> {
  const { timeZone } = config.ledger;
  const since = shifted(`${from}T00:00:00.000Z`, -DAY_MS);
  const until = shifted(`${to}T00:00:00.000Z`, 2 * DAY_MS);
  const found = yield* listOpenedOrClosed(since, until, 2 * PERIOD_BREAKS_MAX + 1);
  const isWithin = (at: string | undefined) => {
    const day = at === undefined ? "" : dayIn(timeZone, at);
    return day >= from && day <= to;
  };
  const inWords = (opening: Opening): PeriodBreak => {
    const { person, second, reason, closedAt } = opening;
    const age = ageOf(opening, comparedAt, config.reconciliation.allowedDays);
    const settledBy = second === undefined ? person : `${person} and ${second}`;
    return {
      ...nightBreak({ ...opening, age }, custodyNames(config)),
      ...present({ closedAt, settledBy, reason }),
    };
  };
  const listed = (isMeant: (opening: Opening) => boolean) =>
    found.filter(isMeant).slice(0, PERIOD_BREAKS_MAX).map(inWords);
  return {
    from,
    to,
    opened: listed(({ openedAt }) => isWithin(openedAt)),
    closed: listed(({ closedAt }) => isWithin(closedAt)),
    isCut: found.length > PERIOD_BREAKS_MAX,
  };
}

function* noNight(what: string) {
  const days = yield* nightDays();
  const how =
    days === undefined
      ? "None has been kept yet: `paydrop reconcile` compares both sides and keeps what it finds."
      : `The first night was on ${days.first}, the last on ${days.last}.`;
  return fault("NAME_UNKNOWN", { what, how });
}

function usage(what: string, how: string) {
  return fault("USAGE", { what, how });
}
