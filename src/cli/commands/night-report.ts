/** `paydrop reconcile report` */
import { REPORT_FORMATS, type ReportFormat } from "../../model/index.ts";
import { type ReportAsked, reportName, reportStep, writeReport } from "../../nights/index.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { nightReportText } from "../render/night-report-text.ts";
import { reportFile } from "../report-file.ts";
import { lookingIntoWorkplace, type Session } from "../session.ts";

interface ReportOptions extends ReportAsked {
  readonly format?: ReportFormat;
  readonly out?: string;
}

/** Prints the report, or writes a file if the user asked for one. */
export function nightReportCommand(session: Session, options: ReportOptions): Promise<ExitCode> {
  const { format, out, ...asked } = options;
  return lookingIntoWorkplace(session, async (workplace) => {
    const report = await reportStep(workplace, asked);
    if (format === undefined && out === undefined) {
      session.output.answer(report, nightReportText);
      return EXIT.done;
    }
    const folder = { path: workplace.config.folders.nights, key: "folders.nights" };
    const file = { name: reportName(report), formats: REPORT_FORMATS, usual: "html", format } as const;
    const { path, as } = await reportFile(folder, file, out);
    await writeReport(report, as, path);
    session.output.answer({ written: path }, ({ written }) => `written: ${written}`);
    return EXIT.done;
  });
}
