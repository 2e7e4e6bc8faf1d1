/**
 * The entries of an export batch in journal order. Memory holds only their numbers, and the values that order most
 * of them; the entries are read from the store in windows.
 */
import { invariant, type Problem } from "../../faults/index.ts";
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
import { lastEntrySeq, listEntriesOf, listNamesOf, type PostedEntry } from "../../store/ledger-entries.ts";
import { ITEMS_PER_STATEMENT } from "../../store/sql.ts";
import type { Store } from "../../store/store.ts";
import { inWindows } from "../../store/windows.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { closedThroughNow } from "../ledger-policy.ts";
import { whereOfEntry } from "../rules/book-fact.ts";
import { compareOfOneMoment, type EntryName } from "../rules/journal-entries.ts";
import { JournalOrder, type OrderedDay } from "../rules/journal-order.ts";
import { firstOpenDay } from "../rules/policy.ts";
import { LedgerSums, type TrialBalance } from "../rules/trial-balance.ts";
import type { ExportTarget } from "./targets.ts";

export interface Journal {
  /** The numbers of its entries, in journal order. Eight bytes each, because a first journal has all entries. */
  readonly seqs: Float64Array;
  /** By seq, the book day that the files show, if it is not the entry's own. */
  readonly shownDay: ReadonlyMap<number, Day>;
  /** The number of their postings. */
  readonly lines: number;
  readonly balance: TrialBalance;
}

const EXPORTED_TOGETHER = 250;
const RUNS_TOGETHER = 100;

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

/** Entries that the target has not got yet, or has refused, and up to where the target then has all. */
export class DueEntries {
  private readonly workplace: Workplace;
  private readonly target: ExportTarget;
  private readonly period: string | undefined;
  private last = 0;
  private firstLeft: number | undefined;

  /** `period`: only of this month, "2026-10". */
  constructor(workplace: Workplace, target: ExportTarget, period: string | undefined) {
    this.workplace = workplace;
    this.target = target;
    this.period = period;
  }

  /**
   * A refused entry moves to the first open day if its own day is closed now, because an ERP takes no entry for a
   * closed month. `held`: the payouts and deposits whose entries are left out.
   */
  async *windows(held: ReadonlyMap<string, Problem> = new Map()): Windows {
    const { store, config } = this.workplace;
    const { name, since = "" } = this.target;
    const closedThrough = await store.read(() => closedThroughNow(config));
    const from = await store.read(() => gotUpTo(name));
    this.last = await store.read(() => lastEntrySeq());
    const month = this.period === undefined ? "" : `${this.period}-`;
    const isAsked = ({ entry: { bookDay, sourceId } }: PostedEntry) =>
      bookDay >= since && bookDay.startsWith(month) && !held.has(sourceId);
    for await (const window of inWindows<PostedEntry>(store, (last) =>
      listDueAfter(name, last?.seq ?? from, EXPORTED_TOGETHER),
    )) {
      const shown = await onOpenDays(store, name, window, closedThrough);
      this.firstLeft ??= shown.find((posted) => !isAsked(posted))?.seq;
      yield shown.filter(isAsked);
    }
  }

  /** After the last window: once the target gets the entries of all windows, it has all up to this one. */
  get reach(): number {
    return this.firstLeft === undefined ? this.last : this.firstLeft - 1;
  }
}

async function onOpenDays(
  store: Store,
  target: string,
  window: readonly PostedEntry[],
  closedThrough: Day | undefined,
): Promise<readonly PostedEntry[]> {
  const closed = window.filter(({ entry }) => entry.bookDay <= (closedThrough ?? "")).map(({ seq }) => seq);
  if (closed.length === 0) return window;
  const refused = await store.read(() => listRefusedBefore(target, closed));
  return window.map((posted) =>
    onDay(
      posted,
      refused.has(posted.seq) ? firstOpenDay(posted.entry.bookDay, { closedThrough }) : undefined,
    ),
  );
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

/** Throws LEDGER_CURRENCY_CHANGED. */
export async function readJournal({ store, config }: Workplace, windows: Windows): Promise<Journal> {
  const order = new JournalOrder();
  const sums = new LedgerSums(config.ledger.functionalCurrency);
  const shownDay = new Map<number, Day>();
  let lines = 0;
  for await (const window of windows) {
    sums.add(window.map(({ entry }) => entry));
    for (const { seq, entry, shownDay: day } of window) {
      if (day !== undefined) shownDay.set(seq, day);
      order.add(seq, entry);
      lines += entry.lines.length;
    }
  }
  return { seqs: await orderedSeqs(store, order), shownDay, lines, balance: sums.trialBalance() };
}

/** Day by day, into one array of the right length. */
async function orderedSeqs(store: Store, order: JournalOrder): Promise<Float64Array> {
  const all = new Float64Array(order.size);
  let from = 0;
  for (const day of order.days()) {
    await orderRuns(store, day);
    all.set(day.seqs, from);
    from += day.seqs.length;
  }
  return all;
}

/** Orders the entries that one instant has by their names, as with several movements of one transaction. */
async function orderRuns(store: Store, { seqs, runs }: OrderedDay): Promise<void> {
  for (const some of chunks(runs, RUNS_TOGETHER)) {
    const names = new Map<number, EntryName>();
    for (const ofRuns of chunks(
      some.flatMap(({ from, to }) => seqs.slice(from, to)),
      ITEMS_PER_STATEMENT,
    ))
      for (const name of await store.read(() => listNamesOf(ofRuns))) names.set(name.seq, name);
    const nameOf = (seq: number): EntryName => {
      const name = names.get(seq);
      invariant(name !== undefined, `entry ${seq} is no longer there`);
      return name;
    };
    for (const { from, to } of some) {
      const run = seqs.slice(from, to).sort((a, b) => compareOfOneMoment(nameOf(a), nameOf(b)));
      for (const [index, seq] of run.entries()) seqs[from + index] = seq;
    }
  }
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
