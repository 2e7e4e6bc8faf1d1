/** `paydrop pay` */
import type { ExecutionReport } from "../../execution/index.ts";
import { present } from "../../model/present.ts";
import { payStep } from "../../pipeline/pay-step.ts";
import { stopOrder } from "../../pipeline/sending/stop-order.ts";
import { countDoubts, listDoubts } from "../../pipeline/status/doubts.ts";
import { waitingPayments } from "../../pipeline/status/payment-status.ts";
import { EXIT, type ExitCode, exitCodeOf } from "../exit-code.ts";
import type { Progress } from "../output.ts";
import { lines } from "../render/lines.ts";
import { openText, pacedText, payText, stopOrderText, waitingLines } from "../render/pay-text.ts";
import { inWorkplace, type Session } from "../session.ts";

export function payCommand(session: Session): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    let progress: Progress | undefined;
    const report = await payStep(workplace, {
      signal: session.signal,
      onStart: (due, atLeastMs) => {
        if (atLeastMs > 0) session.output.say(pacedText(due, atLeastMs, workplace.context.clock.now()));
        progress?.stop();
        progress = session.output.progress("paying", due);
      },
      onSubmitted: () => progress?.step(),
    }).finally(() => progress?.stop());
    const waiting = await waitingPayments(workplace);
    const open = countDoubts(await listDoubts(workplace));
    const order = await stopOrder(workplace);
    const answer = { ...report, waiting, open, ...present({ stopOrder: order?.reason }) };
    session.output.answer(answer, (_, colors) =>
      lines(
        payText(report, colors),
        report.stopped?.code !== "SENDING_STOPPED" && stopOrderText(order),
        session.signal.aborted && "Stopped by a signal: what was not sent is still due.",
        ...waitingLines(waiting),
        openText(open),
      ),
    );
    return open > 0 ? EXIT.personNeeded : exitCodeOfRun(report);
  });
}

/** Exits with 0 only if nothing is in doubt, held, refused or left unsent. */
export function exitCodeOfRun(report: ExecutionReport): ExitCode {
  const stillOpen = report.resolutions.some(({ now }) => now !== "accepted");
  if (stillOpen || report.inDoubt > 0 || report.held > 0) return EXIT.personNeeded;
  if (report.stopped !== undefined) return exitCodeOf([report.stopped]);
  if (report.refused > 0) return EXIT.service;
  return exitCodeOf(report.problems);
}
