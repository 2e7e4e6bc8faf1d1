/** Movements that posting holds back: each reason, and the time during which it applied. Nothing is deleted. */
import type { Problem } from "../faults/index.ts";
import type { Instant, ObservedKind } from "../model/index.ts";
import { insertRows, objects, run, sql, type Transaction } from "./sql.ts";

export interface HeldRow {
  /** A payoutId or depositId. */
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
  /** When a controller decided that no action is needed. The decision counts for this reason of holding only. */
  readonly settledAt?: Instant | undefined;
  readonly settledBy?: string | undefined;
  readonly settledReason?: string | undefined;
}

/**
 * Replaces the reasons for which the payouts or deposits `ids` are held. Writes only new reasons and ends those
 * that no longer apply.
 */
export function* replaceHeld(
  kind: ObservedKind,
  ids: readonly string[],
  held: readonly HeldRow[],
  at: Instant,
): Transaction<void> {
  const before = yield* objects<Held & { readonly seq: number }>(
    sql`select seq, id, code, message from held where kind = ${kind} and until is null and id in ${ids}`,
  );
  const now = new Set(held.map(heldKey));
  const over = before.filter((row) => !now.has(heldKey(row))).map(({ seq }) => seq);
  if (over.length > 0) yield* run(sql`update held set until = ${at} where seq in ${over}`);
  const added = new Map(held.map((row) => [heldKey(row), row]));
  for (const row of before) added.delete(heldKey(row));
  yield* insertRows(
    "insert into held (kind, id, reference, code, message, fix, next, confirmed_at, since)",
    Array.from(added.values(), ({ id, reference, code, message, fix, next, confirmedAt }) => {
      return [kind, id, reference, code, message, fix, next, confirmedAt, at];
    }),
  );
}

/** Everything held now, or held right before an instant. Payouts first, oldest first. */
export function listHeld(before?: Instant): Transaction<Held[]> {
  if (before === undefined)
    return objects<Held>(sql`select kind, id, reference, code, message, fix, next, confirmed_at, since,
        settled_at, settled_by, settled_reason
      from held where until is null order by kind desc, since, seq`);
  return objects<Held>(sql`select kind, id, reference, code, message, fix, next, confirmed_at, since,
      case when settled_at < ${before} then settled_at end as settled_at,
      case when settled_at < ${before} then settled_by end as settled_by,
      case when settled_at < ${before} then settled_reason end as settled_reason
    from held where since < ${before} and (until is null or until >= ${before}) order by kind desc, since, seq`);
}

interface Settling {
  readonly at: Instant;
  readonly person: string;
  readonly reason: string;
}

/** Settles all unsettled reasons for which the payouts and deposits `ids` are held now. */
export function* settleHeld(ids: readonly string[], { at, person, reason }: Settling): Transaction<void> {
  yield* run(sql`update held set settled_at = ${at}, settled_by = ${person}, settled_reason = ${reason}
    where until is null and settled_at is null and id in ${ids}`);
}

/** The settled reasons in force, as texts of `heldKey`. */
export function* listSettledKeys(): Transaction<ReadonlySet<string>> {
  const rows = yield* objects<Pick<Held, "id" | "code" | "message">>(
    sql`select id, code, message from held where until is null and settled_at is not null`,
  );
  return new Set(rows.map(heldKey));
}

/** Identifies a payout or deposit together with the reason for which it is held. */
export function heldKey({ id, code, message }: Pick<HeldRow, "id" | "code" | "message">): string {
  return JSON.stringify([id, code, message]);
}
