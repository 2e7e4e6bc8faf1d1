/** The next step of a message's delivery after an attempt: done, again later, or given up. */
import { HOUR_MS, type Instant, MINUTE_MS, type NoticeMessage, shifted } from "../../model/index.ts";

/** The result of one attempt. */
export interface Attempt {
  readonly isTaken: boolean;
  /** The server's answer, or why there is none. */
  readonly answer: string;
  /** The channel does not work at all, so no other message is tried now. */
  readonly isDown?: boolean;
  /** The recipient has no address any more, so the message is not tried again. */
  readonly isLost?: boolean;
}

const PAUSE_MAX_MS = 15 * MINUTE_MS;

/** Retries after 1, 2, 4, 8, 15, 15, ... minutes, until the message is `retryHours` old. */
export function afterAttempt(
  message: NoticeMessage,
  { isTaken, answer, isLost = false }: Attempt,
  now: Instant,
  retryHours: number,
): NoticeMessage {
  const { nextAt: _, ...before } = message;
  const tried = { ...before, attempts: message.attempts + 1, answer };
  if (isTaken) return { ...tried, outcome: "delivered", endedAt: now };
  const isOver = Date.parse(now) - Date.parse(message.writtenAt) >= retryHours * HOUR_MS;
  if (isLost || isOver) return { ...tried, outcome: "given up", endedAt: now };
  return { ...tried, nextAt: shifted(now, Math.min(MINUTE_MS * 2 ** message.attempts, PAUSE_MAX_MS)) };
}
