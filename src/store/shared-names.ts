/** Which payouts and deposits are, or were, in the same transaction, or are duplicates of one another. */
import { hash } from "node:crypto";
import { compareText } from "../model/compare-text.ts";
import { all, countInserted, run, sql, type Transaction } from "./sql.ts";

export interface NamedBy {
  /** A transaction or an original. Elements with the same name belong together. */
  readonly name: string;
  readonly kind: string;
  readonly id: string;
}

/** Records names. They stay even if a later answer no longer shows them. */
export function* noteNames(names: readonly NamedBy[]): Transaction<void> {
  if (names.length === 0) return;
  // Sorted, so that two processes noting the same names lock them in the same order and cannot deadlock.
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
