/**
 * Notices: matters that need a person, and how much of each was reported, so that a restarted daemon does not
 * repeat itself.
 */
import type { Instant } from "../model/index.ts";
import { insertRows, objects, run, sql, type Transaction } from "./sql.ts";

export interface Notice {
  /** The matter that needs a person: "in doubt", "job reconcile". */
  readonly about: string;
  /** The number of cases reported; 0 before the first notice. */
  readonly count: number;
  /** When it was first noticed. */
  readonly since: Instant;
  /** When people were last notified; absent before that. */
  readonly toldAt?: Instant;
}

/** The stored notices, by `about`. */
export function* listNotices(): Transaction<ReadonlyMap<string, Notice>> {
  const notices = yield* objects<Notice>(sql`select * from notice`);
  return new Map(notices.map((notice) => [notice.about, notice]));
}

/** Replaces the stored notices by these. */
export function* replaceNotices(notices: readonly Notice[]): Transaction<void> {
  yield* run(sql`delete from notice`);
  const rows = notices.map(({ about, count, since, toldAt }) => [about, count, since, toldAt]);
  yield* insertRows("insert into notice (about, count, since, told_at)", rows);
}
