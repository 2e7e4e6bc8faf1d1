/**
 * Payouts and deposits that the last sweep, or a later look by id, did not show, with the time when each was last
 * seen. A sweep writes nothing about unchanged elements: those not listed here were seen by it or later.
 */
import { chunks } from "../model/chunks.ts";
import { type Instant, type ObservedKind, shifted } from "../model/index.ts";
import { markChanged } from "./mark-changed.ts";
import { longestLookFrom, type StoredSighting } from "./observed.ts";
import {
  all,
  column,
  countOf,
  ITEMS_PER_STATEMENT,
  mapOf,
  objects,
  run,
  single,
  sql,
  type Transaction,
} from "./sql.ts";

/** How many elements were ever seen and are not missing. */
export function* countPresent(kind: ObservedKind): Transaction<number> {
  const seen = yield* countOf(sql`select count(*) from observed where kind = ${kind}`);
  return seen - (yield* countOf(sql`select count(*) from absent where kind = ${kind}`));
}

/** At most `count` ids after `afterId`, in order, of all elements ever seen. */
export function listIdsAfter(
  kind: ObservedKind,
  afterId: string,
  count: number,
): Transaction<readonly { readonly id: string }[]> {
  return all<{ id: string }>(
    sql`select id from observed where kind = ${kind} and id > ${afterId} order by id limit ${count}`,
  );
}

/** Ends a sweep that began at `begunAt` and showed every element but `missing`. */
export function* endSweep(
  kind: ObservedKind,
  begunAt: Instant,
  missing: readonly string[],
): Transaction<void> {
  yield* noteMissing(kind, begunAt, missing);
  yield* run(sql`insert into sweep (kind, at) values (${kind}, ${begunAt})
    on conflict (kind) do update set at = excluded.at, full_at = null`);
}

/**
 * Notes the elements that a look asked for and did not show; the look began at `begunAt`. Elements that another
 * look has shown since, and those already missing, stay as they are.
 */
export function* noteMissing(
  kind: ObservedKind,
  begunAt: Instant,
  missing: readonly string[],
): Transaction<void> {
  // A clock that was set back leaves sighting times in the future.
  const justBefore = shifted(begunAt, -1);
  for (const ids of chunks(missing, ITEMS_PER_STATEMENT)) {
    const absent = yield* column<string>(sql`insert into absent (kind, id, last_seen_at)
      select sighting.kind, sighting.id,
        case when sighting.last_seen_at < ${begunAt} then sighting.last_seen_at else ${justBefore} end
      from sighting join observed on observed.kind = sighting.kind and observed.id = sighting.id
      where sighting.kind = ${kind} and sighting.id in ${ids}
        and observed.last_seen_at not between ${begunAt} and ${longestLookFrom(begunAt)}
      on conflict do nothing returning id`);
    // Without their marks, these are read in full and stored as soon as the service shows them again.
    yield* run(sql`update observed set mark = null where kind = ${kind} and id in ${absent}`);
    yield* markChanged(kind, absent);
  }
}

/** Notes the elements that the service did not show when asked for them by id. */
export function* noteAskedById(kind: ObservedKind, ids: readonly string[]): Transaction<void> {
  for (const some of chunks(ids, ITEMS_PER_STATEMENT)) {
    yield* markChanged(
      kind,
      yield* column<string>(sql`update absent set asked_by_id = 1
      where kind = ${kind} and id in ${some} and asked_by_id = 0 returning id`),
    );
  }
}

/**
 * Those of the deposits that the service does not show even when asked for them, with the time until which a look
 * may have shown them.
 */
export function* listGone(ids: readonly string[]): Transaction<ReadonlyMap<string, Instant>> {
  const lastSeen = yield* mapOf<string, Instant>(sql`select id, last_seen_at
    from absent where kind = 'deposit' and asked_by_id = 1 and id in ${ids}`);
  return new Map(lastSeen.entries().map(([id, at]) => [id, longestLookFrom(at)]));
}

/** Those of the missing deposits that share a receipt or an original with another one. */
export function* listMissingSharing(): Transaction<ReadonlySet<string>> {
  return new Set(
    yield* column<string>(sql`select distinct absent.id from absent
    join shared_name on shared_name.kind = absent.kind and shared_name.id = absent.id
    where absent.kind = 'deposit'`),
  );
}

/** How many missing elements were seen since an instant, without those from before the baseline, and the last time. */
export function* countLately(
  kind: ObservedKind,
  since: Instant,
): Transaction<{ readonly count: number; readonly lastSeenAt: Instant | null }> {
  const [row] = yield* objects<{
    readonly count: number;
    readonly lastSeenAt: Instant | null;
  }>(sql`select
      count(*) as count, max(absent.last_seen_at) as last_seen_at
    from absent join observed on observed.kind = absent.kind and observed.id = absent.id
    where absent.kind = ${kind} and absent.last_seen_at >= ${since} and before_baseline = 0`);
  return { count: row?.count ?? 0, lastSeenAt: row?.lastSeenAt ?? null };
}

export type AbsentSighting = Pick<
  StoredSighting,
  "kind" | "id" | "state" | "firstSeenAt" | "stateSeenAt" | "lastSeenAt"
>;

/**
 * At most `count` missing elements after `afterId`, ordered by id; without the custody accounts `except`, given in
 * lower case.
 */
export function listAbsentAfter(
  kind: ObservedKind,
  except: readonly string[],
  afterId: string,
  count: number,
): Transaction<AbsentSighting[]> {
  return objects<AbsentSighting>(sql`select absent.kind, absent.id, state, first_seen_at, state_seen_at,
    absent.last_seen_at
    from absent join observed on observed.kind = absent.kind and observed.id = absent.id
    where absent.kind = ${kind} and absent.id > ${afterId}
      and coalesce(lower(json_extract(raw, '$.accountId')), '') not in ${except}
    order by absent.id limit ${count}`);
}

/**
 * By state, the earliest time at which an element now in that state was first seen in it. Missing elements do not
 * count.
 */
export function* listFirstSeen(
  kind: ObservedKind,
  states: readonly string[],
): Transaction<ReadonlyMap<string, Instant>> {
  const firstSeen = new Map<string, Instant>();
  for (const state of states) {
    const first = yield* single<Instant>(sql`select state_seen_at from observed
      where kind = ${kind} and state = ${state}
        and not exists (select 1 from absent where absent.kind = observed.kind and absent.id = observed.id)
      order by state_seen_at limit 1`);
    if (first !== undefined) firstSeen.set(state, first);
  }
  return firstSeen;
}
