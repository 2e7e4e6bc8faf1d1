/**
 * The entries of an export batch in journal order. Only what decides their order is in memory: the entries themselves
 * are read from the store in windows.
 */
import type { Problem } from "../../faults/index.ts";
import { chunks } from "../../model/chunks.ts";
import type { JournalEntry } from "../../model/index.ts";
import type { Workplace } from "../../pipeline/workplace/workplace.ts";
import { listEntriesOf, listExportedAfter, type PostedEntry } from "../../store/ledger-entries.ts";
import type { Store } from "../../store/store.ts";
import { inWindows } from "../../store/windows.ts";
import { ledgerPolicy } from "../ledger-policy.ts";
import { inJournalOrder, type JournalPlace } from "../rules/journal-entries.ts";
import { whereOfEntry } from "../rules/post-facts.ts";
import { LedgerSums, type TrialBalance } from "../rules/trial-balance.ts";

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

/**
 * Why files for ERPs cannot hold entries that are in no batch, by payout or deposit: the configuration has changed since
 * they were posted.
 */
export async function unfittingSources(workplace: Workplace): Promise<ReadonlyMap<string, Problem>> {
  const { unfitting } = ledgerPolicy(workplace);
  const found = new Map<string, Problem>();
  if (workplace.config.ledger.exports.length === 0) return found;
  for await (const window of exportedWindows(workplace.store, undefined))
    for (const { entry } of window) {
      const unfit = unfitting(entry);
      if (unfit !== undefined) found.set(entry.sourceId, { ...unfit, ...whereOfEntry(entry) });
    }
  return found;
}

/** `held`: the payouts and deposits whose entries are left out. Throws LEDGER_CURRENCY_CHANGED. */
export async function readJournal(
  { store, config }: Workplace,
  batch: number | undefined,
  held: ReadonlyMap<string, Problem> = new Map(),
): Promise<Journal> {
  const places: (JournalPlace & Pick<PostedEntry, "seq">)[] = [];
  const sums = new LedgerSums(config.ledger.functionalCurrency);
  for await (const posted of exportedWindows(store, batch)) {
    const window = posted.filter(({ entry }) => !held.has(entry.sourceId));
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
