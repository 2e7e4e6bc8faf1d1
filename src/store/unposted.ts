/** The elements that wait to be posted, and what posting keeps about the others. */
import type { CustodyAccountId, Instant, ObservedKind } from "../model/index.ts";
import { type StoredSighting, sightingsIn } from "./observed.ts";
import { sortNotedNames } from "./shared-names.ts";
import { column, countOf, insertRows, mapOf, objects, run, sql, type Transaction } from "./sql.ts";

/** `seq`: the number of the change that was read. */
interface Unposted extends StoredSighting {
  readonly seq: number;
}

interface PostedSoFar {
  /** Everything except sightings that decides what is booked. */
  readonly policy: string;
  /** The time of the latest posted entry; empty before the first. */
  readonly postedAt: Instant;
}

/** Undefined before the first posting. */
export function* readPostedSoFar(): Transaction<PostedSoFar | undefined> {
  return (yield* objects<PostedSoFar>(sql`select policy, posted_at from posted_so_far`))[0];
}

/** Puts everything ever seen on the waiting list, to be posted by `policy`. */
export function* postEverythingAgain({ policy, postedAt }: PostedSoFar): Transaction<void> {
  yield* run(sql`delete from posted_so_far`);
  yield* run(sql`insert into posted_so_far (policy, posted_at) values (${policy}, ${postedAt})`);
  yield* sortNotedNames();
  yield* run(sql`insert into unposted (kind, id, seq)
    select kind, id, 1 from observed where true order by kind, id on conflict do nothing`);
}

export function* notePosted(at: Instant): Transaction<void> {
  yield* run(sql`update posted_so_far set posted_at = ${at} where posted_at < ${at}`);
}

/** At most `count` waiting elements after `afterId`, ordered by id. */
export function listUnposted(kind: ObservedKind, afterId: string, count: number): Transaction<Unposted[]> {
  return sightingsIn<Unposted>(sql`select sighting.*, unposted.seq from unposted
    join sighting on sighting.kind = unposted.kind and sighting.id = unposted.id
    where unposted.kind = ${kind} and unposted.id > ${afterId} order by unposted.id limit ${count}`);
}

export function listUnpostedIds(): Transaction<readonly string[]> {
  return column(sql`select id from unposted`);
}

/**
 * Elements that wait to be posted, are held, or are not booked, so that the ledger may lack their movements.
 * Includes the elements that share a transaction with one of them, because the ledger may have the movements there.
 */
export function listUnbookedIds(): Transaction<readonly string[]> {
  return column(sql`with recursive unbooked (kind, id) as (
      select kind, id from unposted
      union select kind, id from held where until is null
      union select kind, id from not_booked
      union select other.kind, other.id from unbooked
        join shared_name as own on own.kind = unbooked.kind and own.id = unbooked.id
        join shared_name as other on other.name = own.name
    )
    select distinct id from unbooked`);
}

/** Waiting ones that share a transaction with another payout or deposit, are duplicates, or have duplicates. */
export function listUnpostedSharing(kind: ObservedKind): Transaction<readonly string[]> {
  return column(sql`select distinct shared_name.id from unposted
    join shared_name on shared_name.kind = unposted.kind and shared_name.id = unposted.id
    where unposted.kind = ${kind} order by shared_name.id`);
}

/**
 * Puts elements on the waiting list if they share a transaction or an original with one that waits, because that
 * decides how each is booked. Returns how many.
 */
export function neighboursWait(): Transaction<number> {
  return run(sql`insert into unposted (kind, id, seq)
    select distinct other.kind, other.id, 1 from unposted
      join shared_name as own on own.kind = unposted.kind and own.id = unposted.id
      join shared_name as other on other.name = own.name
      join observed on observed.kind = other.kind and observed.id = other.id
    where true on conflict do nothing`);
}

/** The given ids, and the payouts and deposits that share a transaction or an original with one of them. */
export function* withNeighbours(ids: readonly string[]): Transaction<readonly string[]> {
  const others = yield* column<string>(sql`select distinct other.id from shared_name as own
      join shared_name as other on other.name = own.name
      join observed on observed.kind = other.kind and observed.id = other.id
    where own.id in ${ids}`);
  return [...new Set([...ids, ...others])];
}

/** Puts payouts on the waiting list that were posted without an instruction and belong to one now. */
export function ownedWait(): Transaction<number> {
  return run(sql`insert into unposted (kind, id, seq)
    select distinct 'payout', unowned_payout.payout_id, 1 from unowned_payout
      join instruction on instruction.payout_id = unowned_payout.payout_id
    where true on conflict do nothing`);
}

/** Takes elements off the waiting list, except those that have changed since they were read. */
export function* endWaiting(
  kind: ObservedKind,
  done: readonly Pick<Unposted, "id" | "seq">[],
): Transaction<void> {
  if (done.length === 0) return;
  const seqOf = yield* mapOf<string, number>(
    sql`select id, seq from unposted where kind = ${kind} and id in ${done.map(({ id }) => id)}`,
  );
  const ended = done.filter(({ id, seq }) => seqOf.get(id) === seq).map(({ id }) => id);
  yield* run(sql`delete from unposted where kind = ${kind} and id in ${ended}`);
}

interface NotBookedRow {
  readonly id: string;
  readonly state: string;
  readonly reference?: string | undefined;
  readonly reason: string;
}

/** Replaces the movements of `ids` that are not booked. */
export function* replaceNotBooked(
  kind: ObservedKind,
  ids: readonly string[],
  rows: readonly NotBookedRow[],
): Transaction<void> {
  yield* run(sql`delete from not_booked where kind = ${kind} and id in ${ids}`);
  yield* insertRows(
    "insert into not_booked (kind, id, place, state, reference, reason)",
    rows.map(({ id, state, reference, reason }, place) => [kind, id, place, state, reference, reason]),
  );
}

/** Payouts first, each kind in the order of ids. */
export function listNotBooked(): Transaction<NotBookedRow[]> {
  return objects<NotBookedRow>(
    sql`select id, state, reference, reason from not_booked order by kind desc, id, place`,
  );
}

export function countNotBooked(): Transaction<number> {
  return countOf(sql`select count(*) from not_booked`);
}

/** Replaces what posting must know later about the payouts `ids`. */
export function* replacePayoutFacts(
  ids: readonly string[],
  { transfers, unowned }: { readonly transfers: readonly string[]; readonly unowned: readonly string[] },
): Transaction<void> {
  yield* run(sql`delete from own_transfer where payout_id in ${ids}`);
  yield* insertRows(
    "insert into own_transfer (payout_id)",
    transfers.map((id) => [id]),
  );
  yield* run(sql`delete from unowned_payout where payout_id in ${ids}`);
  yield* insertRows(
    "insert into unowned_payout (payout_id)",
    unowned.map((id) => [id]),
  );
}

export function listOwnTransfers(): Transaction<readonly string[]> {
  return column(sql`select payout_id as id from own_transfer order by payout_id`);
}

export interface ReceivingAddress {
  readonly depositId: string;
  /** In comparable form; undefined if none is shown. */
  readonly address: string | undefined;
  readonly custodyAccountId: CustodyAccountId;
}

/**
 * Replaces the receiving addresses of these deposits. If an address now belongs to another custody account or to
 * none, own transfers wait to be posted again, because only its address may have made a payout one.
 */
export function* replaceReceivingAddresses(shown: readonly ReceivingAddress[]): Transaction<void> {
  const ids = shown.map(({ depositId }) => depositId);
  const before = yield* accountsOfAddresses([
    ...(yield* column<string>(sql`select address from receiving_address where deposit_id in ${ids}`)),
    ...shown.flatMap(({ address }) => address ?? []),
  ]);
  yield* run(sql`delete from receiving_address where deposit_id in ${ids}`);
  yield* insertRows(
    "insert into receiving_address (deposit_id, address, custody_account_id)",
    shown.flatMap(({ depositId, address, custodyAccountId }) =>
      address === undefined ? [] : [[depositId, address, custodyAccountId]],
    ),
  );
  const after = yield* accountsOfAddresses([...before.keys()]);
  if ([...before].some(([address, account]) => after.get(address) !== account))
    yield* run(sql`insert into unposted (kind, id, seq) select 'payout', payout_id, 1 from own_transfer
      where true on conflict do nothing`);
}

/** By address, the custody account of the first deposit received there. */
export function accountsOfAddresses(
  addresses: readonly string[],
): Transaction<ReadonlyMap<string, CustodyAccountId>> {
  return mapOf(sql`select address, custody_account_id from receiving_address
      where address in ${addresses} order by address, deposit_id desc`);
}
