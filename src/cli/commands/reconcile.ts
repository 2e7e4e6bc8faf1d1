/** `paydrop reconcile` and `paydrop reconcile baseline` */
import { formatAmount } from "../../money/index.ts";
import { baselineStep } from "../../pipeline/baseline-step.ts";
import { countDoubts, listDoubts } from "../../pipeline/doubt-step.ts";
import { reconcileStep } from "../../pipeline/reconcile-step.ts";
import { custodyNames } from "../../pipeline/workplace/custody-accounts.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { personAtTerminal } from "../person-at-terminal.ts";
import { counted } from "../render/counted.ts";
import { openText } from "../render/pay-text.ts";
import { problemLines } from "../render/problem-text.ts";
import { reconciliationText } from "../render/reconciliation-text.ts";
import { inWorkplace, type Session } from "../session.ts";
import { needsSomebody } from "./breaks.ts";

/** Exits with 4 if a break needs a person, or if any outcome is unknown, since then no comparison can match. */
export function reconcileCommand(session: Session): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const report = await reconcileStep(workplace);
    const open = countDoubts(await listDoubts(workplace));
    session.output.answer({ ...report, open }, () =>
      [
        reconciliationText(report, session.output.colors, custodyNames(workplace.config)),
        ...openText(open),
      ].join("\n"),
    );
    const isOpen = open > 0 || report.problems.length > 0 || needsSomebody({ open: report.openBreaks });
    return isOpen ? EXIT.personNeeded : EXIT.done;
  });
}

/** Exits with 4 if something could not be read, and so is not in the baseline, or if money kept moving. */
export function baselineCommand(session: Session): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const nameOf = custodyNames(workplace.config);
    const report = await baselineStep(workplace, personAtTerminal());
    session.output.answer(report, () =>
      [
        ...report.openings.map(
          ({ custodyAccountId, total }) =>
            `opening balance of ${nameOf(custodyAccountId)}: ${formatAmount(total)}`,
        ),
        `before our time: ${counted(report.payoutsBefore, "payout")}, ${counted(report.depositsBefore, "deposit")}`,
        ...(report.payoutsBooked + report.depositsBooked === 0
          ? []
          : [
              `in the opening balances, but booked anyway: ${counted(report.payoutsBooked, "payout")}, ${counted(report.depositsBooked, "deposit")}`,
            ]),
        ...(report.strangersOpen === 0
          ? []
          : [
              `on their way then: ${counted(report.strangersOpen, "payout")} that no file asked for; followed and booked, without an alarm`,
            ]),
        ...(report.isAtRest
          ? []
          : [
              "Money moved while this was taken, so a balance may never tie: take the baseline again when less moves.",
            ]),
        ...problemLines(report.problems, session.output.colors),
      ].join("\n"),
    );
    return report.problems.length > 0 || !report.isAtRest ? EXIT.personNeeded : EXIT.done;
  });
}
