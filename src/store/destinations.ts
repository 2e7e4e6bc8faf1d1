/** Earlier destinations: those ever paid, and recent payments to them. */
import {
  type BatchId,
  compareText,
  endsOf,
  endsText,
  FAILED_PAYOUT_STATES,
  type Instant,
  type InstructionId,
  instructionId,
  NEVER,
  type PayoutId,
  type Standing,
} from "../model/index.ts";
import type { Amount } from "../money/index.ts";
import { all, column, objects, type Statement, single, sql, type Transaction } from "./sql.ts";

/**
 * The given destinations (in comparable form) that an accepted payment went to. Here and below, `standing || ''`
 * hides the column from SQLite's index, which would list all accepted payments for each destination. Each query
 * asks for one row in the index's order: otherwise PostgreSQL, expecting to find one soon, would read the whole
 * table if there is none.
 */
export function listPaidDestinations(destinations: readonly string[]): Transaction<string[]> {
  return thoseNamed(destinations, sql`destination = value and standing || '' = 'accepted' order by amount`);
}

/** `condition`: which payment names `value`, and the order of its index. */
function thoseNamed(values: readonly string[], condition: Statement): Transaction<string[]> {
  return column(sql`select value from json_each(${JSON.stringify(values)})
    where (select 1 from instruction where ${condition} limit 1) is not null`);
}

/** By destination asked for, an accepted payment to a different destination with the same beginning and end. */
export function* findPaidLookAlikes(
  destinations: readonly string[],
): Transaction<Map<string, EarlierPayment & { readonly destination: string }>> {
  // The index holds both ends of every destination, slightly shorter than people compare. The query skips from one
  // distinct destination with these ends to the next, because a payee may have been paid very often.
  const candidates = yield* all<{ asked: string; destination: string; id: string }>(sql`
    with recursive walk (asked, ends, destination) as (
      select asked, ends, (select destination from instruction
        where substr(destination, 1, 5) || substr(destination, length(destination) - 3) = ends
        order by destination, payee limit 1)
      from (select value as asked, substr(value, 1, 5) || substr(value, length(value) - 3) as ends
        from json_each(${JSON.stringify(destinations)})) as one
      union all
      select asked, ends, (select destination from instruction
        where substr(destination, 1, 5) || substr(destination, length(destination) - 3) = walk.ends
          and destination > walk.destination order by destination, payee limit 1)
      from walk where walk.destination is not null)
    select * from (select asked, destination, (select id from instruction where destination = walk.destination
        and standing || '' = ${"accepted" satisfies Standing} order by amount limit 1) as id
      from walk where destination <> asked) as candidate
    where id is not null order by asked, destination`);
  const chosen = new Map<string, string>();
  for (const { asked, destination, id } of candidates)
    if (!chosen.has(asked) && haveSameEnds(asked, destination)) chosen.set(asked, id);
  const byId = new Map(
    (yield* objects<EarlierPayment & { readonly id: string; readonly destination: string }>(sql`
      select instruction.id, destination, batch_id, row, reference, standing, payout_id, submitted_at
      from instruction join batch on batch.id = batch_id where instruction.id in ${[...chosen.values()]}`)).map(
      ({ id, ...earlier }) => [id, earlier],
    ),
  );
  return new Map(
    [...chosen].flatMap(([asked, id]) => {
      const earlier = byId.get(id);
      return earlier === undefined ? [] : [[asked, earlier] as const];
    }),
  );
}

function haveSameEnds(one: string, other: string): boolean {
  const [ends, others] = [endsOf(one), endsOf(other)];
  return ends !== undefined && others !== undefined && endsText(ends) === endsText(others);
}

/** The given payees (in comparable form) that any payment names. */
export function listKnownPayees(payees: readonly string[]): Transaction<string[]> {
  return thoseNamed(payees, sql`payee = value order by destination`);
}

/** The given destinations (in comparable form) that any payment names, whatever its standing. */
export function listNamedDestinations(destinations: readonly string[]): Transaction<string[]> {
  return thoseNamed(destinations, sql`destination = value order by amount`);
}

/** A payee's name and a destination, both in comparable form. */
export interface PayeeAt {
  readonly payee: string;
  readonly destination: string;
}

/** Which payments of other batches a batch is compared with. */
export interface OtherBatches {
  /** Leaves out this batch, and later batches without an approval; undefined for a file that is not stored. */
  readonly than?: BatchId | undefined;
  /** Leaves out all later batches, because they may have been approved after this one. */
  readonly onlyEarlier?: boolean;
}

/** The given pairs without an accepted payment in another batch. */
export function listNeverPaidAt<Pair extends PayeeAt>(
  asked: readonly Pair[],
  others: OtherBatches,
): Transaction<Pair[]> {
  return listWithout(asked, others, sql`standing || '' = 'accepted'`);
}

/**
 * The given pairs without an approved payment in another batch. A payment that waits, was rejected or was refused
 * accepts no address.
 */
export function listNeverApprovedAt<Pair extends PayeeAt>(
  asked: readonly Pair[],
  others: OtherBatches,
): Transaction<Pair[]> {
  return listWithout(asked, others, sql`standing || '' not in ('received', 'refused', 'withdrawn')`);
}

/** The given pairs without a payment in another batch that meets the condition `standing`. */
function* listWithout<Pair extends PayeeAt>(
  asked: readonly Pair[],
  { than = LAST_BATCH }: OtherBatches,
  standing: Statement,
): Transaction<Pair[]> {
  const pairs = asked.map(({ payee, destination }, index) => [index, payee, destination]);
  const indexes = yield* column<number>(sql`select cast(json_extract(value, '$[0]') as integer)
    from json_each(${JSON.stringify(pairs)}) as pair
    where (select 1 from instruction where payee = json_extract(pair.value, '$[1]')
      and destination = json_extract(pair.value, '$[2]')
      and ${standing} and batch_id || '' <> ${than} limit 1) is null
    order by 1`);
  return indexes.flatMap((index) => asked[index] ?? []);
}

/** An address of a payee, with one of the first approved payments there; if there is none, with one that waits. */
export interface KnownAddress extends PayeeAt {
  readonly id: InstructionId;
  readonly batchId: BatchId;
  readonly isApproved: boolean;
}

/** At most this many addresses of a payee are looked at: each costs a row somewhere among all payments. */
export const ADDRESSES_MAX = 8;

/**
 * By payee, the addresses at which payments of other batches wait, were approved, or were paid; newest first. Skips
 * from one address to the next in the index and takes one payment of each, because a payee may have been paid very
 * often. Addresses without such a payment do not use up the limit.
 */
export function* findAddressesOf(
  payees: readonly string[],
  { than = LAST_BATCH, onlyEarlier = false }: OtherBatches,
): Transaction<ReadonlyMap<string, readonly KnownAddress[]>> {
  const later = onlyEarlier ? LAST_BATCH : than;
  const rows = yield* all<{ payee: string; destination: string; known: string | null }>(sql`
    with recursive walk (payee, destination, found) as (
      select value, (select destination from instruction where payee = value order by destination limit 1), 0
      from json_each(${JSON.stringify(payees)})
      union all
      select payee, (select destination from instruction
        where payee = walk.payee and destination > walk.destination order by destination limit 1),
        found + case when (select 1 from instruction
          where payee = walk.payee and destination = walk.destination and standing || '' not in ('refused', 'withdrawn')
            and (batch_id || '' < ${than} or (batch_id || '' > ${later} and standing || '' <> 'received'))
          limit 1) is not null then 1 else 0 end
      from walk where walk.destination is not null and found < cast(${ADDRESSES_MAX} as integer))
    select payee, destination, coalesce((select batch_id || ' ' || id || ' approved' from instruction
        where payee = walk.payee and destination = walk.destination
          and standing || '' not in ('received', 'refused', 'withdrawn')
          and (batch_id || '' < ${than} or batch_id || '' > ${later})
        limit 1), (select batch_id || ' ' || id from instruction
        where payee = walk.payee and destination = walk.destination
          and standing || '' = 'received' and batch_id || '' < ${than}
        limit 1)) as known
    from walk where destination is not null`);
  const addresses = rows.flatMap(({ payee, destination, known }): KnownAddress[] => {
    if (known === null) return [];
    const [batchId = "", id = "", approved] = known.split(" ");
    const isApproved = approved !== undefined;
    return [{ payee, destination, id: instructionId(id), batchId: batchId as BatchId, isApproved }];
  });
  addresses.sort((one, other) => compareText(other.batchId, one.batchId));
  return Map.groupBy(addresses, ({ payee }) => payee);
}

/** Payments by their ids. */
export function listUses(
  ids: readonly InstructionId[],
): Transaction<(PaymentUse & { readonly id: string })[]> {
  return objects(sql`select id, batch_id, row, standing, payout_id from instruction where id in ${ids}`);
}

/** The place of a payment, its standing, and its payout. */
type PaymentUse = Omit<EarlierPayment, "reference" | "submittedAt">;

interface KnownPayee extends PayeeAt {
  /** As written in the file. */
  readonly name: string;
  readonly batchId: BatchId;
  readonly row: number;
}

/**
 * By destination, two payees with payments of other batches there that wait, were approved, or were paid; fewer if
 * there are fewer. Two are enough: for any payee, one of them shows that the destination has another name.
 */
export function* findTwoPayeesAt(
  destinations: readonly string[],
  others: OtherBatches,
): Transaction<ReadonlyMap<string, readonly KnownPayee[]>> {
  const none = destinations.map((destination) => ({ destination, payee: "" }));
  const first = yield* findNextPayeesAt(none, others);
  const second = yield* findNextPayeesAt(first, others);
  return Map.groupBy([...first, ...second], ({ destination }) => destination);
}

/** At each destination, the next payee by name after the given one. */
function* findNextPayeesAt(
  after: readonly PayeeAt[],
  { than = LAST_BATCH, onlyEarlier = false }: OtherBatches,
): Transaction<KnownPayee[]> {
  const pairs = after.map(({ payee, destination }) => [destination, payee]);
  const later = onlyEarlier ? LAST_BATCH : than;
  const ids = yield* column<string | null>(sql`
    select (select id from instruction
      where substr(destination, 1, 5) || substr(destination, length(destination) - 3)
          = substr(pair.destination, 1, 5) || substr(pair.destination, length(pair.destination) - 3)
        and destination = pair.destination and payee > pair.payee and standing || '' not in ('refused', 'withdrawn')
        and (batch_id || '' < ${than} or (batch_id || '' > ${later} and standing || '' <> 'received'))
      order by payee, batch_id limit 1) as id
    from (select json_extract(value, '$[0]') as destination, json_extract(value, '$[1]') as payee
      from json_each(${JSON.stringify(pairs)})) as pair`);
  return yield* objects<KnownPayee>(sql`
    select destination, payee, json_extract(fields, '$.customerId') as name, batch_id, row
    from instruction where id in ${ids.filter((id) => id !== null)}`);
}

const LAST_BATCH = "~" as BatchId;

interface ComparedPayment {
  readonly reference: string;
  /** In comparable form. */
  readonly destination: string;
  readonly amount: Amount;
}

interface EarlierPayment {
  readonly batchId: BatchId;
  readonly row: number;
  readonly reference: string;
  readonly standing: Standing;
  readonly payoutId?: PayoutId;
  readonly submittedAt: Instant;
}

interface EarlierFilter {
  /** Only payments submitted after this instant, and those that may have been paid without our knowing. */
  readonly since: Instant;
  /** Leaves out this batch, and later batches without an approval. */
  readonly before?: BatchId | undefined;
  /** Also leaves out later batches that were approved after it. */
  readonly asOf?: Instant | undefined;
}

/** Standings of payments that may have been paid without our knowing. */
export const UNDECIDED = ["in doubt", "held", "abandoned"] as const satisfies readonly Standing[];

/**
 * By reference, the newest earlier payment of the same amount to the same destination. A payment whose payout
 * failed comes last, so that it hides none that was paid. Refused and withdrawn payments do not count, and a
 * payment that a person pays again on purpose is no repeat. A payment in doubt, held or abandoned counts at any
 * age. It stops counting once a later equal payment was accepted and did not fail; otherwise monthly payments would
 * warn for ever. Each condition has an index, so that daily payments of years are not read. `standing || ''` hides
 * the column from the index, which would list all accepted payments.
 */
export function* findEarlierPayments(
  payments: readonly ComparedPayment[],
  { since, before, asOf = NEVER }: EarlierFilter,
): Transaction<Map<string, EarlierPayment>> {
  const oldest = yield* single<BatchId>(sql`select min(id || '') from batch where submitted_at > ${since}`);
  const firstRecent = oldest ?? LAST_BATCH;
  const candidates = yield* listPaidAlike(payments, firstRecent);
  if (candidates.length === 0) return new Map();
  const compared = candidates.map(({ reference, destination, amount: { currency, value } }) => [
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
          where recent.destination = json_extract(payment.value, '$[1]')
            and recent.amount = json_extract(payment.value, '$[2]')
            and recent.batch_id >= ${firstRecent}
        union all select * from instruction as undecided
          where undecided.destination = json_extract(payment.value, '$[1]')
            and undecided.amount = json_extract(payment.value, '$[2]')
            and undecided.standing in ('in doubt', 'held', 'abandoned')) as one join batch on batch.id = one.batch_id
      where one.currency = json_extract(payment.value, '$[3]') and one.standing not in ('refused', 'withdrawn')
        and (batch.submitted_at > ${since} or (one.standing in ${UNDECIDED}
          and not exists (select 1 from instruction as since where since.destination = one.destination
            and since.amount = one.amount and since.currency = one.currency
            and since.batch_id > one.batch_id and since.standing || '' = 'accepted'
            and not exists (select 1 from observed
              where kind = 'payout' and observed.id = since.payout_id and state in ${FAILED_PAYOUT_STATES}))))
        and (${before ?? ""} = '' or (batch.id <> ${before ?? ""} and (batch.id < ${before ?? ""}
          or (one.standing <> 'received'
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

/**
 * The payments for whose amount and destination there is a recent or an undecided payment. They are few, and only
 * they need the longer query.
 */
function* listPaidAlike(
  payments: readonly ComparedPayment[],
  firstRecent: BatchId,
): Transaction<ComparedPayment[]> {
  const compared = payments.map(({ destination, amount }, index) => [
    index,
    destination,
    amount.value.toString(),
  ]);
  const indexes = yield* column<number>(sql`with payment (asked, destination, amount) as materialized (
      select cast(json_extract(value, '$[0]') as integer), json_extract(value, '$[1]'), json_extract(value, '$[2]')
      from json_each(${JSON.stringify(compared)}))
    select asked from payment
    where (select 1 from instruction as recent where recent.destination = payment.destination
        and recent.amount = payment.amount and recent.batch_id >= ${firstRecent} limit 1) is not null
      or (select 1 from instruction as undecided where undecided.destination = payment.destination
        and undecided.amount = payment.amount and undecided.standing in ('in doubt', 'held', 'abandoned')
        limit 1) is not null
    order by asked`);
  return indexes.flatMap((index) => payments[index] ?? []);
}
