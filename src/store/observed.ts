/** What the service said: the latest answer per payout and deposit, and the history of every change. Raw JSON text, exact digits. */
import type { Instant } from "../model/index.ts";
import { all, first, run, sql, type Transaction } from "./sql.ts";

export type ObservedKind = "payout" | "deposit";

export interface Sighting {
  readonly kind: ObservedKind;
  /** payoutId or depositId. */
  readonly id: string;
  readonly reference?: string;
  readonly state: string;
  /** The element of the answer's page, as JSON text. */
  readonly raw: string;
}

export interface StoredSighting extends Sighting {
  readonly firstSeenAt: Instant;
  readonly stateSeenAt: Instant;
  readonly lastSeenAt: Instant;
  /** It existed before our time (`reconcile baseline`). */
  readonly beforeBaseline: boolean;
}

/** Keeps a sighting; the history grows only when the answer changed. Returns the state it had before, if it changed. */
export function* keepSighting(
  seen: Sighting,
  at: Instant,
): Transaction<{ stateBefore?: string; changed: boolean }> {
  const { kind, id, reference, state, raw } = seen;
  const before = yield* first<{ state: string; raw: string }>(
    sql`select state, raw from observed where kind = ${kind} and id = ${id}`,
  );
  if (before?.raw === raw) {
    yield* run(sql`update observed set last_seen_at = ${at} where kind = ${kind} and id = ${id}`);
    return { changed: false };
  }
  yield* run(sql`insert into observed (kind, id, reference, state, raw, first_seen_at, state_seen_at, last_seen_at)
    values (${kind}, ${id}, ${reference}, ${state}, ${raw}, ${at}, ${at}, ${at})
    on conflict (kind, id) do update set reference = excluded.reference, raw = excluded.raw, last_seen_at = excluded.last_seen_at,
      state_seen_at = case when state = excluded.state then state_seen_at else excluded.state_seen_at end,
      state = excluded.state`);
  yield* run(sql`insert into observation (kind, id, seen_at, raw) values (${kind}, ${id}, ${at}, ${raw})`);
  return before === undefined || before.state === state
    ? { changed: true }
    : { changed: true, stateBefore: before.state };
}

export function* listSightings(kind: ObservedKind): Transaction<StoredSighting[]> {
  return (yield* all<SightingRow>(sql`select * from observed where kind = ${kind} order by id`)).map(
    sightingFrom,
  );
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
    ...(row.reference === null ? {} : { reference: row.reference }),
    state: row.state,
    raw: row.raw,
    firstSeenAt: row.first_seen_at,
    stateSeenAt: row.state_seen_at,
    lastSeenAt: row.last_seen_at,
    beforeBaseline: row.before_baseline === 1,
  };
}
