/** `paydrop status [BATCH or REFERENCE]` */
import { jobs } from "../../../jobs/index.ts";
import { timetable } from "../../daemon/timetable.ts";
import { mustNotLast, type Standing } from "../../model/index.ts";
import { statusOfBatches } from "../../pipeline/status/batch-status.ts";
import { listDoubts } from "../../pipeline/status/doubts.ts";
import { overviewOf } from "../../pipeline/status/overview.ts";
import { statusOf } from "../../pipeline/status/payment-status.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { lines } from "../render/lines.ts";
import { overviewText } from "../render/overview-text.ts";
import { batchesText, instructionsText } from "../render/status-text.ts";
import { lookingIntoWorkplace, type Session } from "../session.ts";

/** Exits with 4 if something waits for a person (including open breaks) or was left without an outcome. */
export function statusCommand(session: Session, which: string | undefined): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async (workplace) => {
    if (which !== undefined) {
      const payments = await statusOf(workplace, which);
      session.output.answer({ payments }, () => instructionsText(payments));
      return payments.some((payment) => isOpen(payment) || payment.mustBeApprovedAnew)
        ? EXIT.personNeeded
        : EXIT.done;
    }
    const batches = await statusOfBatches(workplace);
    const doubts = await listDoubts(workplace);
    const { changes } = doubts;
    const overview = await overviewOf(workplace, batches, doubts);
    const schedule = timetable(workplace.config, jobs);
    session.output.answer({ overview, schedule, batches, changesInDoubt: changes }, (_, colors) =>
      lines(overviewText(overview, schedule, changes.length, colors), "", batchesText(batches, colors)),
    );
    const { alarm, warning } = overview.openBreaks;
    const waits =
      overview.restored !== undefined ||
      overview.failed.totals.length > 0 ||
      alarm + warning + changes.length > 0 ||
      batches.some(({ standings, runOut }) => runOut.length > 0 || standings.some(isOpen));
    return waits ? EXIT.personNeeded : EXIT.done;
  });
}

function isOpen({ standing }: { readonly standing: Standing }): boolean {
  return mustNotLast(standing);
}
