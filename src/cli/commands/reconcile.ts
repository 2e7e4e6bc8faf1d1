/** `paydrop reconcile`, `reconcile verify` and `reconcile baseline` */
import { applying } from "../../model/applying.ts";
import { formatAmount } from "../../money/index.ts";
import {
  type BaselineReport,
  baselineStep,
  lookSentence,
  type NightAsked,
  type NightRun,
  nightStep,
} from "../../nights/index.ts";
import type { Sweep } from "../../observation/index.ts";
import { countDoubts, listDoubts } from "../../views/doubts.ts";
import { custodyNames } from "../../workplace/custody-accounts.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { personAtTerminal } from "../options.ts";
import type { Colors } from "../output.ts";
import { openText } from "../render/pay-text.ts";
import { problemLines, shown } from "../render/problem-text.ts";
import { reconciliationText } from "../render/reconciliation-text.ts";
import { counted, lines } from "../render/text-parts.ts";
import type { NameOf } from "../render/wire-text.ts";
import { inWorkplace, type Session } from "../session.ts";
import { needsPerson } from "./breaks.ts";

/** Exits with 4 if a break needs a person, or if any outcome is unknown, since then no comparison can match. */
export function reconcileCommand(session: Session, asked: NightAsked): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const report = await nightStep(workplace, asked);
    const { files, notWritten, problems, keptWrong = [], openBreaks } = report;
    const open = countDoubts(await listDoubts(workplace));
    session.output.answer({ ...withFewChanges(report), open }, (_, colors) =>
      lines(
        lookSentence(report.look, workplace.config.ledger.timeZone),
        reconciliationText(report, colors, custodyNames(workplace.config)),
        openText(open),
        ...keptText(report),
        ...files.map((path) => `written: ${path}`),
        ...problemLines(applying(notWritten), colors),
      ),
    );
    const isWrong = problems.length + keptWrong.length > 0 || notWritten !== undefined;
    return open > 0 || isWrong || openBreaks.some(needsPerson) ? EXIT.personNeeded : EXIT.done;
  });
}

export function reconcileVerifyCommand(session: Session): Promise<ExitCode> {
  return reconcileCommand(session, { verify: true });
}

function keptText({ keptWrong }: NightRun): readonly string[] {
  if (keptWrong === undefined) return [];
  if (keptWrong.length > 0)
    return ["results kept from earlier nights were wrong and are compared again:", ...keptWrong];
  return ["everything was compared again; the results kept from earlier nights were right"];
}

const CHANGES_LISTED = 200;

/**
 * In a first comparison everything changes, so only the first changes of each side are listed, and all are counted.
 */
function withFewChanges(report: NightRun) {
  const shortened = ({ changes, ...sweep }: Sweep) => ({
    ...sweep,
    changesSeen: changes.length,
    changes: changes.slice(0, CHANGES_LISTED),
  });
  return {
    ...report,
    payoutSweep: shortened(report.payoutSweep),
    depositSweep: shortened(report.depositSweep),
  };
}

/**
 * Exits with 4 if something could not be read, and so is not in the baseline, if money kept moving, or if the
 * baseline closes alarms.
 */
export function baselineCommand(session: Session, { from }: { readonly from?: string }): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const report = await baselineStep(workplace, personAtTerminal(), from);
    session.output.answer(report, (_, colors) =>
      baselineText(report, colors, custodyNames(workplace.config)),
    );
    const { problems, isAtRest, alarmsEnded } = report;
    const isUnsure = !isAtRest || report.uncounted > 0;
    return problems.length > 0 || isUnsure || alarmsEnded.length > 0 ? EXIT.personNeeded : EXIT.done;
  });
}

function baselineText(report: BaselineReport, colors: Colors, nameOf: NameOf): string {
  const {
    openings,
    payoutsBooked,
    depositsBooked,
    strangersOpen,
    isAtRest,
    alarmsEnded,
    uncounted,
    problems,
  } = report;
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
      `on their way then: ${counted(strangersOpen, "payout")} that no file asked for; followed and booked, ` +
        `without an alarm`,
    alarmsEnded.length > 0 && "This closes these alarms; they will not be reported again. Check each now:",
    ...alarmsEnded.map(({ kind, sentence }) => `  ${colors.red("alarm")} ${kind}: ${shown(sentence)}`),
    !isAtRest &&
      "Money moved while this was taken, so a balance may never tie: take the baseline again when less moves.",
    uncounted > 0 &&
      `No amount is known of ${counted(uncounted, "movement")} since that day, so an opening balance may be wrong.`,
    ...problemLines(problems, colors),
  );
}
