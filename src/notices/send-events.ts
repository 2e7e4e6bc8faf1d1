/** Sends events to their receiver, in the order of their numbers. */
import { fault } from "../faults/index.ts";
import type { Instant } from "../model/index.ts";
import {
  type EventCursor,
  lastEventNumber,
  listEventsAfter,
  moveCursor,
  readCursor,
  writeCursor,
} from "../store/events.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { post } from "./channels.ts";
import { nextTryAt } from "./rules/delivery.ts";
import { bodyOf, signedHeaders } from "./rules/events.ts";

const SENT_AT_ONCE = 200;

/** Stops at the first event that the receiver does not accept, so that events stay in order. */
export async function sendEvents(workplace: Workplace, signal: AbortSignal): Promise<void> {
  const { store, context, noticesSecrets } = workplace;
  const { transport, clock, log } = context;
  const { events: receiver } = noticesSecrets();
  let cursor = await store.read(() => readCursor());
  if (receiver === undefined || cursor === undefined) return;
  if (cursor.nextAt !== undefined && cursor.nextAt > clock.now()) return;
  const { delivered } = cursor;
  for (const { number, body: stored } of await store.read(() => listEventsAfter(delivered, SENT_AT_ONCE))) {
    if (signal.aborted) return;
    const body = bodyOf(number, stored);
    const headers = signedHeaders(number, body, receiver.secret, clock.now());
    const { isTaken, answer } = await post(transport, receiver.url, headers, body);
    const before: EventCursor = cursor;
    const after: EventCursor = isTaken
      ? { delivered: number, attempts: 0, answer }
      : afterFailure(before, answer, clock.now());
    const isOurs = await store.write(() => moveCursor(before, after));
    if (!isTaken) log.warn("event not delivered", { count: number, message: answer });
    if (!isTaken || !isOurs) return;
    cursor = after;
  }
}

/** An event is never given up, because later events would be out of order. */
function afterFailure(cursor: EventCursor, answer: string, now: Instant): EventCursor {
  const { attempts, failingSince = now, delivered } = cursor;
  return { delivered, attempts: attempts + 1, failingSince, answer, nextAt: nextTryAt(now, attempts) };
}

/** Makes `serve` send the events from this number on again. Throws USAGE if there is no such number. */
export async function replayEventsStep(
  { store }: Workplace,
  from: number,
): Promise<{ readonly count: number }> {
  return store.write(function* () {
    const last = yield* lastEventNumber();
    if (from > last)
      throw fault("USAGE", {
        what: `there is no event ${from}`,
        how: `The last one has the number ${last}.`,
      });
    yield* writeCursor({ delivered: from - 1, attempts: 0 });
    return { count: last - from + 1 };
  });
}
