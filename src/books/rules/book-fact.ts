/** The entry that books a fact, and the mirror that reverses an entry: a posted entry is never changed. */
import { isProblem, type Problem, problem } from "../../faults/index.ts";
import { type Fact, type JournalEntry, type JournalLine, sourceKindOf } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import type { Decimal } from "../../money/index.ts";
import type { Chart } from "../chart/look-up.ts";
import { postApply } from "./apply-posting.ts";
import { unclear } from "./derived.ts";
import { postPayout } from "./payout-posting.ts";
import { bookDays, firstOpenDay, type LedgerPolicy } from "./policy.ts";
import type { Posting } from "./posting.ts";
import { postReceipt } from "./receipt-posting.ts";

export interface Booked {
  readonly entry: JournalEntry;
  /** Problems to report although the fact is booked; the entry has them as questions. */
  readonly problems: readonly Problem[];
}

/** Returns the problem that prevents the booking. */
export function bookFact(fact: Fact, revision: number, chart: Chart, policy: LedgerPolicy): Booked | Problem {
  const posting = postingOf(fact, chart, policy);
  if (isProblem(posting)) return posting;
  const reason = unbookable(posting.lines);
  if (reason !== undefined) return unclear(fact, reason);
  const { problems, ...booking } = posting;
  const entry = {
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
  return { entry, problems };
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

export function sourceIdOf(fact: Fact): string {
  return fact.kind === "payout" ? fact.payoutId : fact.depositId;
}

function txHashOf(fact: Fact): string | undefined {
  if (fact.kind === "payout") return fact.txHash;
  return fact.kind === "deposit-receipt" ? fact.part.txHash : undefined;
}

/** More than any real currency needs, and half of what hledger and ledger can hold. */
const WHOLE_DIGITS_MAX = 18;

/** The maximum that a currency can be configured with. */
const FRACTION_DIGITS_MAX = 30;

/** Why the figures cannot be money: a fee of 1e400 would balance, but programs could not read the file. */
function unbookable(lines: readonly JournalLine[]): string | undefined {
  const figures = lines.flatMap(({ debit, credit, quantity }) => [debit, credit, quantity?.value]);
  return figures.map((figure) => figure && tooLong(figure)).find((reason) => reason !== undefined);
}

function tooLong(figure: Decimal): string | undefined {
  const [whole = "", fraction = ""] = figure.absolute().normalized().toString().split(".");
  if (whole.length <= WHOLE_DIGITS_MAX && fraction.length <= FRACTION_DIGITS_MAX) return undefined;
  return `it comes to a figure with ${whole.length} digits before the point and ${fraction.length} after it`;
}

/**
 * Booked on the entry's own day, or on the first open day if that period has been closed since. A problem says so if
 * a person may have booked by hand because of the entry, which would now count twice: if it has questions, or if
 * `wasReported`.
 */
export function reversalOf(
  posted: JournalEntry,
  policy: Pick<LedgerPolicy, "closedThrough">,
  wasReported = false,
): Booked {
  const { questions, ...entry } = posted;
  const { entryId } = entry;
  const problems =
    questions !== undefined || wasReported
      ? [problem("LEDGER_QUESTION_REVERSED", { entryId }, whereOfEntry(entry))]
      : [];
  const reversal: JournalEntry = {
    ...entry,
    entryId: `${entryId}:reverse`,
    kind: `${sourceKindOf(entry)}-reverse`,
    bookDay: firstOpenDay(entry.bookDay, policy),
    reversalOf: entryId,
    narration: `Reversal: ${entry.narration}`,
    lines: entry.lines.map(({ debit, credit, quantity, ...line }) => ({
      ...line,
      // Some ERPs' files have no column for the narration.
      memo: `Reversal: ${line.memo}`,
      debit: credit,
      credit: debit,
      quantity: quantity && { ...quantity, value: quantity.value.negated() },
    })),
    ...questionsOf(problems),
  };
  return { entry: reversal, problems };
}

function questionsOf(problems: readonly Problem[]): Pick<JournalEntry, "questions"> {
  return problems.length === 0
    ? {}
    : { questions: problems.map(({ code, message, fix }) => ({ code, message, fix })) };
}

export function whereOfEntry({
  kind,
  sourceId,
  reference,
}: Pick<JournalEntry, "kind" | "sourceId" | "reference">) {
  const id = sourceKindOf({ kind }) === "deposit" ? { depositId: sourceId } : { payoutId: sourceId };
  return { ...id, ...present({ reference }) };
}
