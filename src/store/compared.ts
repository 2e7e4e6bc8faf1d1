/**
 * Which elements a comparison can skip. `compared` keeps, for each payout or deposit without a difference, its part
 * of the figures. `uncompared` lists those that must be compared because they are new, have changed, or are in a
 * break.
 */
import { chunks } from "../model/chunks.ts";
import type { ObservedKind } from "../model/index.ts";
import { type StoredSighting, sightingsIn } from "./observed.ts";
import { sortNotedNames } from "./shared-names.ts";
import {
  all,
  column,
  finds,
  first,
  ITEMS_PER_STATEMENT,
  insertRows,
  run,
  sql,
  type Transaction,
} from "./sql.ts";

export interface ComparedRow {
  readonly kind: ObservedKind;
  readonly id: string;
  readonly class: string;
  /** The payment's amount, if there is a payment. */
  readonly amount: string | null;
  readonly currency: string | null;
  /** Its part of the balance proof, as JSON. */
  readonly accounts: string;
}

/** `seq`: the number of the change that was read. */
export interface Waiting extends StoredSighting {
  readonly seq: number;
}

/**
 * The sums of all rows of `compared`, and the policy by which they were compared; undefined before the first
 * comparison.
 */
export function readKept(): Transaction<{ readonly policy: string; readonly sums: string } | undefined> {
  return first(sql`select policy, sums from compared_sum`);
}

export function* writeKept(sums: string): Transaction<void> {
  yield* run(sql`update compared_sum set sums = ${sums}`);
}

/** Makes the next comparison discard everything kept, as after a change of policy. */
export function* mistrustKept(): Transaction<void> {
  yield* run(sql`update compared_sum set policy = 'mistrusted' where policy <> ''`);
}

/** Clears the kept results: everything ever seen waits to be compared by `policy`. */
export function* compareEverythingAgain(policy: string, sums: string): Transaction<void> {
  yield* run(sql`delete from compared`);
  yield* run(sql`delete from compared_sum`);
  yield* run(sql`insert into compared_sum (policy, sums) values (${policy}, ${sums})`);
  yield* sortNotedNames();
  yield* run(sql`insert into uncompared (kind, id, seq)
    select kind, id, 1 from observed where true order by kind, id on conflict do nothing`);
}

/** Whether anything is kept that a comparison can leave out. */
export function isAnythingKept(): Transaction<boolean> {
  return finds(sql`select 1 from compared limit 1`);
}

const WAITING = sql`select sighting.*, uncompared.seq from uncompared
    join sighting on sighting.kind = uncompared.kind and sighting.id = uncompared.id`;

/** At most `count` waiting elements after `afterId`, ordered by id. */
export function listWaiting(kind: ObservedKind, afterId: string, count: number): Transaction<Waiting[]> {
  return sightingsIn<Waiting>(sql`${WAITING}
    where uncompared.kind = ${kind} and uncompared.id > ${afterId} order by uncompared.id limit ${count}`);
}

/** As `listWaiting`, but only payouts that belong to no instruction. */
export function listUnownedWaiting(afterId: string, count: number): Transaction<Waiting[]> {
  return sightingsIn<Waiting>(sql`${WAITING}
    where uncompared.kind = 'payout' and uncompared.id > ${afterId}
      and not exists (select 1 from instruction where payout_id = uncompared.id)
    order by uncompared.id limit ${count}`);
}

/** Keeps the rows that have not changed since they were read, and returns them. */
export function* keepCompared(
  rows: readonly (ComparedRow & Pick<Waiting, "seq">)[],
): Transaction<readonly ComparedRow[]> {
  const [any] = rows;
  if (any === undefined) return [];
  const { kind } = any;
  const unchanged = new Set<string>();
  // Nearly all rows have the number of their first change.
  for (const [seq, some] of Map.groupBy(rows, (row) => row.seq)) {
    const ended = yield* column<string>(sql`delete from uncompared
      where kind = ${kind} and seq = ${seq} and id in ${some.map(({ id }) => id)} returning id`);
    for (const id of ended) unchanged.add(id);
  }
  const kept = rows.filter(({ id }) => unchanged.has(id));
  yield* insertRows(
    "insert into compared (kind, id, class, amount, currency, accounts)",
    kept.map((row) => [row.kind, row.id, row.class, row.amount, row.currency, row.accounts]),
  );
  return kept;
}

/** Removes at most `count` waiting elements from what is kept, and returns them. */
export function* takeWaitingFromKept(count: number): Transaction<readonly ComparedRow[]> {
  const rows = yield* all<ComparedRow>(sql`select compared.* from uncompared
    join compared on compared.kind = uncompared.kind and compared.id = uncompared.id limit ${count}`);
  for (const [kind, some] of Map.groupBy(rows, (row) => row.kind))
    yield* run(sql`delete from compared where kind = ${kind} and id in ${some.map(({ id }) => id)}`);
  return rows;
}

/** At most `count` kept elements after `afterId`, ordered by id. */
export function listCompared(
  kind: ObservedKind,
  afterId: string,
  count: number,
): Transaction<readonly ComparedRow[]> {
  return all(sql`select * from compared where kind = ${kind} and id > ${afterId} order by id limit ${count}`);
}

/** The parts of the balance proof that are kept for these ids, as JSON. */
export function listKeptAccounts(ids: readonly string[]): Transaction<readonly string[]> {
  return column(sql`select accounts from compared where kind in ('payout', 'deposit') and id in ${ids}`);
}

/**
 * Puts kept elements on the waiting list if they share a transaction or an original with one that waits: how much
 * each adds depends on the others. Returns how many.
 */
export function waitWithNeighbours(): Transaction<number> {
  return run(sql`insert into uncompared (kind, id, seq)
    select distinct compared.kind, compared.id, 1 from uncompared
      join shared_name as own on own.kind = uncompared.kind and own.id = uncompared.id
      join shared_name as other on other.name = own.name
      join compared on compared.kind = other.kind and compared.id = other.id
    where true on conflict do nothing`);
}

/** Puts kept payouts on the waiting list if they bear the reference of a payment of these batches. */
export function waitIfNamedByPaymentsOf(batchIds: readonly string[]): Transaction<number> {
  return run(sql`insert into uncompared (kind, id, seq)
    select distinct 'payout', compared.id, 1 from instruction
      join payout_name on payout_name.name = instruction.reference
      join compared on compared.kind = 'payout' and compared.id = payout_name.payout_id
    where instruction.batch_id in ${batchIds}
      and coalesce(instruction.payout_id, '') <> compared.id on conflict do nothing`);
}

/** Puts the kept payouts of these payments on the waiting list. */
export function waitIfPaying(instructionIds: readonly string[]): Transaction<number> {
  return run(sql`insert into uncompared (kind, id, seq)
    select 'payout', compared.id, 1 from instruction join compared on compared.kind = 'payout'
      and compared.id = payout_id
    where instruction.id in ${instructionIds} on conflict do nothing`);
}

/** Puts kept elements that are missed on the waiting list, except those from before the baseline, which may be. */
export function* waitIfMissed(kind: ObservedKind, ids: readonly string[]): Transaction<void> {
  for (const some of chunks(ids, ITEMS_PER_STATEMENT))
    yield* run(sql`insert into uncompared (kind, id, seq)
      select kind, id, 1 from compared where kind = ${kind} and id in ${some}
        and class not in ('set aside', 'deposit before baseline') on conflict do nothing`);
}

/** Puts payouts on the waiting list that were kept without an instruction and belong to one now. */
export function waitIfOwned(): Transaction<number> {
  return run(sql`insert into uncompared (kind, id, seq)
    select 'payout', compared.id, 1 from compared join instruction on payout_id = compared.id
    where class = 'set aside' on conflict do nothing`);
}

/** Records that all payments of these batches were compared with the payouts that bear their references. */
export function* keepBatches(ids: readonly string[]): Transaction<void> {
  yield* run(sql`insert into compared_batch (batch_id) select value from json_each(${JSON.stringify(ids)})
    where true on conflict do nothing`);
}

export function listBatchesNotCompared(): Transaction<readonly string[]> {
  return column(
    sql`select id from batch where not exists (select 1 from compared_batch where batch_id = batch.id)`,
  );
}

/** The names (transactions and originals, as by `indexedName`) that several payouts or deposits have or had. */
export function listSharedNames(): Transaction<readonly string[]> {
  return column(sql`select distinct name from shared_name`);
}

/** Those of a kind that share a transaction with another payout or deposit, are duplicates, or have duplicates. */
export function listSharing(kind: ObservedKind, which: "all" | "waiting"): Transaction<readonly string[]> {
  return column(
    which === "all"
      ? sql`with noted (name, kind, id) as (select name, kind, id from unsorted_name
            union select name, kind, id from first_name where name in (select name from unsorted_name))
          select id from shared_name where kind = ${kind}
          union select id from noted where kind = ${kind}
            and name in (select name from noted group by name having count(*) > 1) order by id`
      : sql`select distinct shared_name.id from uncompared
          join shared_name on shared_name.kind = uncompared.kind and shared_name.id = uncompared.id
          where uncompared.kind = ${kind} order by shared_name.id`,
  );
}

/** Whether the names in sightings of earlier versions still have to be recorded. */
export function* isHistoryUnnamed(): Transaction<boolean> {
  return (yield* readKept())?.policy === "";
}
