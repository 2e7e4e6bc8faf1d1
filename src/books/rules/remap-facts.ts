/**
 * Entries with a line on suspense that the chart of accounts would now book elsewhere: each is reversed and booked
 * again, by a person's decision. Posting never does that by itself (`booksTheSame`).
 */
import { isProblem, type Problem } from "../../faults/index.ts";
import type { Fact, JournalEntry, JournalLine } from "../../model/index.ts";
import type { Chart } from "../chart/look-up.ts";
import { checkBalance, liveEntries } from "./journal-entries.ts";
import type { LedgerPolicy } from "./policy.ts";
import { entryOf, postFact, reversalOf } from "./post-facts.ts";

export interface Remapped {
  /** In force until now. */
  readonly posted: JournalEntry;
  readonly reversal: JournalEntry;
  readonly entry: JournalEntry;
}

/**
 * `facts`: as posting derives them; a fact that has changed since it was booked is left to the next posting.
 * `posted`: all entries of their payouts and deposits. `held`: why ERPs' files could not hold the new bookings.
 */
export function remapFacts(
  facts: readonly Fact[],
  posted: readonly JournalEntry[],
  chart: Chart,
  policy: LedgerPolicy,
): { readonly remapped: readonly Remapped[]; readonly held: readonly Problem[] } {
  const live = liveEntries(posted);
  const revisionsOf = Map.groupBy(posted, ({ factId }) => factId);
  const remapped: Remapped[] = [];
  const held: Problem[] = [];
  for (const fact of facts) {
    const before = live.get(fact.factId);
    if (before === undefined || before.contentHash !== fact.contentHash || !isOnSuspense(before)) continue;
    const posting = postFact(fact, chart, policy);
    if (isProblem(posting)) continue;
    const revision = 1 + Math.max(...(revisionsOf.get(fact.factId) ?? []).map((each) => each.revision));
    const entry = entryOf(fact, posting, revision, policy);
    if (suspenseLines(entry).length >= suspenseLines(before).length) continue;
    const unfit = policy.unfitting(entry);
    if (unfit !== undefined) held.push(unfit);
    else {
      const { reversal } = reversalOf(before, before.questions !== undefined, policy);
      remapped.push({ posted: before, reversal, entry });
    }
  }
  for (const { reversal, entry } of remapped) for (const each of [reversal, entry]) checkBalance(each);
  return { remapped, held };
}

export function isOnSuspense(entry: JournalEntry): boolean {
  return suspenseLines(entry).length > 0;
}

export function suspenseLines({ lines }: JournalEntry): readonly JournalLine[] {
  return lines.filter(({ accountKey }) => accountKey === "suspense");
}
