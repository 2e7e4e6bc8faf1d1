/**
 * Turns notices into messages: which are due, one message for each recipient, and what counts as reported
 * afterwards.
 */
import { hash } from "node:crypto";
import { type Instant, type NoticedCase, type NoticeMessage, shifted } from "../../model/index.ts";
import type { Notice, Words } from "./notice.ts";
import type { Recipient } from "./recipients.ts";

/** The circumstances in which a message is written. */
export interface Writing {
  readonly now: Instant;
  /** "https://pay.example.com"; undefined without a desk. */
  readonly origin: string | undefined;
  /** The name of the installation, because several may write to one person. */
  readonly installation: string | undefined;
}

export interface Collected {
  readonly messages: readonly NoticeMessage[];
  /** All cases that last, including those reported now. */
  readonly cases: readonly NoticedCase[];
}

/**
 * `cases`: the cases noticed so far. A case that no longer lasts is dropped, and is reported again if it comes
 * back.
 */
export function collect(
  notices: readonly Notice[],
  cases: readonly NoticedCase[],
  recipientsOf: (notice: Notice) => readonly Recipient[],
  writing: Writing,
): Collected {
  const { now } = writing;
  const before = new Map(cases.map((each) => [keyOf(each.event, each.item), each]));
  const messages: NoticeMessage[] = [];
  const after = new Map<string, NoticedCase>();
  for (const notice of notices) {
    const items = notice.items.map((item) => knownItem(notice, item, before, now));
    const due = items.filter(
      ({ since, reportedAt }) => reportedAt === undefined && isOldEnough(since, notice, now),
    );
    // Includes cases that `knownItem` has redated because a clock was ahead.
    for (const each of items)
      after.set(keyOf(each.event, each.item), due.includes(each) ? { ...each, reportedAt: now } : each);
    if (due.length === 0) continue;
    const matter = due.map(({ item, since }) => `${item} ${since}`).join("\n");
    const words = notice.words(due.map(({ item }) => item));
    const matterOf = { ...notice, ...words, matter };
    messages.push(...recipientsOf(notice).map((recipient) => messageTo(recipient, matterOf, writing)));
  }
  return { messages, cases: [...after.values()] };
}

function keyOf(event: string, item: string): string {
  return `${event} ${item}`;
}

function knownItem(
  { event }: Notice,
  item: string,
  before: ReadonlyMap<string, NoticedCase>,
  now: Instant,
): NoticedCase {
  const known = before.get(keyOf(event, item));
  if (known === undefined) return { event, item, since: now };
  return known.reportedAt === undefined && known.since > shifted(now, AHEAD_MAX_MS)
    ? { ...known, since: now }
    : known;
}

/** More than the clocks of machines that share a database differ. */
const AHEAD_MAX_MS = 3_600_000;

function isOldEnough(since: Instant, { lastsMs = 0 }: Notice, now: Instant): boolean {
  return Date.parse(now) - Date.parse(since) >= lastsMs;
}

/** The subject of a message, in words. `matter`: the text by which a message differs from earlier ones. */
export interface Matter extends Words, Pick<Notice, "event" | "about" | "path"> {
  readonly matter: string;
}

/** One message. Messages with the same event, subject, matter and recipient have the same key. */
export function messageTo(
  { channel, name }: Recipient,
  { event, about, subject, lines, path, matter }: Matter,
  { now, origin, installation }: Writing,
): NoticeMessage {
  const link = origin === undefined ? [] : ["", `${origin}${path}`];
  return {
    key: hash("sha256", JSON.stringify([event, about, matter, channel, name])),
    ...{ event, about, channel, recipient: name },
    subject: `Paydrop${installation === undefined ? "" : ` ${installation}`}: ${subject}`,
    body: [...lines, ...link].join("\n"),
    ...{ writtenAt: now, attempts: 0, nextAt: now },
  };
}
