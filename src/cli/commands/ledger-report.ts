/** `paydrop ledger report` */
import { type BooksReportAsked, booksReportStep, writeBooksReport } from "../../books/index.ts";
import { BOOKS_REPORT_FORMATS, type BooksReportFormat, type BooksReportName } from "../../model/index.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { booksReportText } from "../render/books-report-text.ts";
import { shown } from "../render/problem-text.ts";
import { reportFile } from "../report-file.ts";
import { lookingIntoWorkplace, type Session } from "../session.ts";

export interface LedgerReportOptions extends Omit<BooksReportAsked, "name"> {
  readonly format?: BooksReportFormat;
  readonly out?: string;
}

/** Prints it, or writes a file if one is asked for. */
export function ledgerReportCommand(
  session: Session,
  name: BooksReportName,
  options: LedgerReportOptions,
): Promise<ExitCode> {
  const { format, out, ...asked } = options;
  return lookingIntoWorkplace(session, async (workplace) => {
    const report = await booksReportStep(workplace, { name, ...asked });
    if (format === undefined && out === undefined) {
      session.output.answer(report, booksReportText);
      return EXIT.done;
    }
    const folder = { path: workplace.config.folders.ledger, key: "folders.ledger" };
    const usual = "xlsx" as const;
    const file = { name: report.fileName, formats: BOOKS_REPORT_FORMATS, usual, format, out };
    const { path, as } = await reportFile(folder, file);
    await writeBooksReport(workplace, report, as, path);
    session.output.answer({ written: path }, ({ written }) => `written: ${shown(written)}`);
    return EXIT.done;
  });
}
