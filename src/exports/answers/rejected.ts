/** `NAME.rejected.*`: the sender's file with the reasons beside every bad row, to be corrected and dropped again. */
import { type Problem, SECRET_CODES } from "../../faults/index.ts";
import { columnIndex, isAnswerColumn, problemsColumn } from "../../model/index.ts";
import { type Answer, writeAnswer } from "./answer.ts";
import type { SummaryLine } from "./answer-line.ts";

/** Each row of the table brings its problems. */
interface RejectedAnswer extends Pick<Answer, "table" | "path"> {
  /** The sender's own file name. */
  readonly file: string;
  /** Problems of the file as a whole, for the summary. */
  readonly fileProblems?: readonly Problem[];
  /** Whether any problem reports a private key. */
  readonly holdsSecret?: boolean;
}

/** Good rows are returned as sent, with an empty problems cell. Throws OUTPUT_UNWRITABLE. */
export async function writeRejectedAnswer({
  table,
  path,
  file,
  fileProblems = [],
  holdsSecret = false,
}: RejectedAnswer): Promise<string[]> {
  const headerProblems = fileProblems.filter(({ line }) => line === undefined || line === table.headerLine);
  const reasonsOf = table.format === "csv" ? reasonsInOneLine : reasonsInLines;
  return writeAnswer({
    table,
    path,
    columns: [problemsColumn(file)],
    headerRemarks: remarksOn(table.header, headerProblems),
    holdsSecret,
    addTo: ({ problems }) => ({
      added: [reasonsOf(problems)],
      remarks: remarksOn(table.header, problems),
      withheld: secretsIn(table.header, problems),
    }),
    summary: () => fileProblems.map((problem): SummaryLine => ["Problem", inWords(problem)]),
  });
}

function reasonsInLines(problems: readonly Problem[]): string {
  return problems.map(inWords).join("\n");
}

/** Several lines would shift the line numbers of a CSV, also those of a column's name or a cell that a reason quotes. */
function reasonsInOneLine(problems: readonly Problem[]): string {
  return problems
    .map(inWords)
    .join(" | ")
    .replace(/[\r\n]+/g, " ");
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

/** A private key pasted by mistake must not be passed on. */
function secretsIn(header: readonly string[], problems: readonly Problem[]): ReadonlySet<number> {
  const secret = problems.filter(({ code }) => SECRET_CODES.has(code));
  return new Set(secret.flatMap((problem) => columnOf(header, problem) ?? []));
}

/** By the column's header, otherwise by the cell's letters, because the cell may lie to the right of the header. */
function columnOf(header: readonly string[], { column, cell }: Problem): number | undefined {
  const byHeader = column === undefined ? -1 : header.indexOf(column);
  return byHeader >= 0 ? byHeader : columnIndex(cell ?? "");
}
