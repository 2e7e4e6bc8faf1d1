/** The totals of a comparison, which prove that nothing was lost on the way. */
import { invariant } from "../../faults/index.ts";
import {
  addControlTotals,
  type Break,
  type BreakSeverity,
  type ControlTotal,
  controlTotals,
  formatControlTotals,
  type Instruction,
  type ObservedPayout,
  type PayoutId,
  payoutStateMeaning,
  RunningTotals,
  sameControlTotals,
} from "../../model/index.ts";
import type { Matching } from "./match.ts";
import { PAYOUT_CLASSES, type PayoutClass, type ReconciliationTotals } from "./reconciliation.ts";

/** The sums of accepted payments by the class of their payout. */
export class TotalsByClass {
  private readonly sums = new Map<PayoutClass, RunningTotals>();

  add(payoutClass: PayoutClass, { fields }: Instruction): void {
    this.sumOf(payoutClass).add(fields.amount);
  }

  addTotals(payoutClass: PayoutClass, totals: readonly ControlTotal[]): void {
    for (const total of totals) this.sumOf(payoutClass).addTotal(total);
  }

  of(payoutClass: PayoutClass): ControlTotal[] {
    return this.sumOf(payoutClass).totals();
  }

  private sumOf(payoutClass: PayoutClass): RunningTotals {
    const sum = this.sums.get(payoutClass) ?? new RunningTotals();
    this.sums.set(payoutClass, sum);
    return sum;
  }
}

/**
 * Elements that were only counted: payments by class, to which the others are added; payouts of cleared ones, and
 * set-aside ones.
 */
interface Counted {
  readonly payments: TotalsByClass;
  readonly payouts: number;
  readonly setAside: number;
}

/** `classes`: of the other payouts, unless they differ. Throws INVARIANT_BROKEN. */
export function totalsOf(
  matching: Matching,
  breaks: readonly Break[],
  classes: ReadonlyMap<PayoutId, PayoutClass>,
  counted: Counted,
  deposits: ReconciliationTotals["deposits"],
): ReconciliationTotals {
  const { accepted, matches, missing, duplicates, unexpected, beforeBaseline, seen } = matching;
  const { payments } = counted;
  const others = controlTotals(accepted.map(({ fields }) => fields.amount));
  const all = addControlTotals(...PAYOUT_CLASSES.map((each) => payments.of(each)), others);
  const classOf = classBy(breaks, classes);
  for (const { instruction, payout } of matches)
    if (instruction.standing === "accepted") payments.add(classOf(payout), instruction);
  for (const instruction of missing) payments.add("notShown", instruction);
  const countBreaks = (severity: BreakSeverity) => breaks.filter((each) => each.severity === severity).length;
  const totals: ReconciliationTotals = {
    accepted: all,
    shown: addControlTotals(payments.of("agree"), payments.of("differ")),
    agree: payments.of("agree"),
    differ: payments.of("differ"),
    notShown: payments.of("notShown"),
    undecided: payments.of("undecided"),
    gone: payments.of("gone"),
    payouts: {
      seen: counted.payouts + counted.setAside + seen,
      ofPayments: counted.payouts + matches.length,
      duplicate: duplicates.length,
      unexpected: unexpected.length,
      beforeBaseline: counted.setAside + beforeBaseline,
    },
    deposits,
    breaks: {
      alarm: countBreaks("alarm"),
      warning: countBreaks("warning"),
      note: countBreaks("note"),
    },
  };
  assertTied(totals);
  return totals;
}

/** A failed payout never agrees, even if its payment is paid again and there is no break. */
function classBy(breaks: readonly Break[], classes: ReadonlyMap<PayoutId, PayoutClass>) {
  const inBreak = new Set(breaks.flatMap(({ payoutId }) => payoutId ?? []));
  return ({ payoutId, state }: ObservedPayout): PayoutClass => {
    const payoutClass = classes.get(payoutId) ?? "agree";
    const differs = inBreak.has(payoutId) || payoutStateMeaning(state) === "failed";
    return payoutClass === "agree" && differs ? "differ" : payoutClass;
  };
}

function assertTied(totals: ReconciliationTotals): void {
  const { accepted, payouts } = totals;
  const found = addControlTotals(...PAYOUT_CLASSES.map((each) => totals[each]));
  const [left, right] = [formatControlTotals(accepted), formatControlTotals(found)];
  invariant(sameControlTotals(accepted, found), `accepted instructions: ${left}, compared: ${right}`);
  const sorted = payouts.ofPayments + payouts.duplicate + payouts.unexpected + payouts.beforeBaseline;
  invariant(payouts.seen === sorted, `payouts seen: ${payouts.seen}, compared: ${sorted}`);
}
