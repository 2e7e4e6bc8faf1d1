/** `NAME.rejected.*`: the sender's file with the reasons beside every bad row, to be corrected and dropped again. */
import type { Problem } from "../../faults/index.ts";
import { problemsColumn } from "../../model/index.ts";
import type { PaymentLine, SheetReading } from "../../model/sheet-reading.ts";
import { type Answer, inWords, writeAnswer } from "./answer.ts";
import { readingGroups } from "./reading-summary.ts";

export interface RejectedAnswer extends Pick<Answer, "grid" | "path" | "holdsSecret"> {
  readonly reading: SheetReading;
  /** The sender's own file name. */
  readonly file: string;
  readonly rows: readonly PaymentLine[];
  readonly fileProblems: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** How many good rows were accepted beside the rejected ones. */
  readonly rowsAccepted: number;
}

/** Good rows are returned as sent, with an empty problems cell. Throws OUTPUT_UNWRITABLE. */
export function writeRejectedAnswer(rejected: RejectedAnswer): Promise<string[]> {
  const { path, grid, reading, rows, fileProblems, warnings, holdsSecret } = rejected;
  const marked = problemsByLine(rows, fileProblems, reading.headerLine);
  const problems = [...fileProblems, ...rows.flatMap((row) => row.problems)];
  return writeAnswer({
    path,
    grid,
    reading,
    columns: [problemsColumn(rejected.file)],
    added: addedTo(rows, marked),
    marked,
    holdsSecret,
    summary: {
      sentence: sentenceOf(rejected),
      groups: readingGroups(reading, [...problems, ...warnings]),
      findings: [...problems, ...warnings],
    },
  });
}

function sentenceOf({ file, rows, fileProblems, rowsAccepted }: RejectedAnswer): string {
  const bad = rows.filter(({ problems }) => problems.length > 0).length;
  const rejected = bad === 1 ? "1 row was rejected" : `${bad} rows were rejected`;
  if (rowsAccepted > 0)
    return `${file}: ${rejected} and ${rowsAccepted} accepted. Correct the red cells and drop this file again.`;
  const why = bad === 0 && fileProblems.length > 0 ? "the file as a whole cannot be taken" : rejected;
  return `${file} was rejected: ${why}. Nothing of it is paid. Correct the red cells and drop this file again.`;
}

/** A problem of the file without a line of its own stands beside the header. */
function problemsByLine(
  rows: readonly PaymentLine[],
  fileProblems: readonly Problem[],
  headerLine: number,
): ReadonlyMap<number, readonly Problem[]> {
  const byLine = new Map<number, readonly Problem[]>();
  for (const { line, problems } of rows) if (problems.length > 0) byLine.set(line, problems);
  for (const found of fileProblems) {
    const line = found.line ?? headerLine;
    byLine.set(line, [...(byLine.get(line) ?? []), found]);
  }
  return byLine;
}

/** The reasons of each row, and what became of those that were accepted before. */
function addedTo(
  rows: readonly PaymentLine[],
  marked: ReadonlyMap<number, readonly Problem[]>,
): ReadonlyMap<number, readonly string[]> {
  const added = new Map<number, readonly string[]>();
  for (const { line, before } of rows) added.set(line, [before?.message ?? ""]);
  for (const [line, problems] of marked) added.set(line, [problems.map(inWords).join("\n")]);
  return added;
}
