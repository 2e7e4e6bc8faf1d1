/** Renders a baseline: the opening balances, and what existed when they were taken. */
import { formatAmount } from "../../money/index.ts";
import type { BaselineReport } from "../../pipeline/baseline-step.ts";
import type { Colors } from "../output.ts";
import { counted } from "./counted.ts";
import { lines } from "./lines.ts";
import { problemLines } from "./problem-text.ts";
import type { NameOf } from "./wire-text.ts";

export function baselineText(report: BaselineReport, colors: Colors, nameOf: NameOf): string {
  const { openings, payoutsBooked, depositsBooked, strangersOpen, isAtRest, problems } = report;
  const bothCounted = (payouts: number, deposits: number) =>
    `${counted(payouts, "payout")}, ${counted(deposits, "deposit")}`;
  return lines(
    ...openings.map(
      ({ custodyAccountId, total }) =>
        `opening balance of ${nameOf(custodyAccountId)}: ${formatAmount(total)}`,
    ),
    `before our time: ${bothCounted(report.payoutsBefore, report.depositsBefore)}`,
    payoutsBooked + depositsBooked > 0 &&
      `in the opening balances, but booked anyway: ${bothCounted(payoutsBooked, depositsBooked)}`,
    strangersOpen > 0 &&
      `on their way then: ${counted(strangersOpen, "payout")} that no file asked for; followed and booked, without an alarm`,
    !isAtRest &&
      "Money moved while this was taken, so a balance may never tie: take the baseline again when less moves.",
    ...problemLines(problems, colors),
  );
}
