/** Which payouts and deposits are, or were, in the same transaction, or are duplicates of one another. */
import { hash } from "node:crypto";
import { compareText } from "../model/compare-text.ts";
import { all, countInserted, countOf, finds, insertRows, run, sql, type Transaction } from "./sql.ts";

export interface NamedBy {
  /** A transaction or an original. Elements with the same name belong together. */
  readonly name: string;
  readonly kind: string;
  readonly id: string;
}

/** Records names. They stay even if a later answer no longer shows them. */
export function* noteNames(names: readonly NamedBy[]): Transaction<void> {
  if (names.length === 0) return;
  if (yield* isSharingAsked()) return yield* sortIn(names);
  yield* insertRows(
    "insert into unsorted_name (name, kind, id)",
    names.map(({ name, kind, id }) => [indexedName(name), kind, id]),
  );
}

/** Whether anything was compared or posted: only then does it matter which elements share a name. */
function isSharingAsked(): Transaction<boolean> {
  return finds(sql`select 1 from compared_sum union all select 1 from posted_so_far limit 1`);
}

/**
 * Sorts in the names that were noted before anything was compared or posted, together: one at a time, each would
 * rewrite a page of the index. For the transaction that begins the first comparison or the first posting.
 */
export function* sortNotedNames(): Transaction<void> {
  const noted = yield* countOf(sql`select count(*) from unsorted_name`);
  const inserted = yield* run(sql`insert into first_name (name, kind, id)
    select name, kind, id from unsorted_name where true order by name, seq on conflict do nothing`);
  if (inserted < noted)
    yield* run(sql`insert into shared_name (name, kind, id)
      with others (name, kind, id, first_kind, first_id) as (
        select noted.name, noted.kind, noted.id, first_name.kind, first_name.id from unsorted_name as noted
          join first_name on first_name.name = noted.name
        where first_name.kind <> noted.kind or first_name.id <> noted.id)
      select name, kind, id from others union select name, first_kind, first_id from others
      where true on conflict do nothing`);
  if (noted > 0) yield* run(sql`delete from unsorted_name`);
}

function* sortIn(names: readonly NamedBy[]): Transaction<void> {
  // In the order of the index, so that each of its pages is written once.
  const sorted = names
    .map(({ name, kind, id }) => [indexedName(name), kind, id] as const)
    .sort(([left], [right]) => compareText(left, right));
  const into = "insert into first_name (name, kind, id)";
  const inserted = yield* countInserted(into, sorted, sql`on conflict do nothing`);
  if (inserted === sorted.length) return;
  const rows = yield* all<NamedBy>(
    sql`select name, kind, id from first_name where name in ${sorted.map(([name]) => name)}`,
  );
  const isFirst = new Set(rows.map(({ name, kind, id }) => `${kind} ${id} ${name}`));
  const others = sorted.filter(([name, kind, id]) => !isFirst.has(`${kind} ${id} ${name}`));
  if (others.length === 0) return;
  yield* run(sql`insert into shared_name (name, kind, id)
    with named (name, kind, id) as (
      select json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]')
        from json_each(${JSON.stringify(others)})),
    others (name, kind, id, first_kind, first_id) as (
      select named.name, named.kind, named.id, first_name.kind, first_name.id from named
        join first_name on first_name.name = named.name
      where first_name.kind <> named.kind or first_name.id <> named.id)
    select name, kind, id from others union select name, first_kind, first_id from others
    where true on conflict do nothing`);
}

/** Names may have any length, and PostgreSQL cannot index a text longer than 2,704 bytes. */
export function indexedName(name: string): string {
  return name.length <= NAME_LENGTH_MAX ? name : hash("sha256", name);
}

const NAME_LENGTH_MAX = 500;
