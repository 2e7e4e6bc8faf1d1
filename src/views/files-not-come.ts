/** Files of senders that did not come by their due day (`files.senders.due`), configured or learnt. */
import type { Config } from "../config/index.ts";
import { isFrom } from "../files/intake/sent-file.ts";
import {
  DAY_MS,
  type Day,
  type DueRule,
  dayIn,
  daysLater,
  dueDays,
  type Instant,
  LEARNT,
  learntRhythm,
  type NoRhythm,
  passedDue,
  type Rhythm,
  readDueRule,
  rhythmText,
  shifted,
} from "../model/index.ts";
import { present } from "../model/present.ts";
import { firstEntryAt } from "../store/audit.ts";
import { type Arrival, listArrivalsSince, listFileNamesSince } from "../store/batches.ts";
import type { Transaction } from "../store/sql.ts";
import { calendarOf } from "../workplace/calendar.ts";

export interface FileNotCome {
  readonly sender: string;
  /** As configured: "25th", or "learnt". */
  readonly due: string;
  /** What a learnt day was learnt from: "its last 5 files came between the 24th and the 26th of the month". */
  readonly learnt?: string;
  /** The last day on which it was due. */
  readonly day: Day;
  /** The end of that day and of the hours of grace. */
  readonly since: Instant;
}

/** What says the day: the configuration, or what was learnt. */
export function dueText({ due, learnt }: FileNotCome): string {
  return learnt ?? due;
}

type Settings = Pick<Config, "files" | "calendar" | "ledger">;
type Sender = Settings["files"]["senders"][number];

/**
 * One entry for each sender without a file for the last due day. A file counts for the nearest due day, whatever
 * its verdict, because files that came back are reported separately. The entry lasts until a file comes, or until
 * files count for the next due day. Due days before the first entry of the record are ignored, because the sender
 * may have sent files elsewhere then.
 */
export function* filesNotCome(config: Settings, at: Instant): Transaction<FileNotCome[]> {
  const calendar = calendarOf(config);
  const began = yield* firstEntryAt();
  const missing: FileNotCome[] = [];
  for (const { sender, rule, rhythm } of yield* dueSenders(config, at)) {
    const passed = rule && passedDue(rule, calendar, sender.graceHours, at);
    if (sender.due === undefined || passed === undefined || at >= passed.until) continue;
    const { day, overSince: since, from } = passed;
    if (began === undefined || began > since) continue;
    const names = yield* listFileNamesSince(from);
    if (names.some((name) => isFrom(sender, name))) continue;
    const learnt = typeof rhythm === "object" ? rhythmText(rhythm) : undefined;
    missing.push({ sender: sender.name, due: sender.due, day, since, ...present({ learnt }) });
  }
  return missing;
}

/** What is known of a sender with `due: learnt`. */
export interface LearntDue {
  readonly sender: string;
  readonly rhythm: Rhythm | NoRhythm;
  /** The next due day; absent without a rhythm. */
  readonly next?: Day;
  /** Both in words. */
  readonly text: string;
}

export function* learntDues(config: Settings, at: Instant): Transaction<LearntDue[]> {
  const calendar = calendarOf(config);
  const today = dayIn(calendar.timeZone, at);
  const known: LearntDue[] = [];
  for (const { sender, rule, rhythm } of yield* dueSenders(config, at)) {
    if (rhythm === undefined) continue;
    const days = rule === undefined ? [] : dueDays(rule, calendar, today, daysLater(today, DAYS_AHEAD));
    const next = days.find(({ day }) => day >= today)?.day;
    const text = typeof rhythm === "string" ? NOT_LEARNT[rhythm] : `${rhythmText(rhythm)}; due by ${next}`;
    known.push({ sender: sender.name, rhythm, text, ...present({ next }) });
  }
  return known;
}

/** Every rule has a due day within two months. */
const DAYS_AHEAD = 70;

const NOT_LEARNT: Readonly<Record<NoRhythm, string>> = {
  "few files": "nothing is learnt yet: it takes four files with the same columns; until then none is missed",
  irregular: "its last files came without a rhythm, so none is missed; name the day as `due`",
};

interface DueSender {
  readonly sender: Sender;
  /** Undefined while no rhythm is learnt. */
  readonly rule: DueRule | undefined;
  /** Only for `due: learnt`. */
  readonly rhythm?: Rhythm | NoRhythm;
}

function* dueSenders(config: Settings, at: Instant): Transaction<DueSender[]> {
  const due = config.files.senders.filter((sender) => sender.due !== undefined);
  const isLearnt = due.some((sender) => sender.due === LEARNT);
  const arrivals = isLearnt ? yield* listArrivalsSince(shifted(at, -LEARNT_FROM_MS)) : [];
  return due.map((sender) => {
    if (sender.due !== LEARNT) return { sender, rule: readDueRule(sender.due ?? "") };
    const rhythm = rhythmOf(config, sender, arrivals);
    return { sender, rhythm, rule: typeof rhythm === "object" ? rhythm.rule : undefined };
  });
}

/** Twelve monthly files and one that did not come. */
const LEARNT_FROM_MS = 400 * DAY_MS;

function rhythmOf(config: Settings, sender: Sender, arrivals: readonly Arrival[]): Rhythm | NoRhythm {
  const calendar = calendarOf(config);
  const own = usualLayout(arrivals.filter(({ fileName }) => isFrom(sender, fileName)));
  return learntRhythm(
    own.map(({ at }) => dayIn(calendar.timeZone, at)),
    calendar,
  );
}

/** The files with the layout that most of a sender's newest ones have. `arrivals`: newest first. */
function usualLayout(arrivals: readonly Arrival[]): readonly Arrival[] {
  const newest = Map.groupBy(arrivals.slice(0, LAYOUT_FROM_FILES), ({ layout }) => layout);
  const [usual] = [...newest].toSorted(([, one], [, other]) => other.length - one.length);
  return usual === undefined ? [] : arrivals.filter(({ layout }) => layout === usual[0]);
}

const LAYOUT_FROM_FILES = 12;
