/**
 * A night from the comparison to its report: three files in `folders.nights`, each written completely or not at
 * all.
 */
import { join } from "node:path";
import { Draft } from "../context/files.ts";
import { orProblem, type Problem } from "../faults/index.ts";
import { REPORT_FORMATS, type ReportFormat } from "../model/index.ts";
import { writeDocument } from "../wire/index.ts";
import { openFolders } from "../workplace/folders.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { nightHtml } from "./formats/night-html.ts";
import { nightXlsx } from "./formats/night-xlsx.ts";
import { type NightAsked, type ReconciliationReport, reconcileStep } from "./reconcile-step.ts";
import { reportStep } from "./report-step.ts";
import { type NightReport, reportName } from "./rules/night-report.ts";

export interface NightRun extends ReconciliationReport {
  /** Absolute paths of the report. */
  readonly files: readonly string[];
  /** Why the report or a part of it is not written. The comparison is stored and can be reported later. */
  readonly notWritten?: Problem;
}

/**
 * Compares, and writes the report. Throws the faults of `reconcileStep`; if the report cannot be written, returns
 * why.
 */
export async function nightStep(workplace: Workplace, asked: NightAsked = {}): Promise<NightRun> {
  const compared = await reconcileStep(workplace, asked);
  const files: string[] = [];
  const notWritten = await orProblem(() => writeAll(workplace, compared.night, files));
  if (notWritten === undefined) return { ...compared, files };
  workplace.context.log.warn("the report of the night was not written", { message: notWritten.message });
  return { ...compared, files, notWritten };
}

/** Adds the written files to `files`. */
async function writeAll(workplace: Workplace, night: number, files: string[]): Promise<undefined> {
  await openFolders(workplace, "nights");
  const report = await reportStep(workplace, { night });
  for (const format of REPORT_FORMATS) {
    const path = join(workplace.config.folders.nights, `${reportName(report)}.${format}`);
    await writeReport(report, format, path);
    files.push(path);
  }
}

/** Throws OUTPUT_UNWRITABLE; an older file at `path` then stays as it is. */
export async function writeReport(report: NightReport, format: ReportFormat, path: string): Promise<void> {
  const draft = new Draft(path);
  try {
    await draft.append(await reportBytes(report, format));
    await draft.place();
  } catch (error) {
    await draft.drop();
    throw error;
  }
}

export async function reportBytes(report: NightReport, format: ReportFormat): Promise<Buffer> {
  switch (format) {
    case "html":
      return Buffer.from(nightHtml(report));
    case "xlsx":
      return nightXlsx(report);
    case "json":
      return Buffer.from(`${writeDocument(report)}\n`);
  }
}
