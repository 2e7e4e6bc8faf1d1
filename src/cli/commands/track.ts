/** `paydrop track` */
import { trackStep } from "../../pipeline/track-step.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { changesText } from "../render/changes-text.ts";
import { inWorkplace, type Session } from "../session.ts";

export function trackCommand(session: Session): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const report = await trackStep(workplace);
    session.output.answer(report, () =>
      [
        changesText(report.changes) || "No state has changed.",
        `${report.open} payouts are still on their way.`,
        ...report.results.map((path) => `written: ${path}`),
      ].join("\n"),
    );
    return EXIT.done;
  });
}
