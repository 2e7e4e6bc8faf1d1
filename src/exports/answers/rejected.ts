/** `NAME.rejected.*`: the sender's file with the reasons of every bad row; correct it and drop it again. */
import { type Problem, SECRET_CODES } from "../../faults/index.ts";
import { columnIndex, isAnswerColumn, problemsColumn } from "../../model/index.ts";
import { type Answer, writeAnswer } from "./answer.ts";
import type { SummaryLine } from "./answer-line.ts";

/** Each row of the table carries what is wrong with it. */
interface RejectedAnswer extends Pick<Answer, "table" | "path"> {
  /** The sender's own file name. */
  readonly file: string;
  /** What is wrong with the file as a whole; they stand on the summary sheet, or in the text file beside a CSV. */
  readonly fileProblems?: readonly Problem[];
  /** Whether a private key is among the problems. */
  readonly holdsSecret?: boolean;
}

/** Good rows come back as they were, with an empty cell of problems. Throws OUTPUT_UNWRITABLE. */
export async function writeRejectedAnswer({
  table,
  path,
  file,
  fileProblems = [],
  holdsSecret = false,
}: RejectedAnswer): Promise<string[]> {
  const headerProblems = fileProblems.filter(({ line }) => line === undefined || line === table.headerLine);
  // A reason of several lines would move the lines of a CSV away from their numbers.
  const between = table.format === "csv" ? " | " : "\n";
  return writeAnswer({
    table,
    path,
    columns: [problemsColumn(file)],
    headerRemarks: remarksOn(table.header, headerProblems),
    holdsSecret,
    addTo: ({ problems }) => ({
      added: [problems.map(inWords).join(between)],
      remarks: remarksOn(table.header, problems),
      withheld: secretsIn(table.header, problems),
    }),
    summary: () => fileProblems.map((problem): SummaryLine => ["Problem", inWords(problem)]),
  });
}

/** "line 18, amount: the amount is empty - Fill in amount." */
function inWords({ line, column, message, fix }: Problem): string {
  const place = [line === undefined ? undefined : `line ${line}`, column].filter(
    (part) => part !== undefined,
  );
  return `${place.length === 0 ? "" : `${place.join(", ")}: `}${message} - ${fix}`;
}

function remarksOn(header: readonly string[], problems: readonly Problem[]): ReadonlyMap<number, string> {
  const remarks = new Map<number, string>();
  for (const problem of problems) {
    const index = columnOf(header, problem);
    if (index === undefined || isAnswerColumn(header[index] ?? "")) continue;
    const remark = `${problem.message} - ${problem.fix}`;
    const earlier = remarks.get(index);
    remarks.set(index, earlier === undefined ? remark : `${earlier}\n${remark}`);
  }
  return remarks;
}

/** A private key that was pasted by mistake is not handed around once more. */
function secretsIn(header: readonly string[], problems: readonly Problem[]): ReadonlySet<number> {
  const secret = problems.filter(({ code }) => SECRET_CODES.has(code));
  return new Set(secret.flatMap((problem) => columnOf(header, problem) ?? []));
}

/** By the column's header, else by the letters of the cell, which may stand to the right of the header. */
function columnOf(header: readonly string[], { column, cell }: Problem): number | undefined {
  const byHeader = column === undefined ? -1 : header.indexOf(column);
  return byHeader >= 0 ? byHeader : columnIndex(cell ?? "");
}
