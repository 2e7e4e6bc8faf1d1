/** Renders a comparison: what matched, what did not, and whether every balance ties. */
import { present } from "../../model/present.ts";
import type { ReconciliationReport } from "../../nights/index.ts";
import type { Sweep } from "../../observation/index.ts";
import type { Colors } from "../output.ts";
import { breaksText, incompleteText } from "./breaks-text.ts";
import { problemLines } from "./problem-text.ts";
import { proofText } from "./proof-text.ts";
import { counted, lines, totalsText } from "./text-parts.ts";
import type { NameOf } from "./wire-text.ts";

export function reconciliationText(report: ReconciliationReport, colors: Colors, nameOf: NameOf): string {
  const { totals, openBreaks, settledBreaks, comparedAt, incomplete, balanceProof, problems } = report;
  const { payoutSweep, depositSweep } = report;
  const isShort = report.look.kind === "short";
  const payouts = seen(isShort, totals.payouts.seen, "payout", payoutSweep);
  const deposits = seen(isShort, totals.deposits.seen, "deposit", depositSweep);
  return lines(
    `Seen:     ${payouts}, ${deposits}`,
    `Accepted: ${totalsText(totals.accepted)}`,
    ...CLASSES.map(([each, name]) => `  ${nameIn(name, isShort).padEnd(20)}${totalsText(totals[each])}`),
    incomplete && incompleteText(incomplete, colors),
    breaksText({ open: openBreaks, settled: settledBreaks, ...present({ incomplete }) }, colors, comparedAt),
    "Balance proof:",
    proofText(
      balanceProof.map(({ custodyAccountId, difference = "unknown", ...row }) => ({
        ...row,
        account: nameOf(custodyAccountId),
        difference,
      })),
    ),
    ...problemLines(problems, colors),
  );
}

const CLASSES = [
  ["shown", "shown tonight:"],
  ["agree", "  agree:"],
  ["differ", "  differ:"],
  ["notShown", "not shown:"],
  ["undecided", "undecided:"],
  ["gone", "finished and gone:"],
] as const;

/** A payout that a short night did not ask for is in the class of its last sighting. */
function nameIn(name: string, isShort: boolean): string {
  return isShort ? name.replace("shown tonight", "shown") : name;
}

function seen(isShort: boolean, count: number, what: string, { pagesRead, elementsSeen }: Sweep): string {
  return isShort
    ? `${elementsSeen} of ${counted(count, what)}`
    : `${counted(count, what)} on ${counted(pagesRead, "page")}`;
}
