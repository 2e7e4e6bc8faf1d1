/** `paydrop track` */
import { trackStep } from "../../pipeline/track-step.ts";
import { EXIT, type ExitCode, exitCodeFor } from "../exit-code.ts";
import { changesText } from "../render/changes-text.ts";
import { counted } from "../render/counted.ts";
import { problemsText, shown } from "../render/problem-text.ts";
import { inWorkplace, type Session } from "../session.ts";

export function trackCommand(session: Session): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const report = await trackStep(workplace);
    session.output.answer(report, () =>
      [
        changesText(report.changes) || "No state has changed.",
        onTheirWay(report.open),
        ...report.results.map((path) => `written: ${shown(path)}`),
        ...(report.problems.length > 0 ? [problemsText(report.problems, session.output.colors)] : []),
      ].join("\n"),
    );
    const [first] = report.problems;
    return first === undefined ? EXIT.done : exitCodeFor(first.next);
  });
}

function onTheirWay(open: number): string {
  if (open === 0) return "No payout is on its way.";
  return `${counted(open, "payout is", "payouts are")} still on ${open === 1 ? "its" : "their"} way; run \`paydrop track\` again later.`;
}
