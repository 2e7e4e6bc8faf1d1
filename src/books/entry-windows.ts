/** The journal in windows, in the order of posting. It grows over years, so it is never in memory as a whole. */
import { listEntriesAfter, type PostedEntry } from "../store/ledger-entries.ts";
import type { Store } from "../store/store.ts";
import { inWindows } from "../store/windows.ts";

export const ENTRIES_TOGETHER = 1_000;

export function entryWindows(store: Store): AsyncGenerator<readonly PostedEntry[]> {
  return inWindows<PostedEntry>(store, (last) => listEntriesAfter(last?.seq ?? 0, ENTRIES_TOGETHER));
}
