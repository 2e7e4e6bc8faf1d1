/** What needs somebody, and of how much of it people were told: a daemon that starts anew does not tell it again. */
import type { Instant } from "../model/index.ts";
import { nouns, run, sql, type Transaction } from "./sql.ts";

export interface Notice {
  /** What needs somebody: "in doubt", "job reconcile". */
  readonly about: string;
  /** Of how many people were told; 0 where of none yet. */
  readonly count: number;
  /** When it was first seen to need somebody. */
  readonly since: Instant;
  /** Absent while nobody was told. */
  readonly toldAt?: Instant;
}

export function listNotices(): Transaction<Notice[]> {
  return nouns<Notice>(sql`select * from notice order by about`);
}

/** These, and no others. */
export function* keepNotices(notices: readonly Notice[]): Transaction<void> {
  yield* run(sql`delete from notice`);
  for (const { about, count, since, toldAt } of notices)
    yield* run(
      sql`insert into notice (about, count, since, told_at) values (${about}, ${count}, ${since}, ${toldAt})`,
    );
}
