/** What needs somebody, and of how much of it people were told: a daemon that starts anew does not tell it again. */
import type { Instant } from "../model/index.ts";
import { insertRows, nouns, run, sql, type Transaction } from "./sql.ts";

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

/** By what they are about. */
export function* noticesKept(): Transaction<ReadonlyMap<string, Notice>> {
  const notices = yield* nouns<Notice>(sql`select * from notice`);
  return new Map(notices.map((notice) => [notice.about, notice]));
}

/** These, and no others. */
export function* keepNotices(notices: readonly Notice[]): Transaction<void> {
  yield* run(sql`delete from notice`);
  const rows = notices.map(({ about, count, since, toldAt }) => [about, count, since, toldAt]);
  yield* insertRows("insert into notice (about, count, since, told_at)", rows);
}
