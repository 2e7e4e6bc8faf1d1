/**
 * Compares what we asked for with what the service shows, in both directions, and proves the balances.
 * The same input gives the same answer in the same order; it reads no clock, asks nothing and decides nothing.
 */
import { fault } from "../faults/index.ts";
import {
  addControlTotals,
  type Break,
  type BreakSeverity,
  controlTotals,
  formatControlTotals,
  type Instruction,
  sameControlTotals,
} from "../model/index.ts";
import { proveBalances } from "./balance-proof.ts";
import { breaksOf, type Scene } from "./breaks/break-rule.ts";
import { BREAK_RULES, KIND_ORDER } from "./breaks/index.ts";
import { type Matching, matchPayouts } from "./match.ts";
import type {
  Reconciliation,
  ReconciliationInput,
  ReconciliationPolicy,
  ReconciliationTotals,
} from "./reconciliation.ts";

/**
 * Every difference between instructions and observations as a break, with the matches, the balance proof and totals.
 * Throws TOTALS_DO_NOT_TIE when an instruction or a payout would be lost on the way.
 */
export function reconcile(input: ReconciliationInput, policy: ReconciliationPolicy): Reconciliation {
  const gathered = { ...input, payouts: [...input.payouts], deposits: [...input.deposits] };
  const { deposits } = gathered;
  const matching = matchPayouts(gathered, policy.correlation);
  const balanceProof = proveBalances(gathered, policy);
  const scene: Scene = {
    ...matching,
    deposits: deposits.filter((deposit) => !input.ignoredDepositIds.has(deposit.depositId)),
    balanceProof,
    departures: input.departures ?? new Map(),
    notShown: notShownOf(input),
    paidAgain: input.paidAgain ?? new Map(),
    policy,
  };
  const breaks = BREAK_RULES.flatMap((rule) => breaksOf(rule, scene)).sort(inReportOrder);
  const totals = totalsOf(matching, breaks, {
    seen: deposits.length,
    beforeBaseline: deposits.length - scene.deposits.length,
  });
  return { matches: matching.matches, breaks, balanceProof, totals };
}

/** What was there before the baseline may go. */
function notShownOf({
  notShown = new Map(),
  ignoredPayoutIds,
  ignoredDepositIds,
}: ReconciliationInput): Scene["notShown"] {
  const ignored = new Set<string>([...ignoredPayoutIds, ...ignoredDepositIds]);
  return new Map([...notShown].filter(([id]) => !ignored.has(id)));
}

const SEVERITY_ORDER: readonly BreakSeverity[] = ["alarm", "warning", "note"];

function inReportOrder(left: Break, right: Break): number {
  return (
    SEVERITY_ORDER.indexOf(left.severity) - SEVERITY_ORDER.indexOf(right.severity) ||
    KIND_ORDER.indexOf(left.kind) - KIND_ORDER.indexOf(right.kind) ||
    (left.id < right.id ? -1 : 1)
  );
}

function totalsOf(
  matching: Matching,
  breaks: readonly Break[],
  deposits: ReconciliationTotals["deposits"],
): ReconciliationTotals {
  const { accepted, matches, missing, duplicates, unexpected, beforeBaseline, seen } = matching;
  const countOf = (severity: BreakSeverity) => breaks.filter((one) => one.severity === severity).length;
  const totals: ReconciliationTotals = {
    accepted: totalOf(accepted),
    matched: totalOf(
      matches.map(({ instruction }) => instruction).filter(({ standing }) => standing === "accepted"),
    ),
    missing: totalOf(missing),
    payouts: {
      seen,
      matched: matches.length,
      duplicate: duplicates.length,
      unexpected: unexpected.length,
      beforeBaseline,
    },
    deposits,
    breaks: { alarm: countOf("alarm"), warning: countOf("warning"), note: countOf("note") },
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
