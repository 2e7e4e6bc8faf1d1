/**
 * Movements that the ledger files leave out, or contain with a question, as CSV for accountants, who have no
 * terminal.
 */

import type { Problem } from "../../faults/index.ts";
import { chunks } from "../../model/chunks.ts";
import { BYTE_ORDER_MARK, type JournalEntry } from "../../model/index.ts";
import { csvOf, textCell } from "../../writing/cell-text.ts";
import type { NotBooked } from "../rules/derived.ts";
import type { Rendering } from "./rendering.ts";

const HEADER = ["kind", "sourceId", "reference", "state", "what", "fix", "code"];
const NEEDS_ATTENTION = "needs attention";

const ROWS_TOGETHER = 500;

/**
 * RFC 4180, UTF-8 with a byte order mark, so that a double click opens it in a spreadsheet program. In parts:
 * without a chart it lists every movement of years.
 */
export function* exceptionsCsv(
  problems: readonly Problem[],
  notBooked: readonly NotBooked[],
): Generator<string> {
  yield headOfFile();
  for (const some of chunks(problems, ROWS_TOGETHER)) yield textsCsv(some.map(rowOfProblem));
  for (const some of chunks(notBooked, ROWS_TOGETHER)) yield textsCsv(some.map(rowOfNotBooked));
}

function rowOfProblem({ payoutId, depositId, reference, message, fix, code, next }: Problem) {
  const kind = next === "will-retry" ? "waits" : NEEDS_ATTENTION;
  return [kind, payoutId ?? depositId, reference, "", message, fix, code];
}

function rowOfNotBooked({ sourceId, sourceState, reference, reason }: NotBooked) {
  return ["not booked", sourceId, reference, sourceState, reason, "", ""];
}

/**
 * The same columns for the questions in an export batch, as a separate file. Without questions there is no file.
 */
export function questionsCsv(): Rendering {
  let head = headOfFile();
  return {
    begin: () => [],
    add: (entries) => {
      const rows = entries.flatMap(rowsOfQuestions);
      if (rows.length === 0) return [];
      const text = head + textsCsv(rows);
      head = "";
      return [{ name: "exceptions.csv", content: text }];
    },
  };
}

function rowsOfQuestions({ sourceId, reference, sourceState, questions = [] }: JournalEntry) {
  return questions.map(({ message, fix, code }) => [
    NEEDS_ATTENTION,
    sourceId,
    reference,
    sourceState,
    message,
    fix,
    code,
  ]);
}

function headOfFile(): string {
  return BYTE_ORDER_MARK + csvOf([HEADER]);
}

function textsCsv(rows: readonly (readonly (string | undefined)[])[]): string {
  return csvOf(rows.map((row) => row.map(textCell)));
}
