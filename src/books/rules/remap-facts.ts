/**
 * Entries with a line on suspense that the chart of accounts would now book elsewhere: each is reversed and booked
 * again, by a person's decision. Posting never does that by itself (`booksTheSame`).
 */
import { isProblem, type Problem } from "../../faults/index.ts";
import type { Fact, JournalEntry, JournalLine } from "../../model/index.ts";
import type { Chart } from "../chart/look-up.ts";
import { bookFact, reversalOf } from "./book-fact.ts";
import { clearedApply } from "./clearing.ts";
import { checkBalance, liveEntries, nextRevisions } from "./journal-entries.ts";
import type { LedgerPolicy } from "./policy.ts";

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
  const revisionOf = nextRevisions(posted);
  const remapped: Remapped[] = [];
  const held: Problem[] = [];
  for (const fact of facts) {
    const before = live.get(fact.factId);
    if (before?.contentHash !== fact.contentHash || suspenseLines(before).length === 0) continue;
    const asBooked = fact.kind === "deposit-apply" ? clearedApply(fact, live) : fact;
    if (asBooked === undefined) continue;
    const booked = bookFact(asBooked, revisionOf(fact.factId), chart, policy);
    if (isProblem(booked)) continue;
    const { entry } = booked;
    if (suspenseLines(entry).length >= suspenseLines(before).length) continue;
    const unfit = policy.unfitting(entry);
    if (unfit !== undefined) held.push(unfit);
    else remapped.push({ posted: before, reversal: reversalOf(before, policy).entry, entry });
  }
  for (const { reversal, entry } of remapped) for (const each of [reversal, entry]) checkBalance(each);
  return { remapped, held };
}

export function suspenseLines({ lines }: JournalEntry): readonly JournalLine[] {
  return lines.filter(({ accountKey }) => accountKey === "suspense");
}
