/**
 * How the latest comparison with the service went. If it was incomplete, or its process died, this stays known
 * until a complete one replaces it.
 */
import type { CustodyAccountId, Instant, PayoutId } from "../model/index.ts";
import { present } from "../model/present.ts";
import { column, objects, run, sql, type Transaction } from "./sql.ts";

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

type Why = Pick<Incomplete, "code" | "message">;

/**
 * Until it ends, a comparison counts as incomplete; the reason of an earlier incomplete one stays. Does nothing
 * before the first payment and the first sighting.
 */
export function* beginComparison(at: Instant, { code, message }: Why): Transaction<void> {
  yield* run(sql`insert into comparison (id, incomplete_since, code, message)
    select 'latest', ${at}, ${code}, ${message}
    where exists (select 1 from instruction) or exists (select 1 from observed)
    on conflict (id) do update set incomplete_since = excluded.incomplete_since, code = excluded.code,
      message = excluded.message
    where comparison.incomplete_since is null`);
}

/** Records a comparison that found no breaks because it did not reach its end. */
export function* failComparison({ code, message }: Why): Transaction<void> {
  yield* run(sql`update comparison set code = ${code}, message = ${message}`);
}

/** `why`: undefined if the comparison was complete. */
export function* endComparison(at: Instant, why: Why | undefined): Transaction<void> {
  yield* run(sql`insert into comparison (id, compared_at, incomplete_since, code, message)
    values ('latest', ${at}, ${why && at}, ${why?.code}, ${why?.message})
    on conflict (id) do update set compared_at = excluded.compared_at, code = excluded.code, message = excluded.message,
      incomplete_since = case when excluded.code is null then null
        else coalesce(comparison.incomplete_since, excluded.incomplete_since) end`);
}

export function* readComparison(): Transaction<ComparisonState> {
  const [row = {}] = yield* objects<
    { comparedAt?: Instant; incompleteSince?: Instant } & Partial<Incomplete>
  >(sql`select * from comparison`);
  const { comparedAt, incompleteSince: since, code = "", message = "" } = row;
  return present({ comparedAt, incomplete: since === undefined ? undefined : { since, code, message } });
}

/**
 * Payouts of accepted payments that the service has never shown, chosen as by `listAcceptedUnshown`; without the
 * custody accounts `except`.
 */
export function listNeverShown(except: readonly CustodyAccountId[]): Transaction<PayoutId[]> {
  return column(sql`select payout_id from instruction
    where standing || '' = 'accepted' and payout_id in (
        select payout_id from instruction where payout_id > '' except select id from observed where kind = 'payout')
      and json_extract(fields, '$.custodyAccountId') not in ${except}`);
}
