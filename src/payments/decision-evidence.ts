/**
 * The evidence of an approval: what its approver was shown and accepted. It is stored with the approval because it
 * could not be reconstructed later, when the batch's own payments have become part of the history.
 */
import type { NewDestinations } from "../files/reading/index.ts";
import type { BatchScreening, Question } from "../files/screening/screening.ts";
import type { BatchId, ControlTotal } from "../model/index.ts";
import type { Question as AskedOfFile } from "../model/sheet-reading.ts";
import { Decimal } from "../money/index.ts";
import { listShown } from "../store/batches.ts";
import type { Transaction } from "../store/sql.ts";

/** A warning, with the number of payments concerned. */
export interface CountedWarning {
  readonly code: string;
  readonly message: string;
  readonly count: number;
}

export interface Evidence {
  /** At most `KEPT_MAX` of each code. */
  readonly questions: readonly Question[];
  /** How many questions there were, by code. */
  readonly counts: Readonly<Record<string, number>>;
  /** The questions about how the file was read. */
  readonly open: readonly AskedOfFile[];
  readonly warnings: readonly CountedWarning[];
  readonly newDestinations: NewDestinations;
}

/** As many as a page shows. The signed approval names all rows. */
const KEPT_MAX = 2_000;
const DESTINATIONS_KEPT = 100;

export function countedWarnings(warnings: BatchScreening["warnings"]): readonly CountedWarning[] {
  const byMessage = Map.groupBy(warnings, ({ code, message }) => `${code} ${message}`);
  return [...byMessage.values()].flatMap(({ 0: first, length: count }) =>
    first === undefined ? [] : [{ code: first.code, message: first.message, count }],
  );
}

/** The evidence as it is stored: sums as texts. */
export function evidenceText(screened: BatchScreening, open: readonly AskedOfFile[]): string {
  const byCode = Map.groupBy(screened.questions, ({ code }) => code);
  const { totals, count, destinations } = screened.newDestinations;
  const newDestinations = {
    ...{ totals: totals.map(keptTotal), count },
    destinations: destinations
      .slice(0, DESTINATIONS_KEPT)
      .map((each) => ({ ...each, totals: each.totals.map(keptTotal) })),
  };
  return JSON.stringify({
    questions: [...byCode.values()].flatMap((some) => some.slice(0, KEPT_MAX)),
    counts: Object.fromEntries([...byCode].map(([code, some]) => [code, some.length])),
    open,
    warnings: countedWarnings(screened.warnings).slice(0, KEPT_MAX),
    newDestinations,
  });
}

type KeptTotal = Omit<ControlTotal, "amount"> & { readonly amount: string };

function keptTotal({ amount, ...total }: ControlTotal): KeptTotal {
  return { ...total, amount: amount.toString() };
}

function readTotals(totals: readonly ControlTotal[]): ControlTotal[] {
  return totals.map((total) => ({ ...total, amount: Decimal.of(String(total.amount)) }));
}

function readEvidence(text: string): Evidence {
  const kept = JSON.parse(text) as Evidence;
  const { totals, count, destinations } = kept.newDestinations;
  const read = destinations.map((each) => ({ ...each, totals: readTotals(each.totals) }));
  return { ...kept, newDestinations: { totals: readTotals(totals), count, destinations: read } };
}

/** The evidence of all approvals of a batch, merged; undefined if it was not stored. */
export function* evidenceOf(id: BatchId): Transaction<Evidence | undefined> {
  const all = (yield* listShown(id)).map(readEvidence);
  const [first] = all;
  if (first === undefined) return undefined;
  const questions = all.flatMap((each) => each.questions);
  const once = new Map(questions.map((each) => [`${each.row} ${each.code} ${each.about}`, each]));
  const codes = Object.keys(Object.assign({}, ...all.map(({ counts }) => counts)));
  return {
    ...first,
    questions: [...once.values()],
    counts: Object.fromEntries(
      codes.map((code) => [code, Math.max(...all.map(({ counts }) => counts[code] ?? 0))]),
    ),
    open: [...new Map(all.flatMap(({ open }) => open.map((each) => [each.id, each] as const))).values()],
    warnings: [
      ...new Map(
        all.flatMap(({ warnings }) => warnings.map((each) => [each.message, each] as const)),
      ).values(),
    ],
  };
}
