/**
 * Posts settled facts, each once. If a fact has changed so that it is booked differently, its entry is reversed and
 * posted again. If it can no longer be booked, or is gone, its entry stays and is reported. Only settled movements are
 * posted; nothing is accrued.
 */
import { invariant, isProblem, type Problem, problem } from "../faults/index.ts";
import type { Fact, JournalEntry } from "../model/index.ts";
import { present } from "../model/present.ts";
import { postApply } from "./apply-posting.ts";
import { unbookable } from "./bookable.ts";
import type { Chart } from "./chart.ts";
import { contentHash } from "./content-hash.ts";
import { type Derived, unclear, whereOf } from "./derived.ts";
import { checkBalance, inJournalOrder, liveEntries } from "./journal-entries.ts";
import { postPayout } from "./payout-posting.ts";
import { bookDays, type LedgerPolicy } from "./policy.ts";
import type { Posting } from "./posting.ts";
import { postReceipt } from "./receipt-posting.ts";
import { reverseEntry } from "./reverse-entry.ts";

export interface Posted {
  /** New entries in journal order; each balances. */
  readonly entries: readonly JournalEntry[];
  /** Of what is held only what has no entry that stands: what has one is told with it, among the problems. */
  readonly held: readonly Problem[];
  readonly problems: readonly Problem[];
}

/**
 * Entries for facts that are new or changed. `derived` must be everything of the payouts and deposits concerned,
 * `alreadyPosted` all their entries so far, reversals included. Throws INVARIANT_BROKEN if a rule here is wrong.
 */
export function postFacts(
  { facts, held, bookedTwice }: Omit<Derived, "notBooked">,
  alreadyPosted: readonly JournalEntry[],
  chart: Chart,
  policy: LedgerPolicy,
): Posted {
  const live = liveEntries(alreadyPosted);
  const revisionsOf = Map.groupBy(alreadyPosted, ({ factId }) => factId);
  const nextRevision = (factId: string) =>
    1 + Math.max(0, ...(revisionsOf.get(factId) ?? []).map(({ revision }) => revision));
  const { gone, twice } = withoutFact(facts, bookedTwice, live);
  const heldSources = new Set(gone.filter(isReceipt).map(({ sourceId }) => sourceId));
  const heldOf = Map.groupBy(held, ({ payoutId, depositId }) => payoutId ?? depositId);
  const problems = gone.map((entry) => goneProblem(entry, heldOf.get(entry.sourceId)));
  const entries: JournalEntry[] = [];
  const reverse = (posted: JournalEntry, isAsked: boolean) => {
    const told = isAsked ? [reversedProblem(posted)] : [];
    entries.push({ ...reverseEntry(posted, policy), ...questionsOf(told) });
    problems.push(...told);
  };
  for (const posted of twice) reverse(posted, true);
  for (const fact of facts) {
    const posted = live.get(fact.factId);
    if (posted?.contentHash === fact.contentHash) continue;
    if (heldSources.has(sourceIdOf(fact))) continue;
    const told = (why: Problem) =>
      problems.push(posted === undefined ? { ...why, ...whereOf(fact) } : goneProblem(posted, [why]));
    const posting = postFact(fact, chart, policy);
    if (isProblem(posting)) {
      told(posting);
      continue;
    }
    const entry = entryOf(fact, posting, nextRevision(fact.factId), policy);
    if (posted !== undefined && booksTheSame(posted, entry)) continue;
    const unfit = policy.unfitting(entry);
    if (unfit !== undefined) {
      told(unfit);
      // An apply without its receipts would leave deposits clearing with what nobody paid.
      heldSources.add(sourceIdOf(fact));
      continue;
    }
    if (posted !== undefined) reverse(posted, posted.questions !== undefined);
    entries.push(entry);
    problems.push(...posting.problems);
  }
  for (const entry of entries) checkBalance(entry);
  const withEntry = new Set<string | undefined>(gone.map(({ sourceId }) => sourceId));
  const others = held.filter(({ payoutId, depositId }) => !withEntry.has(payoutId ?? depositId));
  return { entries: inJournalOrder(entries), held: others, problems };
}

export function postFact(fact: Fact, chart: Chart, policy: LedgerPolicy): Posting | Problem {
  const posting = postingOf(fact, chart, policy);
  const reason = isProblem(posting) ? undefined : unbookable(posting.lines);
  return reason === undefined ? posting : unclear(fact, reason);
}

function postingOf(fact: Fact, chart: Chart, policy: LedgerPolicy): Posting | Problem {
  switch (fact.kind) {
    case "payout":
      return postPayout(fact, chart, policy);
    case "deposit-receipt":
      return postReceipt(fact, chart, policy);
    case "deposit-apply":
      return postApply(fact, chart, policy);
  }
}

export function entryOf(fact: Fact, posting: Posting, revision: number, policy: LedgerPolicy): JournalEntry {
  const { problems, ...booking } = posting;
  return {
    entryId: `${fact.factId}:${revision}`,
    factId: fact.factId,
    revision,
    contentHash: fact.contentHash,
    sourceId: sourceIdOf(fact),
    sourceState: fact.sourceState,
    reference: fact.reference,
    orderId: fact.orderId,
    ...bookDays(fact.settledAt, policy),
    valueInstant: fact.settledAt,
    txHash: txHashOf(fact),
    currency: policy.functionalCurrency,
    ...booking,
    ...questionsOf(problems),
  };
}

function questionsOf(problems: readonly Problem[]): Pick<JournalEntry, "questions"> {
  return problems.length === 0
    ? {}
    : { questions: problems.map(({ code, message, fix }) => ({ code, message, fix })) };
}

/** What was done in the ERP because of an entry stands there, where it would now count twice. */
function reversedProblem({ entryId, ...entry }: JournalEntry): Problem {
  return problem("LEDGER_QUESTION_REVERSED", { entryId }, whereOfEntry(entry));
}

/**
 * The change does not affect the entry, like the rate of a receipt that is booked at the fixed rate. Accounts are compared
 * by what they are for, if both are mapped: a chart that has changed since is no correction, and maps later entries only.
 */
function booksTheSame(posted: JournalEntry, entry: JournalEntry): boolean {
  if (contentHash(bookingOf(posted)) !== contentHash(bookingOf(entry))) return false;
  return posted.lines.every(({ accountKey: before }, index) => {
    const now = entry.lines[index]?.accountKey;
    return before === now || before === "suspense" || now === "suspense";
  });
}

function bookingOf(entry: JournalEntry): object {
  const { entryId: _id, revision: _revision, contentHash: _hash, sourceState: _state, ...others } = entry;
  const { bookDay: _day, questions: _questions, lines, ...booking } = others;
  return { ...booking, lines: lines.map(({ account: _account, accountKey: _key, ...line }) => line) };
}

/**
 * Entries in force without a fact. `gone`: the service now denies the settled movement, or shows it differently. The
 * apply of a deposit that is still COMPLETED is not gone: it waits while part of the deposit is held, such as a further
 * receipt that is not confirmed yet. `twice`: another entry books the movement since, so they and their apply end.
 */
function withoutFact(
  facts: readonly Fact[],
  bookedTwice: readonly string[],
  live: ReadonlyMap<string, JournalEntry>,
): Readonly<Record<"gone" | "twice", JournalEntry[]>> {
  const factIds = new Set(facts.map((fact) => fact.factId));
  invariant(factIds.size === facts.length, "each fact is given once");
  const completed = new Set(facts.filter(({ sourceState }) => sourceState === "COMPLETED").map(sourceIdOf));
  const sourcesTwice = new Set(bookedTwice.flatMap((factId) => live.get(factId)?.sourceId ?? []));
  const entries = [...live.values()].filter(({ factId }) => !factIds.has(factId));
  const isTwice = ({ kind, factId, sourceId }: JournalEntry) =>
    bookedTwice.includes(factId) || (kind === "deposit-apply" && sourcesTwice.has(sourceId));
  const waits = ({ kind, sourceId }: JournalEntry) => kind === "deposit-apply" && completed.has(sourceId);
  return {
    gone: entries.filter((entry) => !isTwice(entry) && !waits(entry)),
    twice: entries.filter(isTwice),
  };
}

/** The same money may reappear under another key, so posting more of the deposit could book it twice. */
function isReceipt({ kind }: JournalEntry): boolean {
  return kind === "deposit-receipt";
}

/** `reasons`: why what is shown now cannot be booked. By themselves they would advise to book by hand what is booked. */
function goneProblem({ entryId, ...entry }: JournalEntry, reasons: readonly Problem[] = []): Problem {
  const now = reasons.length === 0 ? "" : ` (${reasons.map(({ message }) => message).join("; ")})`;
  return problem("LEDGER_POSTED_FACT_GONE", { entryId, now }, whereOfEntry(entry));
}

export function whereOfEntry({
  kind,
  sourceId,
  reference,
}: Pick<JournalEntry, "kind" | "sourceId" | "reference">) {
  const id = kind.startsWith("deposit") ? { depositId: sourceId } : { payoutId: sourceId };
  return { ...id, ...present({ reference }) };
}

function sourceIdOf(fact: Fact): string {
  return fact.kind === "payout" ? fact.payoutId : fact.depositId;
}

function txHashOf(fact: Fact): string | undefined {
  if (fact.kind === "payout") return fact.txHash;
  return fact.kind === "deposit-receipt" ? fact.part.txHash : undefined;
}
