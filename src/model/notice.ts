/** Notices: the reports to people, and the messages that carry them. */
import type { Instant } from "./instant.ts";

/** Each event has its own line in `notices.who`. */
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

/** A case that lasts, such as a payment in doubt. */
export interface NoticedCase {
  readonly event: NoticeEvent;
  readonly item: string;
  /** When it was first noticed. */
  readonly since: Instant;
  /** When a notice about it was written; absent before that. */
  readonly reportedAt?: Instant;
}

export type NoticeChannel = "mail" | "chat";

/** A notice to one recipient. */
export interface NoticeMessage {
  /** SHA-256 of event, matter and recipient, in lower-case hex: there is one message for each combination. */
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
  /** When it is tried next; absent once delivery has ended. */
  readonly nextAt?: Instant;
  readonly endedAt?: Instant;
  readonly outcome?: "delivered" | "given up";
  /** The server's last answer. */
  readonly answer?: string;
}
