/** What came of reading and checking one file, in the shape that every face shows. */
import { type Problem, SECRET_CODES } from "../../faults/index.ts";
import type { InitiationResult, NewDestinations } from "../../initiation/index.ts";
import type { FileFormat } from "../../model/index.ts";
import type { TakenFile } from "../../store/batches.ts";

/** Problems and warnings bear the sender's own file name, wherever it was read. */
export interface FileReport extends Omit<InitiationResult, "verdict"> {
  /** The sender's own file name. */
  readonly file: string;
  readonly sha256: string;
  /** refused: it could not be read at all; the only problem has no row. */
  readonly verdict: "accepted" | "rejected" | "refused";
  readonly format?: FileFormat;
  readonly sheet?: string;
  /** The sender of the configuration whose layout it was read in. */
  readonly sender?: string;
  /** How the file was understood: "UTF-8, semicolons". */
  readonly dialect?: string;
  /** The file that this one corrects: the answer to it came back, changed. */
  readonly corrects?: CorrectedFile;
  /** Where money goes for the first time; absent unless accepted. */
  readonly newDestinations?: NewDestinations;
  /** Rows that repeat a payment of the file or of history; absent unless accepted. */
  readonly repeatedRows?: readonly number[];
  /** Rows that pay a first-time destination which begins and ends like another one; absent unless accepted. */
  readonly lookAlikeRows?: readonly number[];
  /** What an approval would name; absent unless accepted. */
  readonly digest?: string;
}

/** `file` is the sender's own name for it; the other members are absent where no file of that name was taken in. */
export interface CorrectedFile extends Partial<Pick<TakenFile, "takenAt" | "verdict" | "batchId">> {
  readonly file: string;
}

/** Whether a private key was pasted into the file; such a file is neither kept nor copied. */
export function holdsSecret({ problemCounts }: Pick<FileReport, "problemCounts">): boolean {
  return [...SECRET_CODES].some((code) => (problemCounts[code] ?? 0) > 0);
}

/** The report of a file of which no row was read, and the one problem that kept it from being read. */
export function unreadReport(
  verdict: "rejected" | "refused",
  sha256: string,
  file: string,
  why: Problem,
): FileReport {
  return {
    file,
    sha256,
    verdict,
    rowsRead: 0,
    rowsAccepted: 0,
    rowsRejected: 0,
    rowsAcceptedBefore: 0,
    controlTotals: [],
    totalsConfirmedBy: [],
    problems: [why],
    fileProblems: [why],
    problemCounts: { [why.code]: 1 },
    warnings: [],
    warningCounts: {},
    unknownColumns: [],
  };
}
