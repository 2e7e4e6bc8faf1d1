/**
 * The entries of an export batch in journal order. Memory holds only their numbers, and the values that order most
 * of them; the entries are read from the store in windows.
 */
import type { Problem } from "../../faults/index.ts";
import { chunks } from "../../model/chunks.ts";
import type { Day, JournalEntry } from "../../model/index.ts";
import {
  gotUpTo,
  issuedUpTo,
  listBatchEntriesAfter,
  listDueAfter,
  listRefusedBefore,
  listShownDays,
  listUnissuedAfter,
} from "../../store/export-batches.ts";
import { listEntriesOf, type PostedEntry } from "../../store/ledger-entries.ts";
import type { Store } from "../../store/store.ts";
import { inWindows } from "../../store/windows.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { closedThroughNow } from "../ledger-policy.ts";
import { inJournalOrder, type JournalPlace } from "../rules/journal-entries.ts";
import { JournalOrder } from "../rules/journal-order.ts";
import { firstOpenDay } from "../rules/policy.ts";
import { whereOfEntry } from "../rules/post-facts.ts";
import { LedgerSums, type TrialBalance } from "../rules/trial-balance.ts";
import type { ExportTarget } from "./targets.ts";

export interface Journal {
  /** The numbers of its entries, in journal order. */
  readonly seqs: readonly number[];
  /** By seq, the book day that the files show, if it is not the entry's own. */
  readonly shownDay: ReadonlyMap<number, Day>;
  /** The number of their postings. */
  readonly lines: number;
  readonly balance: TrialBalance;
}

const EXPORTED_TOGETHER = 250;

type Windows = AsyncGenerator<readonly PostedEntry[]>;

/** Entries that no target has got, in the order of posting. */
export async function* unissuedWindows(store: Store): Windows {
  const from = await store.read(() => issuedUpTo());
  yield* inWindows<PostedEntry>(store, (last) => listUnissuedAfter(last?.seq ?? from, EXPORTED_TOGETHER));
}

export async function* batchWindows(store: Store, batch: number): Windows {
  const shownDay = await store.read(() => listShownDays(batch));
  for await (const window of inWindows<PostedEntry>(store, (last) =>
    listBatchEntriesAfter(batch, last?.seq ?? 0, EXPORTED_TOGETHER),
  ))
    yield window.map((posted) => onDay(posted, shownDay.get(posted.seq)));
}

/**
 * Entries that the target has not got yet, or has refused. A refused entry moves to the first open day if its own
 * day is closed now, because an ERP takes no entry for a closed month. `period`: only of this month, "2026-10".
 */
export async function* dueWindows(
  { store, config }: Workplace,
  { name, since }: ExportTarget,
  period: string | undefined,
): Windows {
  const closedThrough = await store.read(() => closedThroughNow(config));
  const from = await store.read(() => gotUpTo(name));
  const isAsked = ({ entry: { bookDay } }: PostedEntry) =>
    (since === undefined || bookDay >= since) && (period === undefined || bookDay.startsWith(`${period}-`));
  for await (const window of inWindows<PostedEntry>(store, (last) =>
    listDueAfter(name, last?.seq ?? from, EXPORTED_TOGETHER),
  ))
    yield (await openDays(window)).filter(isAsked);

  async function openDays(window: readonly PostedEntry[]): Promise<readonly PostedEntry[]> {
    const closed = window.filter(({ entry }) => entry.bookDay <= (closedThrough ?? ""));
    if (closed.length === 0) return window;
    const refused = await store.read(() =>
      listRefusedBefore(
        name,
        closed.map(({ seq }) => seq),
      ),
    );
    return window.map((posted) =>
      onDay(
        posted,
        refused.has(posted.seq) ? firstOpenDay(posted.entry.bookDay, { closedThrough }) : undefined,
      ),
    );
  }
}

function onDay(posted: PostedEntry, bookDay: Day | undefined): PostedEntry {
  return bookDay === undefined
    ? posted
    : { ...posted, entry: { ...posted.entry, bookDay }, shownDay: bookDay };
}

/**
 * Due entries that the target's files cannot hold, because the configuration has changed since they were posted:
 * the reason, by payout or deposit.
 */
export async function unfittingSources(
  { unfitting }: ExportTarget,
  due: Windows,
): Promise<ReadonlyMap<string, Problem>> {
  const found = new Map<string, Problem>();
  if (unfitting === undefined) return found;
  for await (const window of due)
    for (const { entry } of window) {
      const unfit = unfitting(entry);
      if (unfit !== undefined) found.set(entry.sourceId, { ...unfit, ...whereOfEntry(entry) });
    }
  return found;
}

/** `held`: the payouts and deposits whose entries are left out. Throws LEDGER_CURRENCY_CHANGED. */
export async function readJournal(
  { store, config }: Workplace,
  windows: Windows,
  held: ReadonlyMap<string, Problem> = new Map(),
): Promise<Journal> {
  const order = new JournalOrder();
  const sums = new LedgerSums(config.ledger.functionalCurrency);
  const shownDay = new Map<number, Day>();
  let lines = 0;
  for await (const posted of windows) {
    const window = posted.filter(({ entry }) => !held.has(entry.sourceId));
    sums.add(window.map(({ entry }) => entry));
    for (const { seq, entry, shownDay: day } of window) {
      if (day !== undefined) shownDay.set(seq, day);
      order.add(seq, entry);
      lines += entry.lines.length;
    }
  }
  const seqs = await orderedSeqs(store, order, shownDay);
  return { seqs, shownDay, lines, balance: sums.trialBalance() };
}

/** Reads the entries again whose order their texts decide, as with several movements of one transaction. */
async function orderedSeqs(
  store: Store,
  order: JournalOrder,
  shownDay: ReadonlyMap<number, Day>,
): Promise<readonly number[]> {
  const { seqs, runs } = order.ordered();
  let places: number[] = [];
  const orderPlaces = async () => {
    const entries: (JournalPlace & Pick<PostedEntry, "seq">)[] = [];
    for (const some of chunks(places, EXPORTED_TOGETHER)) {
      const posted = await store.read(() => listEntriesOf(some.map((place) => seqs[place] ?? 0)));
      entries.push(...posted.map((each) => placeOf(onDay(each, shownDay.get(each.seq)))));
    }
    // The runs are in order already, so ordering several at once keeps each in its places.
    for (const [index, { seq }] of inJournalOrder(entries).entries()) seqs[places[index] ?? 0] = seq;
    places = [];
  };
  for (const { from, to } of runs) {
    for (let place = from; place < to; place += 1) places.push(place);
    if (places.length >= EXPORTED_TOGETHER) await orderPlaces();
  }
  await orderPlaces();
  return seqs;
}

function placeOf({ seq, entry }: PostedEntry): JournalPlace & Pick<PostedEntry, "seq"> {
  const { bookDay, valueInstant, kind, factId, revision, entryId } = entry;
  return { seq, bookDay, valueInstant, kind, factId, revision, entryId };
}

/** The entries in journal order, in windows. */
export async function* entriesInOrder(
  store: Store,
  { seqs, shownDay }: Pick<Journal, "seqs" | "shownDay">,
): AsyncGenerator<readonly JournalEntry[]> {
  for (const some of chunks(seqs, EXPORTED_TOGETHER)) {
    const posted = await store.read(() => listEntriesOf(some));
    const entryBySeq = new Map(posted.map((each) => [each.seq, onDay(each, shownDay.get(each.seq)).entry]));
    yield some.flatMap((seq) => entryBySeq.get(seq) ?? []);
  }
}
