/** Writes events for other systems, and sends them to their receiver in the order of their numbers. */

import { fault } from "../faults/index.ts";
import {
  addControlTotals,
  type Batch,
  type BatchId,
  batchId,
  type Instant,
  type Instruction,
  MINUTE_MS,
  STANDINGS,
  shifted,
} from "../model/index.ts";
import { present } from "../model/present.ts";
import { countPayees, getBatch } from "../store/batches.ts";
import {
  appendEvents,
  type EventCursor,
  type Happened,
  lastEventNumber,
  listBatchesWithout,
  listClosingsWithout,
  listEventsAfter,
  listIssuedWithout,
  listOpenedDoubts,
  listOpeningsWithout,
  moveCursor,
  readCursor,
  type StoredEvent,
  writeCursor,
} from "../store/events.ts";
import { listByStanding, listChangedAt } from "../store/instructions.ts";
import type { Transaction } from "../store/sql.ts";
import { listStandingSums } from "../store/standing-counts.ts";
import type { EventsReceiver, Workplace } from "../workplace/workplace.ts";
import { batchMembers, bodyOf, signedHeaders, sumMembers } from "./rules/events.ts";
import { plain } from "./rules/plain.ts";

const ANSWER_WITHIN_MS = 10_000;
const SENT_AT_ONCE = 200;
const PAUSE_MAX_MS = 15 * MINUTE_MS;

/** Events from before the first call get numbers, but are sent only if they are replayed. */
export async function writeEvents({ store, context, config }: Workplace): Promise<void> {
  const now = context.clock.now();
  const { installation } = config.people;
  const happened = await store.read(() => findHappened(now, installation));
  const cursor = await store.read(() => readCursor());
  if (happened.length === 0 && cursor !== undefined) return;
  await store.write(function* () {
    yield* appendEvents(happened);
    if (cursor === undefined) yield* writeCursor({ delivered: yield* lastEventNumber(), attempts: 0 });
  });
}

function* findHappened(now: Instant, installation: string | undefined): Transaction<Happened[]> {
  const event = (kind: string, subject: string, at: Instant, members: object): Happened => ({
    ...{ kind, subject, at },
    body: JSON.stringify({ event: kind, at, ...present({ installation }), ...members }),
  });
  const happened: Happened[] = [];
  happened.push(...(yield* findBatches("batch.accepted", now, event)));
  happened.push(...(yield* findBatches("batch.approved", now, event)));
  happened.push(...(yield* findDoubts(now, event)));
  happened.push(...(yield* findBatches("batch.paid", now, event)));
  for (const kind of ["break.opened", "break.closed"] as const)
    for (const { seq, severity, openedAt, closedAt, ...opening } of yield* listOpeningsWithout(kind)) {
      const { amount, currency } = opening;
      const members = { break: `BR-${seq}`, kind: opening.kind, severity, ...present({ amount, currency }) };
      const at = kind === "break.opened" ? openedAt : (closedAt ?? now);
      happened.push(event(kind, `BR-${seq}`, at, members));
    }
  for (const { month, closedAt } of yield* listClosingsWithout())
    happened.push(event("month.closed", `${month} ${closedAt}`, closedAt, { month }));
  for (const { target, number, sealedAt, entries } of yield* listIssuedWithout())
    happened.push(
      event("export.issued", `${target} ${number}`, sealedAt, { target, exportBatch: number, entries }),
    );
  return happened;
}

type MakeEvent = (kind: string, subject: string, at: Instant, members: object) => Happened;

function* findBatches(
  kind: Parameters<typeof listBatchesWithout>[0],
  now: Instant,
  event: MakeEvent,
): Transaction<Happened[]> {
  const found: Happened[] = [];
  for (const id of (yield* listBatchesWithout(kind)).map(batchId)) {
    const { fileName, submittedAt, controlTotals: totals } = yield* getBatch(id);
    const members = batchMembers({ id, fileName, totals, payees: yield* countPayees(id) });
    const standings = kind === "batch.paid" && {
      standings: yield* standingsOf({ id, controlTotals: totals }),
    };
    found.push(event(kind, id, kind === "batch.accepted" ? submittedAt : now, { ...members, ...standings }));
  }
  return found;
}

/** The sums of a batch's payments, by standing and currency. */
function* standingsOf(batch: Pick<Batch, "id" | "controlTotals">): Transaction<object[]> {
  const sums = yield* listStandingSums(batch);
  return STANDINGS.flatMap((standing) => {
    const some = sums.filter((sum) => sum.standing === standing).map(({ total }) => total);
    return sumMembers(addControlTotals(some)).map((sum) => ({ standing, ...sum }));
  });
}

/** A doubt is identified by its payment and the instant at which it began. */
function* findDoubts(now: Instant, event: MakeEvent): Transaction<Happened[]> {
  const doubts = yield* listByStanding("in doubt");
  const changedAt = yield* listChangedAt(doubts.map(({ id }) => id));
  const subjectOf = ({ id }: Instruction) => `${id} ${changedAt.get(id) ?? ""}`;
  const openedBefore = yield* listOpenedDoubts();
  const known = new Set(openedBefore.map(({ subject }) => subject));
  const present = new Set(doubts.map(subjectOf));
  const opened = doubts
    .filter((doubt) => !known.has(subjectOf(doubt)))
    .map((doubt) =>
      event("doubt.opened", subjectOf(doubt), changedAt.get(doubt.id) ?? now, doubtMembers(doubt)),
    );
  const ended = openedBefore
    .filter(({ subject }) => !present.has(subject))
    .map(({ subject, body }) => {
      const { batch, reference, amount, currency } = JSON.parse(body) as ReturnType<typeof doubtMembers>;
      return event("doubt.ended", subject, now, { batch, reference, amount, currency });
    });
  return [...opened, ...ended];
}

function doubtMembers({ batchId: batch, fields: { reference, amount } }: Instruction): {
  readonly batch: BatchId;
  readonly reference: string;
  readonly amount: string;
  readonly currency: string;
} {
  const { currency, value } = amount;
  return { batch, reference: plain(reference), amount: value.normalized().toString(), currency };
}

/** Stops at the first event that the receiver does not accept, so that events stay in order. */
export async function sendEvents(workplace: Workplace, signal: AbortSignal): Promise<void> {
  const { store, context, noticesSecrets } = workplace;
  const { events: receiver } = noticesSecrets();
  let cursor = await store.read(() => readCursor());
  if (receiver === undefined || cursor === undefined) return;
  if (cursor.nextAt !== undefined && cursor.nextAt > context.clock.now()) return;
  const after = cursor.delivered;
  for (const event of await store.read(() => listEventsAfter(after, SENT_AT_ONCE))) {
    if (signal.aborted) return;
    const { isTaken, answer } = await sendOne(workplace, receiver, event);
    const moved: EventCursor = isTaken
      ? { delivered: event.number, attempts: 0, answer }
      : afterFailure(cursor, answer, context.clock.now());
    const before = cursor;
    const isOurs = await store.write(() => moveCursor(before, moved));
    if (!isTaken) context.log.warn("event not delivered", { count: event.number, message: answer });
    if (!isTaken || !isOurs) return;
    cursor = moved;
  }
}

async function sendOne(
  { context: { transport, clock } }: Workplace,
  { url, secret }: EventsReceiver,
  { number, body: stored }: StoredEvent,
): Promise<{ readonly isTaken: boolean; readonly answer: string }> {
  const body = bodyOf(number, stored);
  const exchange = await transport.send({
    ...{ method: "POST", url, headers: signedHeaders(number, body, secret, clock.now()) },
    ...{ body: Buffer.from(body), timeoutMs: ANSWER_WITHIN_MS },
  });
  if (exchange.kind !== "answered") return { isTaken: false, answer: exchange.reason };
  const { status } = exchange;
  return { isTaken: status >= 200 && status < 300, answer: `answered ${status}` };
}

/**
 * Retries after 1, 2, 4, 8, 15, 15, ... minutes. An event is never given up, because later events would be out of
 * order.
 */
function afterFailure(cursor: EventCursor, answer: string, now: Instant): EventCursor {
  const { attempts, failingSince = now, delivered } = cursor;
  const pauseMs = Math.min(MINUTE_MS * 2 ** attempts, PAUSE_MAX_MS);
  return { delivered, attempts: attempts + 1, failingSince, answer, nextAt: shifted(now, pauseMs) };
}

/** Has events sent again from this number. Throws USAGE if there is no such number. */
export async function replayStep({ store }: Workplace, from: number): Promise<{ readonly count: number }> {
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
