/** What posting holds back: each reason with the time since when it held, and until when. Nothing is deleted. */
import type { Problem } from "../faults/index.ts";
import type { Instant } from "../model/index.ts";
import type { ObservedKind } from "./observed.ts";
import { insertRows, objects, run, sql, type Transaction } from "./sql.ts";

export interface HeldRow {
  /** Of a payout or deposit. */
  readonly id: string;
  readonly reference?: string | undefined;
  readonly code: Problem["code"];
  readonly message: string;
  readonly fix: string;
  readonly next: Problem["next"];
  /** When its first movement was confirmed; absent if none was. */
  readonly confirmedAt?: Instant | undefined;
}

export interface Held extends HeldRow {
  readonly kind: ObservedKind;
  readonly since: Instant;
}

/** Of the payouts or deposits `ids`, these are held now; writes only what is new, and what is over. */
export function* replaceHeld(
  kind: ObservedKind,
  ids: readonly string[],
  held: readonly HeldRow[],
  at: Instant,
): Transaction<void> {
  const before = yield* objects<Held & { readonly seq: number }>(
    sql`select seq, id, code, message from held where kind = ${kind} and until is null and id in ${ids}`,
  );
  const now = new Set(held.map(keyOf));
  const over = before.filter((row) => !now.has(keyOf(row))).map(({ seq }) => seq);
  if (over.length > 0) yield* run(sql`update held set until = ${at} where seq in ${over}`);
  const known = new Set(before.map(keyOf));
  const added = new Map(held.map((row) => [keyOf(row), row]));
  yield* insertRows(
    "insert into held (kind, id, reference, code, message, fix, next, confirmed_at, since)",
    [...added]
      .filter(([key]) => !known.has(key))
      .map(([, { id, reference, code, message, fix, next, confirmedAt }]) => [
        ...[kind, id, reference, code, message, fix, next, confirmedAt, at],
      ]),
  );
}

/** What is held now; or what was held right before an instant. Payouts first, the oldest first. */
export function listHeld(before?: Instant): Transaction<Held[]> {
  if (before === undefined)
    return objects<Held>(sql`select kind, id, reference, code, message, fix, next, confirmed_at, since
      from held where until is null order by kind desc, since, seq`);
  return objects<Held>(sql`select kind, id, reference, code, message, fix, next, confirmed_at, since
    from held where since < ${before} and (until is null or until >= ${before}) order by kind desc, since, seq`);
}

function keyOf({ id, code, message }: Pick<HeldRow, "id" | "code" | "message">): string {
  return JSON.stringify([id, code, message]);
}
