/** The looks for a submission in doubt and their results; the same result repeated is one entry with a count. */
import type { Instant } from "../model/index.ts";
import { first, objects, run, sql, type Transaction } from "./sql.ts";

export interface Look {
  /** The result, in words: "not found, but the look was incomplete: ...". */
  readonly saw: string;
  /** Why the submission was not re-sent after the last of these looks, in words. */
  readonly notSent?: string | undefined;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  readonly times: number;
}

export function* recordLook(
  submissionId: number,
  { saw, notSent }: Pick<Look, "saw" | "notSent">,
  at: Instant,
): Transaction<void> {
  const last = yield* first<{ id: number; saw: string }>(
    sql`select id, saw from look where submission_id = ${submissionId} order by id desc limit 1`,
  );
  if (last?.saw === saw)
    yield* run(
      sql`update look set last_at = ${at}, times = times + 1, not_sent = ${notSent} where id = ${last.id}`,
    );
  else
    yield* run(sql`insert into look (submission_id, saw, not_sent, first_at, last_at, times)
      values (${submissionId}, ${saw}, ${notSent}, ${at}, ${at}, 1)`);
}

/** Oldest first. */
export function listLooks(submissionId: number): Transaction<Look[]> {
  return objects<Look>(sql`select saw, not_sent, first_at, last_at, times from look
    where submission_id = ${submissionId} order by id`);
}

/** As `listLooks`, of several submissions. */
export function listLooksOf(
  submissionIds: readonly number[],
): Transaction<(Look & { readonly submissionId: number })[]> {
  return objects(sql`select submission_id, saw, not_sent, first_at, last_at, times from look
    where submission_id in ${submissionIds} order by id`);
}
