/** Notices: what people are told of, and the messages to them. */
import type { Instant } from "./instant.ts";

/** Each has its own line in `notices.who`. */
export const NOTICE_EVENTS = [
  "file-accepted",
  "file-rejected",
  "file-missing",
  "waiting",
  "doubt",
  "unpaid",
  "sending-stopped",
  "break",
  "night",
  "suspense",
  "export",
  "job",
  "digest",
] as const;

export type NoticeEvent = (typeof NOTICE_EVENTS)[number];

/** Something that lasts, such as a payment in doubt. */
export interface Told {
  readonly event: NoticeEvent;
  readonly item: string;
  /** When it was first noticed. */
  readonly since: Instant;
  /** When a notice of it was written; absent before that. */
  readonly toldAt?: Instant;
}

export type NoticeChannel = "mail" | "chat";

/** A notice to one recipient. */
export interface NoticeMessage {
  /** SHA-256 of event, matter and recipient, in lower-case hex: there is one message of each. */
  readonly key: string;
  readonly event: NoticeEvent;
  readonly about: string;
  readonly channel: NoticeChannel;
  /** "ann", "sender acme"; empty for the chat. The address is looked up when it is sent. */
  readonly recipient: string;
  readonly subject: string;
  readonly body: string;
  readonly writtenAt: Instant;
  readonly attempts: number;
  /** When it is tried next; absent once it has ended. */
  readonly nextAt?: Instant;
  readonly endedAt?: Instant;
  readonly outcome?: "delivered" | "given up";
  /** What the server said last. */
  readonly answer?: string;
}
