/** `NAME.rejected.*`: the sender's file with the reasons beside every bad row, to be corrected and dropped again. */
import type { Problem } from "../../faults/index.ts";
import { problemsColumn } from "../../model/index.ts";
import type { PaymentLine, SheetReading } from "../../model/sheet-reading.ts";
import { type Answer, inWords } from "./answer.ts";
import { readingGroups } from "./reading-summary.ts";
import { writeAnswer } from "./write-answer.ts";

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
  const problems = [...fileProblems, ...rows.flatMap((row) => row.problems)];
  const marked = Map.groupBy(problems, ({ line }) => line ?? reading.headerLine);
  // The reasons of each row, and what became of those that were accepted before.
  const added = new Map(rows.map(({ line, before }) => [line, [before?.message ?? ""]]));
  for (const [line, found] of marked) added.set(line, [found.map(inWords).join("\n")]);
  return writeAnswer({
    path,
    grid,
    reading,
    columns: [problemsColumn(rejected.file)],
    added,
    marked,
    holdsSecret,
    summary: {
      sentence: sentenceOf(rejected),
      groups: readingGroups(reading, [...problems, ...warnings]),
      findings: [...problems, ...warnings],
    },
  });
}

function sentenceOf({ file, grid, rows, fileProblems, rowsAccepted }: RejectedAnswer): string {
  const bad = rows.filter(({ problems }) => problems.length > 0).length;
  const rejected = bad === 1 ? "1 row was rejected" : `${bad} rows were rejected`;
  const rowsWrong =
    grid.format === "csv"
      ? `the rows with a reason in the column \`${problemsColumn(file)}\``
      : "the red cells";
  const wrong = bad === 0 ? "what is listed below" : rowsWrong;
  const next = `Correct ${wrong} and drop this file again.`;
  if (rowsAccepted > 0) return `${file}: ${rejected} and ${rowsAccepted} accepted. ${next}`;
  const why = bad === 0 && fileProblems.length > 0 ? "the file as a whole cannot be taken" : rejected;
  return `${file} was rejected: ${why}. Nothing of it is paid. ${next}`;
}
