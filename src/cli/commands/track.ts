/** `paydrop track` */
import { type TrackOptions, trackStep } from "../../pipeline/track-step.ts";
import { type ExitCode, exitCodeOf } from "../exit-code.ts";
import { counted } from "../render/counted.ts";
import { lines } from "../render/lines.ts";
import { problemLines, shown } from "../render/problem-text.ts";
import { stateChangesText } from "../render/state-changes-text.ts";
import { inWorkplace, type Session } from "../session.ts";

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
