/**
 * Notices: what people were told of, which is told once while it lasts; and the outbox of messages, each kept with how
 * its delivery went. A restarted daemon neither loses one nor writes it twice.
 */
import type { Instant, NoticeChannel, NoticeMessage, Told } from "../model/index.ts";
import { all, countOf, insertRows, objects, run, sql, type Transaction } from "./sql.ts";

export function listTold(): Transaction<Told[]> {
  return objects<Told>(sql`select event, item, since, told_at from notice_told order by event, item`);
}

export function* replaceTold(told: readonly Told[]): Transaction<void> {
  yield* run(sql`delete from notice_told`);
  const rows = told.map(({ event, item, since, toldAt }) => [event, item, since, toldAt]);
  yield* insertRows("insert into notice_told (event, item, since, told_at)", rows);
}

/** Writes new messages, and how the delivery of known ones went. One that has ended stays as it is. */
export function keepMessages(messages: readonly NoticeMessage[]): Transaction<void> {
  return insertRows(
    `insert into notice_message (key, event, about, channel, recipient, subject, body, written_at, attempts, next_at,
      ended_at, outcome, answer)`,
    messages.map((message) => [
      ...[message.key, message.event, message.about, message.channel, message.recipient, message.subject],
      ...[message.body, message.writtenAt, message.attempts, message.nextAt, message.endedAt],
      ...[message.outcome, message.answer],
    ]),
    sql`on conflict (key) do update set attempts = excluded.attempts, next_at = excluded.next_at,
      ended_at = excluded.ended_at, outcome = excluded.outcome, answer = excluded.answer
      where notice_message.ended_at is null and excluded.attempts > notice_message.attempts`,
  );
}

/** At most `count` of a channel that are to be tried by `at`, the longest waiting first. */
export function listDueMessages(
  channel: NoticeChannel,
  at: Instant,
  count: number,
): Transaction<NoticeMessage[]> {
  return objects<NoticeMessage>(
    sql`select key, event, about, channel, recipient, subject, body, written_at, attempts, next_at,
      ended_at, outcome, answer from notice_message
      where next_at <= ${at} and channel = ${channel} order by next_at, seq limit ${count}`,
  );
}

/** At most `count`, the newest first. */
export function listMessages(count: number): Transaction<NoticeMessage[]> {
  return objects<NoticeMessage>(
    sql`select key, event, about, channel, recipient, subject, body, written_at, attempts, next_at,
      ended_at, outcome, answer from notice_message order by seq desc limit ${count}`,
  );
}

export function* listKnownKeys(keys: readonly string[]): Transaction<ReadonlySet<string>> {
  const rows = yield* all<{ key: string }>(sql`select key from notice_message where key in ${keys}`);
  return new Set(rows.map(({ key }) => key));
}

/** Messages that were given up since an instant. */
export function countGivenUp(since: Instant): Transaction<number> {
  return countOf(
    sql`select count(*) as count from notice_message where outcome = 'given up' and ended_at >= ${since}`,
  );
}
