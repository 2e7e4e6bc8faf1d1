/**
 * How the latest comparison with the service went: one that is incomplete, or whose process died, stays known until a
 * complete one replaces it.
 */
import type { CustodyAccountId, Instant, PayoutId } from "../model/index.ts";
import { present } from "../model/present.ts";
import { all, objects, run, sql, type Transaction } from "./sql.ts";

export interface Incomplete {
  /** Since when no comparison has been complete. */
  readonly since: Instant;
  /** Why: the first problem of the last one. */
  readonly code: string;
  readonly message: string;
}

export interface ComparisonState {
  /** When the breaks were last found; absent before the first comparison. */
  readonly comparedAt?: Instant;
  readonly incomplete?: Incomplete;
}

/** Until it ends, a comparison counts as incomplete; a reason of an earlier one stays. */
export function* beginComparison(
  at: Instant,
  { code, message }: Pick<Incomplete, "code" | "message">,
): Transaction<void> {
  yield* run(sql`update comparison set incomplete_since = ${at}, code = ${code}, message = ${message}
    where incomplete_since is null`);
}

/** `why`: absent if it was complete. `comparedAt`: absent if it found no breaks, since the service did not answer. */
export function* endComparison(
  why: Pick<Incomplete, "code" | "message"> | undefined,
  comparedAt?: Instant,
): Transaction<void> {
  yield* run(sql`update comparison set code = ${why?.code}, message = ${why?.message}`);
  if (comparedAt !== undefined) yield* run(sql`update comparison set compared_at = ${comparedAt}`);
  if (why === undefined) yield* run(sql`update comparison set incomplete_since = null`);
}

export function* readComparison(): Transaction<ComparisonState> {
  const [row = {}] = yield* objects<
    { comparedAt?: Instant; incompleteSince?: Instant } & Partial<Incomplete>
  >(sql`select * from comparison`);
  const { comparedAt, incompleteSince: since, code = "", message = "" } = row;
  return present({ comparedAt, incomplete: since === undefined ? undefined : { since, code, message } });
}

/** The payouts of accepted payments that the service has never shown; without the custody accounts `except`. */
export function* listNeverShown(except: readonly CustodyAccountId[]): Transaction<PayoutId[]> {
  const rows = yield* all<{ payout_id: PayoutId }>(sql`select payout_id from instruction
    where standing = 'accepted' and payout_id is not null
      and not exists (select 1 from observed where kind = 'payout' and observed.id = payout_id)
      and json_extract(fields, '$.custodyAccountId') not in ${except}`);
  return rows.map((row) => row.payout_id);
}
