/** What the service said: the latest answer per payout and deposit, and the history of every change. Raw JSON text, exact digits. */
import { hash } from "node:crypto";
import type { Instant } from "../model/index.ts";
import { present } from "../model/present.ts";
import { markResultsDue } from "./results-due.ts";
import { all, first, run, sql, type Transaction } from "./sql.ts";

export type ObservedKind = "payout" | "deposit";

export interface Sighting {
  /** payoutId or depositId. */
  readonly id: string;
  readonly reference?: string;
  /** Of payouts. */
  readonly callbackUrl?: string;
  readonly state: string;
  /** The element of the answer's page, as JSON text. */
  readonly raw: string;
}

export interface StoredSighting extends Sighting {
  readonly kind: ObservedKind;
  readonly firstSeenAt: Instant;
  readonly stateSeenAt: Instant;
  readonly lastSeenAt: Instant;
  /** It existed before our time (`reconcile baseline`). */
  readonly beforeBaseline: boolean;
}

export interface ChangedSighting {
  readonly seen: Sighting;
  /** Absent at the first sighting, and where something else of it changed. */
  readonly stateBefore?: string;
}

/** Whether two raw answers about the same payout or deposit say the same. */
export type SaysTheSame = (kind: ObservedKind, before: string, now: string) => boolean;

/** Keeps the latest sightings of one kind; the history grows only where something else is said. Returns those that say it. */
export function* keepSightings(
  kind: ObservedKind,
  sightings: readonly Sighting[],
  at: Instant,
  saysTheSame: SaysTheSame = () => false,
): Transaction<ChangedSighting[]> {
  const ids = JSON.stringify(sightings.map(({ id }) => id));
  const rows = yield* all<{ id: string; state: string; raw: string }>(
    sql`select id, state, raw from observed where kind = ${kind} and id in (select value from json_each(${ids}))`,
  );
  const known = new Map<string, { readonly state: string; readonly raw: string }>(
    rows.map((row) => [row.id, row]),
  );
  const changes: ChangedSighting[] = [];
  const unchanged: string[] = [];
  for (const seen of sightings) {
    const { id, reference, state, raw } = seen;
    const before = known.get(id);
    if (before?.raw === raw) {
      unchanged.push(id);
      continue;
    }
    known.set(id, seen);
    yield* run(sql`insert into observed (kind, id, reference, state, raw, first_seen_at, state_seen_at, last_seen_at)
      values (${kind}, ${id}, ${reference}, ${state}, ${raw}, ${at}, ${at}, ${at})
      on conflict (kind, id) do update set reference = excluded.reference, raw = excluded.raw, last_seen_at = excluded.last_seen_at,
        state_seen_at = case when observed.state = excluded.state then observed.state_seen_at else excluded.state_seen_at end,
        state = excluded.state`);
    if (before !== undefined && saysTheSame(kind, before.raw, raw)) continue;
    yield* run(sql`insert into observation (kind, id, seen_at, raw) values (${kind}, ${id}, ${at}, ${raw})`);
    const isSameState = before === undefined || before.state === state;
    changes.push(isSameState ? { seen } : { seen, stateBefore: before.state });
  }
  if (kind === "payout" && changes.length > 0) {
    yield* keepNames(changes.map(({ seen }) => seen));
    yield* markResultsDue(changes.map(({ seen }) => seen.id));
  }
  if (unchanged.length > 0)
    yield* run(sql`update observed set last_seen_at = ${at}
    where kind = ${kind} and id in (select value from json_each(${JSON.stringify(unchanged)}))`);
  return changes;
}

function* keepNames(payouts: readonly Sighting[]): Transaction<void> {
  const names = payouts.flatMap(({ id, reference, callbackUrl }) =>
    [reference, callbackUrl].flatMap((name) => (name === undefined ? [] : [[nameAsKept(name), id]])),
  );
  if (names.length > 0)
    yield* run(sql`insert into payout_name (name, payout_id)
      select json_extract(value, '$[0]'), json_extract(value, '$[1]') from json_each(${JSON.stringify(names)}) where true
      on conflict do nothing`);
}

/** A service may call a payout anything, and PostgreSQL has no index of texts that are longer than 2,704 bytes. */
function nameAsKept(name: string): string {
  return name.length <= NAME_LENGTH_MAX ? name : hash("sha256", name);
}

const NAME_LENGTH_MAX = 500;

/** Some of a kind in the order of their ids: those behind `afterId`, at most `count`. */
export function* listSightingsAfter(
  kind: ObservedKind,
  afterId: string,
  count: number,
): Transaction<StoredSighting[]> {
  const rows = yield* all<SightingRow>(
    sql`select * from observed where kind = ${kind} and id > ${afterId} order by id limit ${count}`,
  );
  return rows.map(sightingFrom);
}

/** The same of payouts that no instruction owns. */
export function* listUnownedPayoutsAfter(afterId: string, count: number): Transaction<StoredSighting[]> {
  const rows = yield* all<SightingRow>(sql`select * from observed where kind = 'payout' and id > ${afterId}
    and not exists (select 1 from instruction where payout_id = observed.id) order by id limit ${count}`);
  return rows.map(sightingFrom);
}

/** The ids of those whose last state is none of these; none of the custody accounts `except`, whose ids are in lower case. */
export function* listIdsNotIn(
  kind: ObservedKind,
  states: readonly string[],
  except: readonly string[],
): Transaction<string[]> {
  const rows = yield* all<{ id: string }>(sql`select id from observed
    where kind = ${kind} and state not in (select value from json_each(${JSON.stringify(states)}))
      and coalesce(lower(json_extract(raw, '$.accountId')), '') not in (select value from json_each(${JSON.stringify(except)}))
    order by id`);
  return rows.map(({ id }) => id);
}

/** Those of some ids that were ever seen. */
export function* listSightingsOf(kind: ObservedKind, ids: readonly string[]): Transaction<StoredSighting[]> {
  const rows = yield* all<SightingRow>(sql`select * from observed
    where kind = ${kind} and id in (select value from json_each(${JSON.stringify(ids)}))`);
  return rows.map(sightingFrom);
}

export interface NamedSighting extends StoredSighting {
  /** The name by which it was found. */
  readonly name: string;
}

/**
 * Payouts that were ever shown with one of these names (references or callbackUrls), as they were seen last; once for each name. A name that
 * a payout had once counts although it has another one now, because the payout was made for that name.
 */
export function* listPayoutsNamed(names: readonly string[]): Transaction<NamedSighting[]> {
  const asked = new Map(names.map((name) => [nameAsKept(name), name]));
  // Joined in one statement, SQLite would begin with all payouts.
  const called = yield* all<{
    readonly name: string;
    readonly payout_id: string;
  }>(sql`select * from payout_name
    where name in (select value from json_each(${JSON.stringify([...asked.keys()])})) order by payout_id, name`);
  const sightings = yield* listSightingsOf(
    "payout",
    called.map(({ payout_id }) => payout_id),
  );
  const byId = new Map(sightings.map((sighting) => [sighting.id, sighting]));
  return called.flatMap(({ name, payout_id }) => {
    const sighting = byId.get(payout_id);
    return sighting === undefined ? [] : [{ ...sighting, name: asked.get(name) ?? name }];
  });
}

export function* findSighting(kind: ObservedKind, id: string): Transaction<StoredSighting | undefined> {
  const row = yield* first<SightingRow>(sql`select * from observed where kind = ${kind} and id = ${id}`);
  return row === undefined ? undefined : sightingFrom(row);
}

/** Every answer about one payout or deposit that differed from the one before, oldest first. */
export function* listObservations(
  kind: ObservedKind,
  id: string,
): Transaction<{ readonly seenAt: Instant; readonly raw: string }[]> {
  const rows = yield* all<{ seen_at: string; raw: string }>(
    sql`select seen_at, raw from observation where kind = ${kind} and id = ${id} order by seq`,
  );
  return rows.map((row) => ({ seenAt: row.seen_at, raw: row.raw }));
}

/** These existed before our time. */
export function* markBeforeBaseline(kind: ObservedKind, ids: readonly string[]): Transaction<void> {
  yield* run(sql`update observed set before_baseline = 1
    where kind = ${kind} and id in (select value from json_each(${JSON.stringify(ids)}))`);
}

interface SightingRow {
  readonly kind: ObservedKind;
  readonly id: string;
  readonly reference: string | null;
  readonly state: string;
  readonly raw: string;
  readonly first_seen_at: string;
  readonly state_seen_at: string;
  readonly last_seen_at: string;
  readonly before_baseline: number;
}

function sightingFrom(row: SightingRow): StoredSighting {
  return {
    kind: row.kind,
    id: row.id,
    ...present({ reference: row.reference }),
    state: row.state,
    raw: row.raw,
    firstSeenAt: row.first_seen_at,
    stateSeenAt: row.state_seen_at,
    lastSeenAt: row.last_seen_at,
    beforeBaseline: row.before_baseline === 1,
  };
}
