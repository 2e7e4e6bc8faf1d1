/** Journal entries. An entry is written once. */
import { invariant } from "../faults/index.ts";
import { chunks } from "../model/chunks.ts";
import {
  type Day,
  type Instant,
  type JournalEntry,
  NEVER,
  readExact,
  sourceKindOf,
  writeExact,
} from "../model/index.ts";
import {
  all,
  countInserted,
  countOf,
  finds,
  first,
  ITEMS_PER_STATEMENT,
  mapOf,
  objects,
  type Statement,
  single,
  sql,
  type Transaction,
} from "./sql.ts";

/** Stores each entry once. Throws if an id comes again with other content: entries are never edited. */
export function* insertEntries(entries: readonly JournalEntry[], at: Instant): Transaction<void> {
  for (const some of chunks(entries, ITEMS_PER_STATEMENT)) yield* insertSome(some, at);
}

function* insertSome(entries: readonly JournalEntry[], at: Instant): Transaction<void> {
  const written = entries.map((entry) => [entry.entryId, writeExact(entry), entry.sourceId, at] as const);
  const inserted = yield* countInserted(
    "insert into entry (id, body, source_id, posted_at)",
    written,
    sql`on conflict (id) do nothing`,
  );
  if (inserted === written.length) return;
  const ids = entries.map(({ entryId }) => entryId);
  const known = yield* mapOf<string, string>(sql`select id, body from entry where id in ${ids}`);
  for (const [id, body] of written)
    invariant(known.get(id) === body, `entry ${id} was posted before with other content`);
}

export interface PostedEntry {
  readonly seq: number;
  readonly entry: JournalEntry;
  readonly postedAt: Instant;
  /**
   * The book day under which a target gets the entry, if that differs from the day on which it was booked; `entry`
   * then shows this day.
   */
  readonly shownDay?: Day;
}

/** At most `count` entries after `seq`, in the order of posting. */
export function listEntriesAfter(seq: number, count: number): Transaction<PostedEntry[]> {
  return listPosted(sql`where seq > ${seq} order by seq limit ${count}`);
}

/** At most `count` entries after `seq` that were posted after an instant. */
export function listPostedSince(since: Instant, seq: number, count: number): Transaction<PostedEntry[]> {
  return listPosted(sql`where posted_at > ${since} and seq > ${seq} order by seq limit ${count}`);
}

export function listEntriesOf(seqs: readonly number[]): Transaction<PostedEntry[]> {
  return listPosted(sql`where seq in ${seqs}`);
}

/** The names of entries, which cost much less than their whole content. */
export function* listNamesOf(
  seqs: readonly number[],
): Transaction<(Pick<JournalEntry, "entryId" | "factId" | "revision"> & { readonly seq: number })[]> {
  const rows = yield* all<{ seq: number; id: string; fact: string; revision: string | number }>(sql`
    select seq, id, json_extract(body, '$.factId') as fact, json_extract(body, '$.revision') as revision
    from entry where seq in ${seqs}`);
  return rows.map(({ seq, id: entryId, fact: factId, revision }) => {
    return { seq, entryId, factId, revision: Number(revision) };
  });
}

/** The number of the newest entry; 0 if there is none. */
export function lastEntrySeq(): Transaction<number> {
  return countOf(sql`select max(seq) from entry`);
}

/** At most `count` entries in force after `seq` with a line on suspense. */
export function listOnSuspense(seq: number, count: number): Transaction<PostedEntry[]> {
  return listPosted(sql`where instr(body, '"accountKey":"suspense"') > 0 and seq > ${seq}
      and id not like '%:reverse'
      and not exists (select 1 from entry as reversal where reversal.id = entry.id || ':reverse')
    order by seq limit ${count}`);
}

/**
 * Changes whenever the result of `listOnSuspense` may: the newest entry with a line on suspense, and how many there
 * ever were.
 */
export function* stampOfSuspense(): Transaction<string> {
  const row = yield* first<{
    count: number;
    newest: number | null;
  }>(sql`select count(*) as count, max(seq) as newest
    from entry where instr(body, '"accountKey":"suspense"') > 0`);
  return `${row?.count ?? 0} ${row?.newest ?? 0}`;
}

export function* firstEntry(): Transaction<JournalEntry | undefined> {
  return (yield* entriesIn(sql`select body from entry order by seq limit 1`))[0];
}

/**
 * How many entries of this book day or earlier the target has not got, or has refused and needs in another batch.
 * `since`: without those of earlier days.
 */
export function countNotExported(target: string, until: Day, since: Day = ""): Transaction<number> {
  return countOf(sql`select count(*) from entry
    where not exists (select 1 from exported_entry
        where exported_entry.entry = entry.seq and target = ${target} and freed_at is null)
      and json_extract(body, '$.bookDay') between ${since} and ${until}`);
}

/** The earliest book day; undefined if there are no entries. */
export function firstBookDay(): Transaction<Day | undefined> {
  return single(sql`select min(json_extract(body, '$.bookDay')) as day from entry`);
}

export function countEntries(): Transaction<number> {
  return countOf(sql`select count(*) from entry`);
}

/** Entries about a payout or deposit that was never seen. */
export function listEntriesOfUnseen(): Transaction<{ readonly id: string; readonly sourceId: string }[]> {
  return objects(sql`select id, source_id from entry
    where not exists (select 1 from observed where kind in ('payout', 'deposit') and observed.id = source_id)
      order by seq`);
}

export function isAnyEntryPosted(): Transaction<boolean> {
  return finds(sql`select 1 from entry limit 1`);
}

/** The entries about these payouts or deposits, posted before an instant if one is given. */
export function listEntriesAbout(
  sourceIds: readonly string[],
  before: Instant = NEVER,
): Transaction<JournalEntry[]> {
  return entriesIn(sql`select body from entry
    where source_id in ${sourceIds} and posted_at < ${before} order by seq`);
}

/** The entries about these elements of one kind. A payout and a deposit may have the same id. */
export function* listEntriesOfKind(
  kind: "payout" | "deposit",
  sourceIds: readonly string[],
): Transaction<JournalEntry[]> {
  return (yield* listEntriesAbout(sourceIds)).filter((entry) => sourceKindOf(entry) === kind);
}

/** The entries about these payouts or deposits as posted, with the exact text of each. */
export function listPostedAbout(
  sourceIds: readonly string[],
): Transaction<{ readonly id: string; readonly body: string; readonly postedAt: Instant }[]> {
  return objects(sql`select id, body, posted_at from entry where source_id in ${sourceIds} order by seq`);
}

/** The payout or deposit that an entry books. */
export function findSourceOfEntry(entryId: string): Transaction<string | undefined> {
  return single(sql`select source_id from entry where id = ${entryId}`);
}

function* entriesIn(statement: Statement): Transaction<JournalEntry[]> {
  return (yield* all<{ body: string }>(statement)).map(({ body }) => readExact<JournalEntry>(body));
}

/** `which`: "where ... order by ...". */
export function* listPosted(which: Statement): Transaction<PostedEntry[]> {
  const rows = yield* all<{ seq: number; body: string; posted_at: Instant }>(
    sql`select seq, body, posted_at from entry ${which}`,
  );
  return rows.map(({ seq, body, posted_at: postedAt }) => ({
    seq,
    entry: readExact<JournalEntry>(body),
    postedAt,
  }));
}
