/**
 * The entries of an export batch in journal order. Only what decides their order is in memory: the entries themselves
 * are read from the store in windows.
 */
import { inJournalOrder, type JournalPlace, LedgerSums, type TrialBalance } from "../../ledger/index.ts";
import { chunks } from "../../model/chunks.ts";
import type { JournalEntry } from "../../model/index.ts";
import { listEntriesOf, listExportedAfter, type PostedEntry } from "../../store/ledger-entries.ts";
import type { Store } from "../../store/store.ts";
import { inWindows } from "../../store/windows.ts";
import type { Workplace } from "../workplace/workplace.ts";

export interface Journal {
  /** Of its entries, in journal order. */
  readonly seqs: readonly number[];
  readonly balance: TrialBalance;
}

const ENTRIES_TOGETHER = 250;

/** The entries of an export batch; `batch` undefined: those that are in none. In the order of their posting. */
export function exportedWindows(
  store: Store,
  batch: number | undefined,
): AsyncGenerator<readonly PostedEntry[]> {
  return inWindows(store, (last) => listExportedAfter(batch, last?.seq ?? 0, ENTRIES_TOGETHER));
}

/** Throws LEDGER_CURRENCY_CHANGED. */
export async function readJournal({ store, config }: Workplace, batch: number | undefined): Promise<Journal> {
  const places: (JournalPlace & Pick<PostedEntry, "seq">)[] = [];
  const sums = new LedgerSums(config.ledger.functionalCurrency);
  for await (const window of exportedWindows(store, batch)) {
    sums.add(window.map(({ entry }) => entry));
    for (const { seq, entry } of window) {
      const { bookDay, valueInstant, kind, factId, revision, entryId } = entry;
      places.push({ seq, bookDay, valueInstant, kind, factId, revision, entryId });
    }
  }
  return { seqs: inJournalOrder(places).map(({ seq }) => seq), balance: sums.trialBalance() };
}

/** The entries in journal order, in windows. */
export async function* inOrder(store: Store, { seqs }: Journal): AsyncGenerator<readonly JournalEntry[]> {
  for (const some of chunks(seqs, ENTRIES_TOGETHER)) {
    const posted = await store.read(() => listEntriesOf(some));
    const entryBySeq = new Map(posted.map(({ seq, entry }) => [seq, entry]));
    yield some.flatMap((seq) => entryBySeq.get(seq) ?? []);
  }
}
