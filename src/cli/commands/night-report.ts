/** `paydrop reconcile report` */
import { existsSync, statSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { fault } from "../../faults/index.ts";
import { REPORT_FORMATS, type ReportFormat } from "../../model/index.ts";
import { type ReportAsked, reportName, reportStep, writeReport } from "../../nights/index.ts";
import { openFolder } from "../../pipeline/workplace/folders.ts";
import type { Workplace } from "../../pipeline/workplace/workplace.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { nightReportText } from "../render/night-report-text.ts";
import { lookingIntoWorkplace, type Session } from "../session.ts";

export interface ReportOptions extends ReportAsked {
  readonly format?: ReportFormat;
  readonly out?: string;
}

/** Prints it, or writes a file if one is asked for. */
export function nightReportCommand(session: Session, options: ReportOptions): Promise<ExitCode> {
  const { format, out, ...asked } = options;
  return lookingIntoWorkplace(session, async (workplace) => {
    const report = await reportStep(workplace, asked);
    if (format === undefined && out === undefined) {
      session.output.answer(report, nightReportText);
      return EXIT.done;
    }
    const { path, as } = await fileFor(workplace, reportName(report), options);
    await writeReport(report, as, path);
    session.output.answer({ written: path }, ({ written }) => `written: ${written}`);
    return EXIT.done;
  });
}

/** `out` is a folder if one is there; otherwise a file, whose ending says its format unless that is given. */
async function fileFor({ config }: Workplace, name: string, { format, out }: ReportOptions) {
  const as = format ?? formatOf(out) ?? "html";
  if (out === undefined) {
    await openFolder(config.folders.nights, "folders.nights");
    return { as, path: join(config.folders.nights, `${name}.${as}`) };
  }
  const isFolder = statSync(out, { throwIfNoEntry: false })?.isDirectory() ?? /[/\\]$/.test(out);
  if (!isFolder) return { as, path: newFile(refuseOtherEnding(out, as)) };
  await openFolder(resolve(out), "--out");
  return { as, path: resolve(out, `${name}.${as}`) };
}

/** A name that somebody gives by mistake may be another file's. */
function newFile(out: string): string {
  const path = resolve(out);
  if (existsSync(path)) throw fault("OUTPUT_EXISTS", { path }, { file: path });
  return path;
}

function formatOf(out = ""): ReportFormat | undefined {
  return REPORT_FORMATS.find((each) => extname(out).toLowerCase() === `.${each}`);
}

/** Programs choose by the ending how they read a file. */
function refuseOtherEnding(out: string, format: ReportFormat): string {
  if (formatOf(out) === format) return out;
  const endings = REPORT_FORMATS.map((each) => `.${each}`).join(", ");
  throw fault("USAGE", {
    what: `the name ${out} does not say that it is a file of the format ${format}`,
    how: `Name a folder, or a file that ends with its format: ${endings}.`,
  });
}
