/** From notices to messages: which of them are due, one message for each recipient, and what counts as told then. */
import { hash } from "node:crypto";
import { type Instant, type NoticeMessage, shifted, type Told } from "../../model/index.ts";
import type { Notice, Words } from "./notice.ts";
import type { Recipient } from "./recipients.ts";

/** Where and when a message is written. */
export interface Writing {
  readonly now: Instant;
  /** "https://pay.example.com"; undefined without a desk. */
  readonly origin: string | undefined;
  /** The name of the installation, where several may write to one person. */
  readonly installation: string | undefined;
}

export interface Collected {
  readonly messages: readonly NoticeMessage[];
  /** All that lasts, with what is told now. */
  readonly told: readonly Told[];
}

/** `told`: what was noticed so far. What no longer lasts is forgotten, and told again if it comes back. */
export function collect(
  notices: readonly Notice[],
  told: readonly Told[],
  recipientsOf: (notice: Notice) => readonly Recipient[],
  writing: Writing,
): Collected {
  const { now } = writing;
  const before = new Map(told.map((each) => [keyOf(each.event, each.item), each]));
  const messages: NoticeMessage[] = [];
  const after = new Map<string, Told>();
  for (const notice of notices) {
    const items = notice.items.map((item) => knownItem(notice, item, before, now));
    const due = items.filter(({ since, toldAt }) => toldAt === undefined && isOldEnough(since, notice, now));
    // A clock that was ahead dated it: it counts from now on.
    for (const each of items)
      after.set(keyOf(each.event, each.item), due.includes(each) ? { ...each, toldAt: now } : each);
    if (due.length === 0) continue;
    const matter = due.map(({ item, since }) => `${item} ${since}`).join("\n");
    const words = notice.words(due.map(({ item }) => item));
    const matterOf = { ...notice, ...words, matter };
    messages.push(...recipientsOf(notice).map((recipient) => messageTo(recipient, matterOf, writing)));
  }
  return { messages, told: [...after.values()] };
}

function keyOf(event: string, item: string): string {
  return `${event} ${item}`;
}

function knownItem({ event }: Notice, item: string, before: ReadonlyMap<string, Told>, now: Instant): Told {
  const known = before.get(keyOf(event, item));
  if (known === undefined) return { event, item, since: now };
  return known.toldAt === undefined && known.since > shifted(now, AHEAD_MAX_MS)
    ? { ...known, since: now }
    : known;
}

/** Machines that share a database differ by less. */
const AHEAD_MAX_MS = 3_600_000;

function isOldEnough(since: Instant, { lastsMs = 0 }: Notice, now: Instant): boolean {
  return Date.parse(now) - Date.parse(since) >= lastsMs;
}

/** What one message is about, in words. `matter`: what makes it another one than those before. */
export interface Matter extends Words, Pick<Notice, "event" | "about" | "path"> {
  readonly matter: string;
}

/** One message; equal in event, matter and recipient is equal in key. */
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
