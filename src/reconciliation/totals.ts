/** The totals of a comparison, which prove that nothing was lost on the way. */
import { fault } from "../faults/index.ts";
import {
  addControlTotals,
  type Break,
  type ControlTotal,
  controlTotals,
  formatControlTotals,
  type Instruction,
  sameControlTotals,
} from "../model/index.ts";
import type { Matching } from "./match.ts";
import type { ReconciliationTotals } from "./reconciliation.ts";

/** Cleared payments, which were only counted with their payouts. */
interface Counted {
  readonly amounts: readonly ControlTotal[];
  readonly payouts: number;
}

/** `setAside`: payouts from before the baseline that were only counted. Throws TOTALS_DO_NOT_TIE. */
export function totalsOf(
  matching: Matching,
  breaks: readonly Break[],
  counted: Counted,
  setAside: number,
  deposits: ReconciliationTotals["deposits"],
): ReconciliationTotals {
  const { accepted, matches, missing, duplicates, unexpected, beforeBaseline, seen } = matching;
  const matched = matches
    .map(({ instruction }) => instruction)
    .filter(({ standing }) => standing === "accepted");
  const totals: ReconciliationTotals = {
    accepted: addControlTotals(counted.amounts, totalOf(accepted)),
    matched: addControlTotals(counted.amounts, totalOf(matched)),
    missing: totalOf(missing),
    payouts: {
      seen: counted.payouts + setAside + seen,
      matched: counted.payouts + matches.length,
      duplicate: duplicates.length,
      unexpected: unexpected.length,
      beforeBaseline: setAside + beforeBaseline,
    },
    deposits,
    breaks: {
      alarm: breaks.filter(({ severity }) => severity === "alarm").length,
      warning: breaks.filter(({ severity }) => severity === "warning").length,
      note: breaks.filter(({ severity }) => severity === "note").length,
    },
  };
  assertTied(totals);
  return totals;
}

function totalOf(instructions: readonly Instruction[]) {
  return controlTotals(instructions.map(({ fields }) => fields.amount));
}

function assertTied({ accepted, matched, missing, payouts }: ReconciliationTotals): void {
  const found = addControlTotals(matched, missing);
  if (!sameControlTotals(accepted, found))
    throw fault("TOTALS_DO_NOT_TIE", {
      what: "the accepted instructions in reconciliation",
      left: formatControlTotals(accepted),
      right: formatControlTotals(found),
    });
  const sorted = payouts.matched + payouts.duplicate + payouts.unexpected + payouts.beforeBaseline;
  if (payouts.seen !== sorted)
    throw fault("TOTALS_DO_NOT_TIE", {
      what: "the payouts in reconciliation",
      left: payouts.seen,
      right: sorted,
    });
}
