/** Turns notices into messages: one per recipient for the cases that are due, which count as reported afterwards. */
import { hash } from "node:crypto";
import { HOUR_MS, type Instant, type NoticedCase, type NoticeMessage, shifted } from "../../model/index.ts";
import type { Notice, Words } from "./notice.ts";
import type { Recipient } from "./recipients.ts";

/** What every message written now has in common. */
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
    const lasting = notice.items.map((item) => caseOf(notice, item, before, now));
    const due = lasting.filter(
      ({ since, reportedAt }) => reportedAt === undefined && isOldEnough(since, notice, now),
    );
    for (const each of lasting)
      after.set(keyOf(each.event, each.item), due.includes(each) ? { ...each, reportedAt: now } : each);
    if (due.length === 0) continue;
    const occasion = due.map(({ item, since }) => `${item} ${since}`).join("\n");
    const content = { ...notice, ...notice.words(due.map(({ item }) => item)), occasion };
    messages.push(...recipientsOf(notice).map((recipient) => messageTo(recipient, content, writing)));
  }
  return { messages, cases: [...after.values()] };
}

function keyOf(event: string, item: string): string {
  return `${event} ${item}`;
}

/** A new case begins now, and so does an unreported one that a clock running ahead has dated in the future. */
function caseOf(
  { event }: Notice,
  item: string,
  before: ReadonlyMap<string, NoticedCase>,
  now: Instant,
): NoticedCase {
  const known = before.get(keyOf(event, item));
  if (known === undefined) return { event, item, since: now };
  const isAhead = known.reportedAt === undefined && known.since > shifted(now, CLOCKS_DIFFER_MAX_MS);
  return isAhead ? { ...known, since: now } : known;
}

/** The clocks of machines that share a database differ by less. */
const CLOCKS_DIFFER_MAX_MS = HOUR_MS;

function isOldEnough(since: Instant, { reportedFromMs = 0 }: Notice, now: Instant): boolean {
  return Date.parse(now) - Date.parse(since) >= reportedFromMs;
}

export interface Content extends Words, Pick<Notice, "event" | "about" | "path"> {
  /** Distinguishes the message from earlier ones about the same thing. */
  readonly occasion: string;
}

/** Messages with the same event, `about`, occasion and recipient have the same key. */
export function messageTo(
  { channel, name }: Recipient,
  { event, about, subject, lines, path, occasion }: Content,
  { now, origin, installation }: Writing,
): NoticeMessage {
  const link = origin === undefined ? [] : ["", `${origin}${path}`];
  return {
    key: hash("sha256", JSON.stringify([event, about, occasion, channel, name])),
    ...{ event, about, channel, recipient: name },
    subject: `Paydrop${installation === undefined ? "" : ` ${installation}`}: ${subject}`,
    body: [...lines, ...link].join("\n"),
    ...{ writtenAt: now, attempts: 0, nextAt: now },
  };
}
