/**
 * Notices that people have already been sent (each once while its cause lasts), and the outbox of messages with the
 * state of each delivery. Because both are stored, a restarted daemon neither loses nor repeats a message.
 */
import type { Instant, NoticeChannel, NoticedCase, NoticeMessage } from "../model/index.ts";
import { column, countOf, insertRows, objects, run, sql, type Transaction } from "./sql.ts";

export function listCases(): Transaction<NoticedCase[]> {
  return objects<NoticedCase>(
    sql`select event, item, since, told_at as reported_at from notice_told order by event, item`,
  );
}

export function* replaceCases(cases: readonly NoticedCase[]): Transaction<void> {
  yield* run(sql`delete from notice_told`);
  const rows = cases.map(({ event, item, since, reportedAt }) => [event, item, since, reportedAt]);
  yield* insertRows("insert into notice_told (event, item, since, told_at)", rows);
}

/**
 * Stores new messages, and the latest delivery attempts of known ones. A message whose delivery has ended no longer
 * changes.
 */
export function keepMessages(messages: readonly NoticeMessage[]): Transaction<void> {
  return insertRows(
    `insert into notice_message (key, event, about, channel, recipient, subject, body, written_at, attempts, next_at,
      ended_at, outcome, answer)`,
    messages.map((message) => {
      const { key, event, about, channel, recipient, subject, body, writtenAt } = message;
      const { attempts, nextAt, endedAt, outcome, answer } = message;
      const written = [key, event, about, channel, recipient, subject, body, writtenAt];
      return [...written, attempts, nextAt, endedAt, outcome, answer];
    }),
    sql`on conflict (key) do update set attempts = excluded.attempts, next_at = excluded.next_at,
      ended_at = excluded.ended_at, outcome = excluded.outcome, answer = excluded.answer
      where notice_message.ended_at is null and excluded.attempts > notice_message.attempts`,
  );
}

const MESSAGE = sql`select key, event, about, channel, recipient, subject, body, written_at, attempts, next_at,
  ended_at, outcome, answer from notice_message`;

/** At most `count` messages of a channel whose next attempt is due by `at`, longest waiting first. */
export function listDueMessages(
  channel: NoticeChannel,
  at: Instant,
  count: number,
): Transaction<NoticeMessage[]> {
  return objects<NoticeMessage>(
    sql`${MESSAGE}
      where next_at <= ${at} and channel = ${channel} order by next_at, seq limit ${count}`,
  );
}

/** At most `count` messages, newest first. */
export function listMessages(count: number): Transaction<NoticeMessage[]> {
  return objects<NoticeMessage>(sql`${MESSAGE} order by seq desc limit ${count}`);
}

/** Those of the keys for which a message was written before. */
export function* listWrittenKeys(keys: readonly string[]): Transaction<ReadonlySet<string>> {
  return new Set(yield* column<string>(sql`select key from notice_message where key in ${keys}`));
}

/** How many messages were given up since an instant. */
export function countGivenUp(since: Instant): Transaction<number> {
  return countOf(
    sql`select count(*) from notice_message where outcome = 'given up' and ended_at >= ${since}`,
  );
}
