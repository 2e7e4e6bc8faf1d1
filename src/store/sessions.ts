/** Who is signed in at the desk. A token itself is never stored, only its hash. */
import type { Instant } from "../model/index.ts";
import { finds, mapOf, objects, run, sql, type Transaction } from "./sql.ts";

export interface StoredSession {
  /** SHA-256 of the token. */
  readonly token: string;
  readonly person: string;
  /**
   * Hash of the statement by which the person signed in; absent for a session of an earlier version, which began by
   * name.
   */
  readonly statement?: string;
  readonly beganAt: Instant;
  /** When the last request came. */
  readonly seenAt: Instant;
  readonly endedAt?: Instant;
}

/** Fails for a statement that was used to sign in before. Deletes the sessions that began before `old`. */
export function* insertSession(
  { token, person, statement, beganAt, seenAt }: StoredSession,
  old: Instant,
): Transaction<void> {
  yield* run(sql`delete from session where began_at < ${old}`);
  yield* run(sql`insert into session (token, person, statement, began_at, seen_at)
    values (${token}, ${person}, ${statement}, ${beganAt}, ${seenAt})`);
}

export function* findSession(token: string): Transaction<StoredSession | undefined> {
  return (yield* objects<StoredSession>(sql`select * from session where token = ${token}`))[0];
}

export function isSignedInBy(statement: string): Transaction<boolean> {
  return finds(sql`select 1 from session where statement = ${statement}`);
}

export function* touchSession(token: string, at: Instant): Transaction<void> {
  yield* run(sql`update session set seen_at = ${at} where token = ${token}`);
}

export function* endSession(token: string, at: Instant): Transaction<void> {
  yield* run(sql`update session set ended_at = ${at} where token = ${token} and ended_at is null`);
}

/** When each person was last seen at the desk, by name. */
export function lastSeenAtDesk(): Transaction<ReadonlyMap<string, Instant>> {
  return mapOf(sql`select person, max(seen_at) as seen_at from session group by person`);
}
