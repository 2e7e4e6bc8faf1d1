/**
 * Events for other systems (batches, doubts, breaks, months, export batches), numbered in the order in which
 * Paydrop noticed them, and how many of them the receiver has.
 */
import type { Instant } from "../model/index.ts";
import { column, countOf, objects, run, single, sql, type Transaction } from "./sql.ts";

/** An event that has no number yet. */
interface Happened {
  readonly kind: string;
  /** Together with the kind it identifies the event: a batch, an opening, "B-000001 2026-11-29T...". */
  readonly subject: string;
  readonly at: Instant;
  /** JSON, without the number. */
  readonly body: string;
}

interface StoredEvent extends Happened {
  readonly number: number;
}

const EVENT = sql`select number, kind, subject, at, body from system_event`;

/** Stores and numbers the events that are not stored yet, in this order. */
export function* appendEvents(happened: readonly Happened[]): Transaction<void> {
  let number = yield* lastEventNumber();
  for (const { kind, subject, at, body } of happened)
    number += yield* run(sql`insert into system_event (number, kind, subject, at, body)
      values (${number + 1}, ${kind}, ${subject}, ${at}, ${body}) on conflict (kind, subject) do nothing`);
}

/** At most `count` events after a number. */
export function listEventsAfter(number: number, count: number): Transaction<StoredEvent[]> {
  return objects<StoredEvent>(sql`${EVENT}
    where number > ${number} order by number limit ${count}`);
}

export function lastEventNumber(): Transaction<number> {
  return countOf(sql`select max(number) from system_event`);
}

/** The "opened" events of doubts that have no "ended" event yet. */
export function listOpenedDoubts(): Transaction<StoredEvent[]> {
  return objects<StoredEvent>(sql`${EVENT} as opened
    where kind = 'doubt.opened' and not exists (select 1 from system_event as ended
      where ended.kind = 'doubt.ended' and ended.subject = opened.subject) order by number`);
}

/** Batches that have no event of this kind yet and meet its condition. */
export function listBatchesWithout(
  kind: "batch.accepted" | "batch.approved" | "batch.paid",
): Transaction<string[]> {
  return column(sql`select id from batch
    where not exists (select 1 from system_event where kind = ${kind} and subject = batch.id)
      and (${kind} <> 'batch.approved' or (
        exists (select 1 from instruction where batch_id = batch.id
          and standing in ('approved', 'sending', 'accepted', 'refused', 'in doubt', 'held', 'abandoned'))
        and not exists (select 1 from instruction where batch_id = batch.id and standing = 'received')))
      and (${kind} <> 'batch.paid' or instr(results_of, 'accepted ') > 0) order by id`);
}

/** Openings of breaks without a "break.opened" or "break.closed" event, oldest first. */
export function listOpeningsWithout(kind: "break.opened" | "break.closed"): Transaction<
  {
    readonly seq: number;
    readonly kind: string;
    readonly severity: string;
    readonly amount?: string;
    readonly currency?: string;
    readonly openedAt: Instant;
    readonly closedAt?: Instant;
  }[]
> {
  return objects(sql`select seq, kind, severity, amount, currency, opened_at, closed_at from break_opening
    where not exists (select 1 from system_event
        where system_event.kind = ${kind} and subject = 'BR-' || break_opening.seq)
      and (${kind} <> 'break.closed' or closed_at is not null) order by seq`);
}

/** Closings of months without an event, oldest first. */
export function listClosingsWithout(): Transaction<{ readonly month: string; readonly closedAt: Instant }[]> {
  return objects(sql`select month, closed_at from closed_period
    where not exists (select 1 from system_event
      where kind = 'month.closed' and subject = month || ' ' || closed_at) order by seq`);
}

/** Issued export batches without an event, oldest first. */
export function listIssuedWithout(): Transaction<
  { readonly target: string; readonly number: number; readonly sealedAt: Instant; readonly entries: number }[]
> {
  return objects(sql`select target, number, sealed_at,
      (select count(*) from exported_entry where batch = export_batch.id) as entries from export_batch
    where sealed_at is not null and not exists (select 1 from system_event
      where kind = 'export.issued' and subject = export_batch.target || ' ' || export_batch.number) order by id`);
}

/** How far the receiver has got. */
export interface EventCursor {
  /** The number of the last event that it accepted. */
  readonly delivered: number;
  readonly attempts: number;
  /** Since when it has accepted none. */
  readonly failingSince?: Instant;
  readonly nextAt?: Instant;
  /** Its last answer. */
  readonly answer?: string;
}

/** Undefined until one is written. */
export function* readCursor(): Transaction<EventCursor | undefined> {
  return (yield* objects<EventCursor>(
    sql`select delivered, attempts, failing_since, next_at, answer from event_cursor`,
  ))[0];
}

export function* writeCursor({
  delivered,
  attempts,
  failingSince,
  nextAt,
  answer,
}: EventCursor): Transaction<void> {
  yield* run(sql`delete from event_cursor`);
  yield* run(sql`insert into event_cursor (id, delivered, attempts, failing_since, next_at, answer)
    values ('receiver', ${delivered}, ${attempts}, ${failingSince}, ${nextAt}, ${answer})`);
}

/**
 * As `writeCursor`, unless the cursor was changed meanwhile, for example by a replay; returns whether it was
 * written.
 */
export function* moveCursor(before: EventCursor, after: EventCursor): Transaction<boolean> {
  const now = yield* readCursor();
  if (now?.delivered !== before.delivered || now.attempts !== before.attempts) return false;
  yield* writeCursor(after);
  return true;
}

/** How many events the receiver lacks, if it has accepted none since before an instant; otherwise 0. */
export function* countStuckEvents(before: Instant): Transaction<number> {
  const delivered = yield* single<number>(
    sql`select delivered from event_cursor where failing_since < ${before}`,
  );
  return delivered === undefined ? 0 : (yield* lastEventNumber()) - delivered;
}
