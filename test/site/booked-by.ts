/** A run of the ledger, with the entries that it has posted. */

import { type LedgerReport, ledgerStep } from "../../src/books/index.ts";
import type { Workplace } from "../../src/index.ts";
import type { JournalEntry } from "../../src/model/index.ts";
import { listEntriesAfter } from "../../src/store/ledger-entries.ts";

export async function bookedBy(
  workplace: Workplace,
): Promise<LedgerReport & { readonly entries: readonly JournalEntry[] }> {
  const before = await allEntries(workplace);
  const report = await ledgerStep(workplace);
  return { ...report, entries: (await allEntries(workplace)).slice(before.length) };
}

async function allEntries({ store }: Workplace): Promise<readonly JournalEntry[]> {
  const posted = await store.read(() => listEntriesAfter(0, Number.MAX_SAFE_INTEGER));
  return posted.map(({ entry }) => entry);
}
