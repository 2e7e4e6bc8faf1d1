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
  readonly isUnreachable?: boolean;
}

const PAUSE_MAX_MS = 15 * MINUTE_MS;

/** Retries until the message is `retryHours` old. */
export function afterAttempt(
  message: NoticeMessage,
  { isTaken, answer, isUnreachable = false }: Attempt,
  now: Instant,
  retryHours: number,
): NoticeMessage {
  const { nextAt: _, ...before } = message;
  const tried = { ...before, attempts: message.attempts + 1, answer };
  if (isTaken) return { ...tried, outcome: "delivered", endedAt: now };
  const isOver = Date.parse(now) - Date.parse(message.writtenAt) >= retryHours * HOUR_MS;
  if (isUnreachable || isOver) return { ...tried, outcome: "given up", endedAt: now };
  return { ...tried, nextAt: nextTryAt(now, message.attempts) };
}

/** When to try again after this many earlier attempts: in 1, 2, 4, 8, 15, 15, ... minutes. */
export function nextTryAt(now: Instant, attempts: number): Instant {
  return shifted(now, Math.min(MINUTE_MS * 2 ** attempts, PAUSE_MAX_MS));
}
