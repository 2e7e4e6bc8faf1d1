/** `NAME.accepted.*`: the sender's file with the standing of every row, and the totals and digest to approve. */
import { ANSWER_COLUMNS, type BatchId, type ControlTotal, type Row } from "../../model/index.ts";
import { type Answer, writeAnswer } from "./answer.ts";
import type { SummaryLine } from "./answer-line.ts";

interface AcceptedAnswer extends Pick<Answer, "table" | "path"> {
  /** The sender's own file name. */
  readonly file: string;
  /** Of the sender's file, lower-case hex. */
  readonly sha256: string;
  readonly batchId: BatchId;
  /** What an approval must name. */
  readonly digest: string;
  readonly controlTotals: readonly ControlTotal[];
  /** What an approver should know besides the totals. */
  readonly notes?: readonly SummaryLine[];
  /** In words: "received", "rejected: ...". */
  standingOf(row: Row): string;
}

/** The summary is a second sheet in XLSX and `NAME.accepted.csv.txt` beside a CSV. Throws OUTPUT_UNWRITABLE. */
export async function writeAcceptedAnswer(answer: AcceptedAnswer): Promise<string[]> {
  let rowsRead = 0;
  return writeAnswer({
    table: answer.table,
    path: answer.path,
    columns: [ANSWER_COLUMNS.standing],
    addTo: (row) => {
      if (row.isControlTotal !== true) rowsRead += 1;
      return { added: [answer.standingOf(row)] };
    },
    summary: () => summaryOf(answer, rowsRead),
  });
}

function summaryOf(answer: AcceptedAnswer, rowsRead: number): SummaryLine[] {
  const accepted = answer.controlTotals.reduce((sum, { count }) => sum + count, 0);
  return [
    ["File", answer.file],
    ["SHA-256", answer.sha256],
    ["Batch", answer.batchId],
    ["Digest awaiting approval", answer.digest],
    ["Rows in the file", String(rowsRead)],
    ["Rows accepted", String(accepted)],
    ...answer.controlTotals.map(
      ({ currency, count, amount }): SummaryLine => [
        `Total ${currency}`,
        `${amount.normalized()} in ${count} ${count === 1 ? "row" : "rows"}`,
      ],
    ),
    ...(answer.notes ?? []),
  ];
}
