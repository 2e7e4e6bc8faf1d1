/** Which entries are in force, of all that were ever posted about some payouts or deposits. */
import { invariant } from "../faults/index.ts";
import type { JournalEntry } from "../model/index.ts";

/** By fact, the entry in force: neither a reversal nor reversed. */
export function liveEntries(alreadyPosted: readonly JournalEntry[]): Map<string, JournalEntry> {
  const reversed = new Set(alreadyPosted.flatMap(({ reversalOf }) => reversalOf ?? []));
  const standing = alreadyPosted.filter(
    ({ entryId, reversalOf }) => reversalOf === undefined && !reversed.has(entryId),
  );
  const live = new Map(standing.map((entry) => [entry.factId, entry]));
  invariant(live.size === standing.length, "a fact has at most one live entry");
  return live;
}
