/** Writes events for other systems: what has happened and has no event yet. */
import {
  addControlTotals,
  type Batch,
  batchId,
  type Instant,
  type Instruction,
  STANDINGS,
} from "../model/index.ts";
import { present } from "../model/present.ts";
import { countPayees, getBatch } from "../store/batches.ts";
import {
  appendEvents,
  lastEventNumber,
  listBatchesWithout,
  listClosingsWithout,
  listIssuedWithout,
  listOpenedDoubts,
  listOpeningsWithout,
  readCursor,
  writeCursor,
} from "../store/events.ts";
import { listByStanding, listChangedAt } from "../store/instructions.ts";
import type { Transaction } from "../store/sql.ts";
import { listStandingSums } from "../store/standing-counts.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { batchMembers, sumMembers } from "./rules/events.ts";
import { safeText } from "./rules/safe-text.ts";

interface Happening {
  readonly kind: string;
  readonly subject: string;
  readonly at: Instant;
  /** What the event's JSON says besides kind and time. */
  readonly members: object;
}

/** Events from before the first call get numbers, but are sent only if they are replayed. */
export async function writeEvents({ store, context, config }: Workplace): Promise<void> {
  const now = context.clock.now();
  const { installation } = config.people;
  const happenings = await store.read(() => findHappenings(now));
  const cursor = await store.read(() => readCursor());
  if (happenings.length === 0 && cursor !== undefined) return;
  const events = happenings.map(({ kind, subject, at, members }) => {
    const body = JSON.stringify({ event: kind, at, ...present({ installation }), ...members });
    return { kind, subject, at, body };
  });
  await store.write(function* () {
    yield* appendEvents(events);
    if (cursor === undefined) yield* writeCursor({ delivered: yield* lastEventNumber(), attempts: 0 });
  });
}

function* findHappenings(now: Instant): Transaction<Happening[]> {
  return [
    ...(yield* findBatches("batch.accepted", now)),
    ...(yield* findBatches("batch.approved", now)),
    ...(yield* findDoubts(now)),
    ...(yield* findBatches("batch.paid", now)),
    ...(yield* findBreaks("break.opened", now)),
    ...(yield* findBreaks("break.closed", now)),
    ...(yield* listClosingsWithout()).map(({ month, closedAt: at }) => {
      return { kind: "month.closed", subject: `${month} ${at}`, at, members: { month } };
    }),
    ...(yield* listIssuedWithout()).map(({ target, number, sealedAt: at, entries }) => {
      const members = { target, exportBatch: number, entries };
      return { kind: "export.issued", subject: `${target} ${number}`, at, members };
    }),
  ];
}

function* findBatches(
  kind: Parameters<typeof listBatchesWithout>[0],
  now: Instant,
): Transaction<Happening[]> {
  const found: Happening[] = [];
  for (const id of (yield* listBatchesWithout(kind)).map(batchId)) {
    const { fileName, submittedAt, controlTotals } = yield* getBatch(id);
    const members = batchMembers({ id, fileName, totals: controlTotals, payees: yield* countPayees(id) });
    const standings = kind === "batch.paid" && { standings: yield* standingsOf({ id, controlTotals }) };
    const at = kind === "batch.accepted" ? submittedAt : now;
    found.push({ kind, subject: id, at, members: { ...members, ...standings } });
  }
  return found;
}

function* findBreaks(kind: "break.opened" | "break.closed", now: Instant): Transaction<Happening[]> {
  return (yield* listOpeningsWithout(kind)).map((opening) => {
    const { seq, severity, amount, currency, openedAt, closedAt = now } = opening;
    const subject = `BR-${seq}`;
    const members = { break: subject, kind: opening.kind, severity, ...present({ amount, currency }) };
    return { kind, subject, at: kind === "break.opened" ? openedAt : closedAt, members };
  });
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
function* findDoubts(now: Instant): Transaction<Happening[]> {
  const doubts = yield* listByStanding("in doubt");
  const changedAt = yield* listChangedAt(doubts.map(({ id }) => id));
  const subjectOf = ({ id }: Instruction) => `${id} ${changedAt.get(id) ?? ""}`;
  const openedBefore = yield* listOpenedDoubts();
  const known = new Set(openedBefore.map(({ subject }) => subject));
  const lasting = new Set(doubts.map(subjectOf));
  const opened = doubts
    .filter((doubt) => !known.has(subjectOf(doubt)))
    .map((doubt) => {
      const at = changedAt.get(doubt.id) ?? now;
      return { kind: "doubt.opened", subject: subjectOf(doubt), at, members: doubtMembers(doubt) };
    });
  const ended = openedBefore
    .filter(({ subject }) => !lasting.has(subject))
    .map(({ subject, body }) => {
      const { batch, reference, amount, currency } = JSON.parse(body) as ReturnType<typeof doubtMembers>;
      return { kind: "doubt.ended", subject, at: now, members: { batch, reference, amount, currency } };
    });
  return [...opened, ...ended];
}

function doubtMembers({ batchId: batch, fields }: Instruction) {
  const { currency, value } = fields.amount;
  const reference = safeText(fields.reference);
  return { batch, reference, amount: value.normalized().toString(), currency };
}
