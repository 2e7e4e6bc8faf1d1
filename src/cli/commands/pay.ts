/** `paydrop pay`, `pay again` and `track` */
import { present } from "../../model/present.ts";
import { payAgainStep } from "../../payments/pay-again-step.ts";
import { payStep } from "../../payments/pay-step.ts";
import { stopOrder } from "../../payments/run/stop-order.ts";
import { type TrackOptions, trackStep } from "../../payments/track-step.ts";
import { countDoubts, listDoubts } from "../../views/doubts.ts";
import { waitingPayments } from "../../views/payment-status.ts";
import { EXIT, type ExitCode, exitCodeOf, exitCodeOfCreation, exitCodeOfRun } from "../exit-code.ts";
import type { DecisionOptions } from "../options.ts";
import type { Progress } from "../output.ts";
import {
  createdPayoutText,
  openText,
  pacedText,
  pauseText,
  payText,
  stopOrderText,
  waitingLines,
} from "../render/pay-text.ts";
import { trialLine } from "../render/people-text.ts";
import { problemLines, shown } from "../render/problem-text.ts";
import { stateChangesText } from "../render/status-text.ts";
import { counted, lines } from "../render/text-parts.ts";
import { inWorkplace, type Session } from "../session.ts";

/** Exits with 4 whenever anything waits for a person, even if this run did not come across it. */
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
      onPause: (pause) => {
        const text = pauseText(pause, workplace.context.clock.now());
        if (text !== undefined) progress?.say(text);
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
        trialLine(workplace),
      ),
    );
    const isPersonNeeded = open + waiting.refused + waiting.forApproval > 0 || order !== undefined;
    return isPersonNeeded ? EXIT.personNeeded : exitCodeOfRun(report);
  });
}

/** Exits with 4, because the new payment awaits approval. */
export function payAgainCommand(
  session: Session,
  reference: string,
  { reason, by, as = `${reference}-AGAIN` }: DecisionOptions & { readonly as?: string },
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const created = await payAgainStep(workplace, { reference, newReference: as, reason, person: by });
    session.output.answer(created, (_, colors) => createdPayoutText(created, colors, false));
    return exitCodeOfCreation(created);
  });
}

export function trackCommand(session: Session, options: TrackOptions): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const report = await trackStep(workplace, options);
    session.output.answer(report, ({ changes, open, results, problems }, colors) =>
      lines(
        stateChangesText(changes) || "No state has changed.",
        onTheirWay(open),
        ...results.map((path) => `written: ${shown(path)}`),
        ...problemLines(problems, colors),
      ),
    );
    return exitCodeOf(report.problems);
  });
}

function onTheirWay(open: number): string {
  if (open === 0) return "No payout is on its way.";
  return `${counted(open, "payout has", "payouts have")} not ended yet; run \`paydrop track\` again later.`;
}
