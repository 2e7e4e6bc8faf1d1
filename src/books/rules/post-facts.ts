/**
 * Posts settled facts, each once. If a fact has changed and is booked differently, its entry is reversed and posted
 * again. If it can no longer be booked, or is gone, its entry stays and is reported. An apply that takes more from
 * deposits clearing than receipts put there does not stay. Only settled movements are posted; nothing is accrued.
 */
import { invariant, isProblem, type Problem, problem } from "../../faults/index.ts";
import { comparableTransaction, type Fact, type JournalEntry, type JournalLine } from "../../model/index.ts";
import type { Chart } from "../chart/look-up.ts";
import { bookFact, reversalOf, sourceIdOf, whereOfEntry } from "./book-fact.ts";
import { clearedApply, overdrawnApplies } from "./clearing.ts";
import { contentHash } from "./content-hash.ts";
import { type Derived, type Replaced, whereOf } from "./derived.ts";
import { checkBalance, inJournalOrder, liveEntries, nextRevisions } from "./journal-entries.ts";
import type { LedgerPolicy } from "./policy.ts";

export interface Posted {
  /** New entries in journal order; each balances. */
  readonly entries: readonly JournalEntry[];
  /** Held facts that have no entry in force. The others are reported under `problems`. */
  readonly held: readonly Problem[];
  readonly problems: readonly Problem[];
}

/**
 * Entries for facts that are new or changed. `derived` must be complete for the payouts and deposits concerned, and
 * `alreadyPosted` must have all their entries so far, reversals included. Throws INVARIANT_BROKEN if a rule here is
 * wrong.
 */
export function postFacts(
  derived: Omit<Derived, "notBooked">,
  alreadyPosted: readonly JournalEntry[],
  chart: Chart,
  policy: LedgerPolicy,
): Posted {
  // The order matters. A deposit with an entry that is gone gets no more entries. Facts that take a receipt over from
  // another deposit are posted before its entries are reversed, and one that could not be posted reverses nothing.
  const { facts, held, bookedTwice, replaced, takenBack } = derived;
  const run = new PostingRun(alreadyPosted, chart, policy);
  // Earlier versions left such applies.
  run.reverseOverdrawn();
  const entriesWithout = (some: readonly Replaced[]) =>
    withoutFact(facts, [...bookedTwice, ...takenBack, ...some.map(({ factId }) => factId)], run.live);
  const takers = new Set(replaced.map(({ by }) => by));
  run.holdSourcesOf(entriesWithout(replaced).gone);
  for (const fact of facts) if (takers.has(fact.factId)) run.post(fact);
  const { gone, ended } = entriesWithout(replaced.filter(({ by }) => run.isInForce(by)));
  run.holdSourcesOf(gone);
  const reported = new Set(bookedTwice.flatMap((factId) => run.live.get(factId)?.sourceId ?? []));
  for (const posted of ended) if (run.stands(posted)) run.reverse(posted, reported.has(posted.sourceId));
  for (const fact of facts) if (!takers.has(fact.factId)) run.post(fact);
  run.reverseOverdrawn();
  for (const entry of run.entries) checkBalance(entry);
  const heldOf = Map.groupBy(held, ({ payoutId, depositId }) => payoutId ?? depositId);
  const standing = gone.filter((entry) => run.stands(entry));
  const goneProblems = standing.map((entry) => goneProblem(entry, heldOf.get(entry.sourceId)));
  const goneSources = new Set<string | undefined>(standing.map(({ sourceId }) => sourceId));
  return {
    entries: inJournalOrder(run.entries),
    held: held.filter(({ payoutId, depositId }) => !goneSources.has(payoutId ?? depositId)),
    problems: [...goneProblems, ...run.problems()],
  };
}

/** Posts facts one after another. Skips a fact whose entry in force says the same. */
class PostingRun {
  readonly entries: JournalEntry[] = [];
  /** The entries in force before the run. */
  readonly live: ReadonlyMap<string, JournalEntry>;
  private readonly revisionOf: (factId: string) => number;
  private readonly chart: Chart;
  private readonly policy: LedgerPolicy;
  /** Deposits that get no more entries in this run. */
  private readonly heldSources = new Set<string>();
  /** By fact, the entries in force by now. */
  private readonly inForce: Map<string, JournalEntry>;
  /** Why an entry could not be booked again is said at the end, when it is known whether it still stands. */
  private readonly said: (() => Problem)[] = [];

  constructor(alreadyPosted: readonly JournalEntry[], chart: Chart, policy: LedgerPolicy) {
    this.live = liveEntries(alreadyPosted);
    this.inForce = new Map(this.live);
    this.revisionOf = nextRevisions(alreadyPosted);
    this.chart = chart;
    this.policy = policy;
  }

  /** The same money may reappear under another key, so more entries of the deposit could book it twice. */
  holdSourcesOf(gone: readonly JournalEntry[]): void {
    for (const { kind, sourceId } of gone) if (kind === "deposit-receipt") this.heldSources.add(sourceId);
  }

  /** Whether the fact has an entry now. */
  isInForce(factId: string): boolean {
    return this.inForce.has(factId);
  }

  stands(entry: JournalEntry): boolean {
    return this.inForce.get(entry.factId) === entry;
  }

  problems(): readonly Problem[] {
    return this.said.map((problemNow) => problemNow());
  }

  reverse(posted: JournalEntry, wasReported = false): void {
    const { entry, problems } = reversalOf(posted, this.policy, wasReported);
    this.entries.push(entry);
    this.inForce.delete(posted.factId);
    this.say(problems);
  }

  /** Some of the receipts of such an apply have gone or brought less, and it cannot be booked again by now. */
  reverseOverdrawn(): void {
    for (const apply of overdrawnApplies([...this.inForce.values()])) this.reverse(apply);
  }

  private say(problems: readonly Problem[]): void {
    this.said.push(...problems.map((each) => () => each));
  }

  post(fact: Fact): void {
    const { factId } = fact;
    const posted = this.inForce.get(factId);
    if (posted?.contentHash === fact.contentHash || this.heldSources.has(sourceIdOf(fact))) return;
    const report = (why: Problem) =>
      this.said.push(() =>
        posted !== undefined && this.stands(posted)
          ? goneProblem(posted, [why])
          : { ...why, ...whereOf(fact) },
      );
    const cleared = fact.kind === "deposit-apply" ? clearedApply(fact, this.inForce) : fact;
    const booked = bookFact(cleared ?? fact, this.revisionOf(factId), this.chart, this.policy);
    if (isProblem(booked)) {
      report(booked);
      return;
    }
    const { entry, problems } = booked;
    if (posted !== undefined && booksTheSame(posted, entry)) return;
    // The problem of the receipt that is not booked has been reported.
    if (cleared === undefined) return;
    const unfit = this.policy.unfitting(entry);
    if (unfit !== undefined) {
      report(unfit);
      // A receipt that is left out leaves out the apply as well.
      this.heldSources.add(sourceIdOf(fact));
      return;
    }
    if (posted !== undefined) this.reverse(posted);
    this.entries.push(entry);
    this.inForce.set(factId, entry);
    this.say(problems);
  }
}

/**
 * Whether the change leaves the entry as it is, for example a new rate for a receipt that is booked at the fixed
 * rate. Accounts are compared by `accountKey`, not by code, and a line on suspense equals any account: a changed chart
 * applies only to later entries. `remapFacts` books the others again.
 */
function booksTheSame(posted: JournalEntry, entry: JournalEntry): boolean {
  if (contentHash(bookingOf(posted)) !== contentHash(bookingOf(entry))) return false;
  return posted.lines.every(({ accountKey: before }, index) => {
    const now = entry.lines[index]?.accountKey;
    return before === now || before === "suspense" || now === "suspense";
  });
}

/** The line without the chart's part: account, dimensions and party. */
function contentOf({
  account: _,
  accountKey: _key,
  dimensions: _own,
  party: _whom,
  ...line
}: JournalLine): object {
  return line;
}

/** Without its days: the same instant has another day only if the time zone or the closed periods have changed. */
function bookingOf(entry: JournalEntry): object {
  const { entryId: _id, revision: _revision, contentHash: _hash, sourceState: _state, ...others } = entry;
  const { bookDay: _day, documentDay: _date, questions: _questions, lines, txHash, ...booking } = others;
  return { ...booking, txHash: txHash && comparableTransaction(txHash), lines: lines.map(contentOf) };
}

/**
 * Entries in force without a fact. `gone`: the service now denies the settled movement, or shows it differently.
 * The apply of a deposit that is still COMPLETED is not gone: it waits while part of the deposit is held, such as
 * an unconfirmed further receipt. `ended`: entries to reverse, with the apply of their deposit, because another entry
 * books the movement now, another deposit lists the receipt, or a decision was taken back.
 */
function withoutFact(
  facts: readonly Fact[],
  endedFacts: readonly string[],
  live: ReadonlyMap<string, JournalEntry>,
): Readonly<Record<"gone" | "ended", JournalEntry[]>> {
  const factIds = new Set(facts.map((fact) => fact.factId));
  invariant(factIds.size === facts.length, "each fact is given once");
  const completed = new Set(facts.filter(({ sourceState }) => sourceState === "COMPLETED").map(sourceIdOf));
  const endedSources = new Set(endedFacts.flatMap((factId) => live.get(factId)?.sourceId ?? []));
  const entries = [...live.values()].filter(({ factId }) => !factIds.has(factId));
  const isEnded = ({ kind, factId, sourceId }: JournalEntry) =>
    endedFacts.includes(factId) || (kind === "deposit-apply" && endedSources.has(sourceId));
  const waits = ({ kind, sourceId }: JournalEntry) => kind === "deposit-apply" && completed.has(sourceId);
  return {
    gone: entries.filter((entry) => !isEnded(entry) && !waits(entry)),
    ended: entries.filter(isEnded),
  };
}

/**
 * `reasons`: why the present version cannot be booked. Without this text they would advise to book by hand an entry
 * that exists.
 */
function goneProblem({ entryId, ...entry }: JournalEntry, reasons: readonly Problem[] = []): Problem {
  const now = reasons.length === 0 ? "" : ` (${reasons.map(({ message }) => message).join("; ")})`;
  return problem("LEDGER_POSTED_FACT_GONE", { entryId, now }, whereOfEntry(entry));
}
