/** `paydrop ledger check-chart` */
import { type ChartChecked, checkChartStep } from "../../books/index.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { Colors } from "../output.ts";
import { problemLines } from "../render/problem-text.ts";
import { counted, lines } from "../render/text-parts.ts";
import { lookingIntoWorkplace, type Session } from "../session.ts";

/** Exits with 4 if something should be corrected. */
export function checkChartCommand(session: Session, file: string | undefined): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async (workplace) => {
    const checked = await checkChartStep(workplace, file);
    session.output.answer(checked, checkedText);
    return checked.findings.length > 0 ? EXIT.personNeeded : EXIT.done;
  });
}

function checkedText({ file, lines: count, findings, notes }: ChartChecked, colors: Colors): string {
  const verdict = findings.length === 0 ? "nothing to correct" : counted(findings.length, "finding");
  return lines(
    ...problemLines(findings, colors, { shownPerCode: 50 }),
    notes.length > 0 && colors.yellow("notes"),
    ...problemLines(notes, colors),
    `${file}: ${count === 0 ? "cannot be used" : counted(count, "line")}, ${verdict}`,
  );
}
