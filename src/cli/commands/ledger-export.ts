/** `paydrop ledger export` */
import {
  type AgainReport,
  type ExportAsked,
  type ExportReport,
  exportAgainStep,
  ledgerExportStep,
} from "../../books/index.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { notBookedLines, trialBalanceText } from "../render/ledger-text.ts";
import { problemLines, shown } from "../render/problem-text.ts";
import { counted, lines } from "../render/text-parts.ts";
import { inWorkplace, type Session } from "../session.ts";

/** Exits with 4 if something was booked to suspense or held back. With `again` nothing is posted. */
export function ledgerExportCommand(
  session: Session,
  { again, ...asked }: ExportAsked & { readonly again?: number },
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    if (again !== undefined)
      return writeAgain(session, await exportAgainStep(workplace, again, asked.target));
    const { ledger, issued, exceptions } = await ledgerExportStep(workplace, asked);
    session.output.answer({ ...ledger, exceptions, exports: issued }, (_, colors) =>
      lines(
        `${counted(ledger.posted, "entry", "entries")} posted; ${issuedText(issued)}`,
        trialBalanceText(ledger.trialBalance, workplace.config.ledger.functionalCurrency),
        ...problemLines(ledger.problems, colors),
        ...notBookedLines(ledger.notBooked),
        ...[...issued.flatMap(({ files }) => files), exceptions].map((path) => `written: ${shown(path)}`),
      ),
    );
    return ledger.problems.length > 0 ? EXIT.personNeeded : EXIT.done;
  });
}

/** Exits with 4 if an existing file differs from the issued bytes. */
function writeAgain({ output }: Session, report: AgainReport): ExitCode {
  output.answer({ again: report }, (_, colors) =>
    lines(
      ...report.files.map((path) => `written: ${shown(path)}`),
      report.files.length === 0 ? `export batch ${report.number}: every file is there` : undefined,
      ...problemLines(report.problems, colors),
    ),
  );
  return report.problems.length > 0 ? EXIT.personNeeded : EXIT.done;
}

function issuedText(issued: readonly ExportReport[]): string {
  if (issued.length === 0) return "nothing new to export";
  return issued
    .map(
      ({ target, number, entries }) =>
        `export batch ${number} of ${target} with ${counted(entries, "entry", "entries")}`,
    )
    .join(", ");
}
