/** `paydrop ledger export` */
import { type ExportReport, exportAgainStep, ledgerExportStep } from "../../books/index.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { notBookedLines, trialBalanceText } from "../render/ledger-text.ts";
import { problemLines, shown } from "../render/problem-text.ts";
import { counted, lines } from "../render/text-parts.ts";
import { inWorkplace, type Session } from "../session.ts";

/** Exits with 4 if something was booked to suspense or held back. With `again` nothing is posted. */
export function ledgerExportCommand(
  session: Session,
  { again }: { readonly again?: number },
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    if (again !== undefined) return writeAgain(session, await exportAgainStep(workplace, again));
    const { ledger, issued, exceptions } = await ledgerExportStep(workplace);
    session.output.answer({ ...ledger, exceptions, export: issued }, (_, colors) =>
      lines(
        `${counted(ledger.posted, "entry", "entries")} posted; ${issuedText(issued)}`,
        trialBalanceText(ledger.trialBalance, workplace.config.ledger.functionalCurrency),
        ...problemLines(ledger.problems, colors),
        ...notBookedLines(ledger.notBooked),
        ...[...(issued?.files ?? []), exceptions].map((path) => `written: ${shown(path)}`),
      ),
    );
    return ledger.problems.length > 0 ? EXIT.personNeeded : EXIT.done;
  });
}

function writeAgain({ output }: Session, report: ExportReport): ExitCode {
  output.answer({ export: report }, () =>
    report.files.length === 0
      ? `export batch ${report.number}: every file is there`
      : report.files.map((path) => `written: ${shown(path)}`).join("\n"),
  );
  return EXIT.done;
}

function issuedText(issued: ExportReport | undefined): string {
  if (issued === undefined) return "nothing new to export";
  return `export batch ${issued.number} with ${counted(issued.entries, "entry", "entries")}`;
}
