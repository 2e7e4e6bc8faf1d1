/** The result of reading and checking one file, in the form that every interface shows. */
import { type Problem, SECRET_CODES } from "../../faults/index.ts";
import type { FileFormat } from "../../model/grid.ts";
import type { TextsBeside } from "../../model/sheet-reading.ts";
import type { TakenFile } from "../../store/batches.ts";
import {
  type InitiationResult,
  type LastTime,
  NOTHING_READ,
  type ScreeningReport,
} from "../reading/index.ts";
import type { CheckedFile } from "./check-file.ts";

/**
 * Problems and warnings give the sender's file name, not the path that was read. Findings of the screening are
 * absent unless the file is accepted.
 */
export interface FileReport
  extends Omit<InitiationResult, "verdict" | "rows" | "screened">,
    Partial<Pick<ScreeningReport, "newDestinations" | "repeatedRows" | "lookAlikeRows">> {
  /** The sender's name of the file. */
  readonly file: string;
  readonly sha256: string;
  /** refused: the file could not be read at all; its one problem has no row. */
  readonly verdict: "accepted" | "rejected" | "refused";
  readonly format?: FileFormat;
  readonly sheet?: string;
  /** How the file was understood: "UTF-8, semicolons". */
  readonly dialect?: string;
  /** The configured sender whose layout was used. */
  readonly sender?: string;
  /** The file that this one corrects: its rejected answer, edited and sent back. */
  readonly corrects?: CorrectedFile;
  /**
   * The place where the file is kept because it seems to contain a private key (kept-aside.ts); absent for all
   * others.
   */
  readonly keptAside?: string;
  /**
   * The comparison with the last approved file of its layout; absent unless accepted, without such a file, and for
   * a correction.
   */
  readonly lastTime?: LastTime;
  /**
   * The texts beside the first payments, in columns that are not read; absent unless accepted, or without such
   * columns.
   */
  readonly textsBeside?: TextsBeside;
  /** The digest that an approval names; absent unless accepted. */
  readonly digest?: string;
}

/** `file`: the sender's name. The other members are absent if no file of that name was taken in. */
export interface CorrectedFile
  extends Partial<Pick<TakenFile, "takenAt" | "verdict" | "batchId" | "answerStem">> {
  readonly file: string;
}

/** A report, and the checked file if it could be read. */
export interface ReportedFile {
  readonly report: FileReport;
  readonly found: CheckedFile | undefined;
}

/** Whether the file seems to hold a private key; such a file is not archived, but kept aside. */
export function holdsSecret({ problems }: Pick<FileReport, "problems">): boolean {
  return problems.some(({ code }) => SECRET_CODES.has(code));
}

/** Whether every row was sent before, so that there is nothing to repair and nothing to pay. */
export function isAllKnown({ sentBefore, rowsRead }: Pick<FileReport, "sentBefore" | "rowsRead">): boolean {
  const rows = sentBefore.reduce((sum, each) => sum + each.rows, 0);
  return rows > 0 && rows >= rowsRead;
}

/** The report of a file without readable rows, with the one problem that says why. */
export function unreadReport(
  verdict: "rejected" | "refused",
  sha256: string,
  file: string,
  why: Problem,
): FileReport {
  return { file, sha256, verdict, ...NOTHING_READ, problems: [why], fileProblems: [why] };
}
