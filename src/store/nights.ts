/**
 * The nights: the result of each comparison, as a document that is never rewritten, and which elements have changed
 * since.
 */
import type { Day, Instant, NightSummary, ObservedKind } from "../model/index.ts";
import {
  column,
  countOf,
  insertOne,
  objects,
  run,
  type Statement,
  single,
  sql,
  type Transaction,
} from "./sql.ts";

export interface StoredNight extends NightSummary {
  /** JSON. */
  readonly document: string;
}

/** Stores a night and returns its number; the night includes the changes up to number `changesUntil`. */
export function* keepNight(night: Omit<StoredNight, "number">, changesUntil: number): Transaction<number> {
  const { day, comparedAt, isComplete, alarms, warnings, notes, document } = night;
  // An element that has changed since keeps its first change, which has its state before all of them.
  yield* run(sql`delete from seen_change where seq <= ${changesUntil}
    and (kind, id) not in (select kind, id from seen_change where seq > ${changesUntil})`);
  return yield* insertOne(sql`insert into night (day, compared_at, is_complete, alarms, warnings, notes, document)
    values (${day}, ${comparedAt}, ${isComplete ? 1 : 0}, ${alarms}, ${warnings}, ${notes}, ${document})
    returning seq as id`);
}

/** The latest night; undefined before the first. */
export function* lastNight(): Transaction<StoredNight | undefined> {
  return (yield* nightsIn(sql`select * from night order by seq desc limit 1`))[0];
}

/** The latest night of a day in the company's time zone. */
export function* nightOf(day: Day): Transaction<StoredNight | undefined> {
  return (yield* nightsIn(sql`select * from night where day = ${day} order by seq desc limit 1`))[0];
}

/** The latest night compared before an instant. */
export function* lastNightBefore(before: Instant): Transaction<StoredNight | undefined> {
  return (yield* nightsIn(
    sql`select * from night where compared_at < ${before} order by seq desc limit 1`,
  ))[0];
}

export function* nightNumbered(number: number): Transaction<StoredNight | undefined> {
  return (yield* nightsIn(sql`select * from night where seq = ${number}`))[0];
}

/** The nights from one day to another, both included, oldest first. */
export function* listNights(from: Day, to: Day): Transaction<NightSummary[]> {
  const rows = yield* objects<Row>(sql`select seq, day, compared_at, is_complete, alarms, warnings, notes
    from night where day between ${from} and ${to} order by day, seq`);
  return rows.map(lineOf);
}

/** When the complete nights were compared, oldest first. */
export function listComparedAt(): Transaction<Instant[]> {
  return column(sql`select compared_at from night where is_complete = 1 order by compared_at`);
}

/** At most `count` complete nights after a day, oldest first. */
export function listCompleteNightsAfter(day: Day, count: number): Transaction<StoredNight[]> {
  return nightsIn(
    sql`select * from night where day > ${day} and is_complete = 1 order by day, seq limit ${count}`,
  );
}

/** The days of the first and the last night. */
export function* nightDays(): Transaction<{ readonly first: Day; readonly last: Day } | undefined> {
  const [days] = yield* objects<{ first?: Day; last?: Day }>(
    sql`select min(day) as first, max(day) as last from night`,
  );
  const { first: begin, last } = days ?? {};
  return begin === undefined || last === undefined ? undefined : { first: begin, last };
}

/** The time of the latest night; undefined before the first. */
export function lastNightAt(): Transaction<Instant | undefined> {
  return single(sql`select compared_at as at from night order by seq desc limit 1`);
}

/** The number of the newest change; 0 if there is none since the last night. */
export function lastChange(): Transaction<number> {
  return countOf(sql`select max(seq) from seen_change`);
}

/** A change of a payout or deposit, which is as last seen. */
export interface SeenChanged {
  readonly seq: number;
  readonly kind: ObservedKind;
  readonly id: string;
  readonly account: string;
  readonly state: string;
  /** Its state before these changes; absent if it was not known. */
  readonly stateBefore?: string;
  /** JSON: the requested amount of a payout, the received funds of a deposit. */
  readonly money?: string;
  readonly project?: string;
}

/**
 * At most `count` changes since the last night, up to change number `until`, each with its element as last seen; an
 * element has as many as it has changed. `after`: the last change that was read. Leaves out elements that changed
 * again after `until`: they are the next night's.
 */
export function listSeenChanged(until: number, after: number, count: number): Transaction<SeenChanged[]> {
  return objects<SeenChanged>(sql`select seq, seen.kind, seen.id, lower(json_extract(raw, '$.accountId')) as account,
    state, state_before,
      case seen.kind when 'payout' then json_extract(raw, '$.requestedAmount')
        else json_extract(raw, '$.receivedFunds') end as money,
      json_extract(raw, '$.generalLedgerProject') as project
    from seen_change as seen join observed on observed.kind = seen.kind and observed.id = seen.id
    where seq > ${after} and seq <= ${until}
      and (seen.kind, seen.id) not in (select kind, id from seen_change where seq > ${until})
    order by seq limit ${count}`);
}

type Row = Omit<StoredNight, "number" | "isComplete"> & { readonly seq: number; readonly isComplete: number };

function lineOf({ seq, day, comparedAt, isComplete, alarms, warnings, notes }: Row): NightSummary {
  return { number: seq, day, comparedAt, isComplete: isComplete === 1, alarms, warnings, notes };
}

function* nightsIn(statement: Statement): Transaction<StoredNight[]> {
  return (yield* objects<Row>(statement)).map((row) => ({ ...lineOf(row), document: row.document }));
}
