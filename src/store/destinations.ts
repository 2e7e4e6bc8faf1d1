/** Earlier destinations: which were ever paid, and what was recently paid to them. */
import {
  type BatchId,
  FAILED_PAYOUT_STATES,
  type Instant,
  type PayoutId,
  type Standing,
} from "../model/index.ts";
import type { Amount } from "../money/index.ts";
import { all, objects, sql, type Transaction } from "./sql.ts";

/** Which of these destinations (in comparable form) an accepted payment went to. */
export function* listPaidDestinations(destinations: readonly string[]): Transaction<string[]> {
  const rows = yield* all<{ destination: string }>(sql`select value as destination
    from json_each(${JSON.stringify(destinations)}) where exists
      (select 1 from instruction where destination = value and standing = ${"accepted" satisfies Standing})`);
  return rows.map(({ destination }) => destination);
}

/** A destination, and the beginning and end that its look-alikes share. */
export interface DestinationEnds {
  readonly destination: string;
  readonly start: string;
  readonly end: string;
}

/** By destination asked for, an accepted payment to a different destination with the same beginning and end. */
export function* findPaidLookAlikes(
  lookedFor: readonly DestinationEnds[],
): Transaction<Map<string, EarlierPayment & { readonly destination: string }>> {
  // Few addresses begin like one that was paid, and only these take the longer way.
  const starts = yield* all<{ start: string; next: string | null }>(sql`select value as start,
    (select min(destination) from instruction where destination > value) as next
    from json_each(${JSON.stringify([...new Set(lookedFor.map(({ start }) => start))])})`);
  const known = new Set(starts.flatMap(({ start, next }) => (next?.startsWith(start) ? [start] : [])));
  if (known.size === 0) return new Map();
  const ends = lookedFor
    .filter(({ start }) => known.has(start))
    .map(({ destination, start, end }) => [destination, start, end]);
  // Skips from one distinct destination to the next, since one payee may have been paid very often. No character of an
  // address sorts after "~".
  const rows = yield* objects<
    EarlierPayment & { readonly compared: string; readonly destination: string }
  >(sql`
    with recursive walk (asked, start, ending, destination) as (
      select json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
        (select min(destination) from instruction where destination > json_extract(value, '$[1]'))
      from json_each(${JSON.stringify(ends)})
      union all
      select asked, start, ending, (select min(destination) from instruction where destination > walk.destination)
      from walk where walk.destination < walk.start || '~')
    select walk.asked as compared, paid.destination, paid.batch_id, paid.row, paid.reference, paid.standing,
      paid.payout_id, batch.submitted_at
    from walk join instruction as paid on paid.id = (
      select id from instruction where destination = walk.destination and standing = ${"accepted" satisfies Standing} limit 1)
    join batch on batch.id = paid.batch_id
    where walk.destination < walk.start || '~' and walk.destination <> walk.asked
      and substr(walk.destination, length(walk.destination) - length(walk.ending) + 1) = walk.ending`);
  return new Map(rows.map(({ compared, ...earlier }) => [compared, earlier]));
}

/** Which of these payees, as compared, any payment names. */
export function* listKnownPayees(payees: readonly string[]): Transaction<string[]> {
  const rows = yield* all<{
    payee: string;
  }>(sql`select value as payee from json_each(${JSON.stringify(payees)})
    where exists (select 1 from instruction where payee = value)`);
  return rows.map(({ payee }) => payee);
}

export interface PayeeHistory {
  /** Which of the payees and destinations asked for, from 0. */
  readonly asked: number;
  /** Another destination at which this payee was paid at least twice. */
  readonly usual?: string;
  /** Another payee's name, as written, under which this destination was paid, and where. */
  readonly otherName?: string;
  readonly otherBatch?: BatchId;
  readonly otherRow?: number;
}

/**
 * Of these, the payees that were never paid at the destination, with what was paid otherwise; accepted payments count, of
 * batches before `before`, as they stood at `asOf`. Of a payee or a destination with very many payments the first in the
 * index are compared.
 */
export function findPayeesNeverPaidAt(
  asked: readonly { readonly payee: string; readonly destination: string }[],
  { before = "~" as BatchId, asOf = "9999" }: Pick<EarlierFilter, "before" | "asOf">,
): Transaction<PayeeHistory[]> {
  const pairs = asked.map(({ payee, destination }, index) => [index, payee, destination]);
  // At a destination where a payee was never paid it has no usual one, so that is looked for once a payee.
  return objects<PayeeHistory>(sql`
    with pair (asked, payee, destination) as materialized (
      select cast(json_extract(value, '$[0]') as integer), json_extract(value, '$[1]'), json_extract(value, '$[2]')
      from json_each(${JSON.stringify(pairs)})),
    usual (payee, destination) as materialized (
      select payee, (select paid.destination from (select destination from instruction where payee = named.payee
            and standing = 'accepted' and batch_id < ${before} and changed_at <= ${asOf} limit ${PAYMENTS_COMPARED_MAX}) as paid
          group by paid.destination having count(*) > 1 order by count(*) desc, paid.destination limit 1)
      from (select distinct payee from pair) as named)
    select pair.asked, usual.destination as usual, json_extract(other.fields, '$.customerId') as other_name,
      other.batch_id as other_batch, other.row as other_row
    from pair join usual on usual.payee = pair.payee
    left join instruction as other on other.id = (
      select paid.id from (select id, payee from instruction where destination = pair.destination
          and standing = 'accepted' and batch_id < ${before} and changed_at <= ${asOf} limit ${PAYMENTS_COMPARED_MAX}) as paid
        where paid.payee <> pair.payee limit 1)
    where not exists (select 1 from instruction as paid where paid.payee = pair.payee
      and paid.destination = pair.destination and paid.standing = 'accepted' and paid.batch_id < ${before} and paid.changed_at <= ${asOf})
    order by pair.asked`);
}

const PAYMENTS_COMPARED_MAX = 100;

export interface ComparedPayment {
  readonly reference: string;
  /** In comparable form. */
  readonly destination: string;
  readonly amount: Amount;
}

export interface EarlierPayment {
  readonly batchId: BatchId;
  readonly row: number;
  readonly reference: string;
  readonly standing: Standing;
  readonly payoutId?: PayoutId;
  readonly submittedAt: Instant;
}

export interface EarlierFilter {
  /** Only payments submitted after this instant, and those that may have been paid without anybody knowing. */
  readonly since: Instant;
  /** Leaves out this batch, and later batches that nobody has approved. */
  readonly before?: BatchId | undefined;
  /** Also leaves out later batches that were approved after it. */
  readonly asOf?: Instant | undefined;
}

/** The standings of payments that may have been paid without anybody knowing. */
export const UNDECIDED = ["in doubt", "held", "abandoned"] as const satisfies readonly Standing[];

/**
 * By reference, the newest earlier payment of the same amount to the same destination, before those whose payouts have
 * failed: a failed one must not hide one that was paid. Refused or withdrawn payments do not count, and a payment that a
 * person pays again on purpose is no repeat. What is in doubt, held or abandoned counts however old it is, until the same
 * has been accepted since, and has not failed: what is paid every month is not told for ever. Each has an index, so that what
 * was paid every day for years is not gone through. The standing of what came
 * since is compared as `|| ''`, because SQLite would search all accepted payments for it.
 */
export function* findEarlierPayments(
  payments: readonly ComparedPayment[],
  { since, before, asOf = "9999" }: EarlierFilter,
): Transaction<Map<string, EarlierPayment>> {
  const compared = payments.map(({ reference, destination, amount: { currency, value } }) => [
    reference,
    destination,
    value.toString(),
    currency,
  ]);
  const rows = yield* objects<
    EarlierPayment & { readonly compared: string }
  >(sql`select json_extract(payment.value, '$[0]') as compared,
      earlier.batch_id, earlier.row, earlier.reference, earlier.standing, earlier.payout_id, batch.submitted_at
    from json_each(${JSON.stringify(compared)}) as payment
    join instruction as earlier on earlier.id = (
      select one.id from (
        select * from instruction as recent
          where recent.destination = json_extract(payment.value, '$[1]') and recent.amount = json_extract(payment.value, '$[2]')
            and recent.batch_id >= (select min(id) from batch where submitted_at > ${since})
        union all select * from instruction as undecided
          where undecided.destination = json_extract(payment.value, '$[1]') and undecided.amount = json_extract(payment.value, '$[2]')
            and undecided.standing in ('in doubt', 'held', 'abandoned')) as one join batch on batch.id = one.batch_id
      where one.currency = json_extract(payment.value, '$[3]') and one.standing not in ('refused', 'withdrawn')
        and (batch.submitted_at > ${since} or (one.standing in ${UNDECIDED}
          and not exists (select 1 from instruction as since where since.destination = one.destination
            and since.amount = one.amount and since.currency = one.currency
            and since.batch_id > one.batch_id and since.standing || '' = 'accepted'
            and not exists (select 1 from observed
              where kind = 'payout' and observed.id = since.payout_id and state in ${FAILED_PAYOUT_STATES}))))
        and (${before ?? ""} = '' or (batch.id <> ${before ?? ""} and (batch.id < ${before ?? ""} or (one.standing <> 'received'
          and not exists (select 1 from audit where subject = batch.id and action in ('submit', 'approve')
            and action = 'approve' and at > ${asOf} and cast(json_extract(detail, '$.released') as integer) > 0)))))
        and not exists (select 1 from again
          where again.earlier_id = one.id and again.reference = json_extract(payment.value, '$[0]'))
      order by case when exists (select 1 from observed
          where kind = 'payout' and observed.id = one.payout_id and state in ${FAILED_PAYOUT_STATES}) then 1 else 0 end,
        batch.submitted_at desc, one.row desc limit 1)
    join batch on batch.id = earlier.batch_id`);
  return new Map(rows.map(({ compared, ...earlier }) => [compared, earlier]));
}
