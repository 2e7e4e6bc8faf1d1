/** What the ledger files leave out, or contain with a question, as CSV for accountants, who have no terminal. */
import { stringify } from "csv-stringify/sync";
import type { Problem } from "../faults/index.ts";
import type { NotBooked } from "../ledger/index.ts";
import type { JournalEntry } from "../model/index.ts";
import { textCell } from "./ledger-text.ts";
import type { Rendering } from "./rendering.ts";

const HEADER = ["kind", "sourceId", "reference", "state", "what", "fix", "code"];
const NEEDS_ATTENTION = "needs attention";

/** RFC 4180, UTF-8 without a byte order mark. */
export function exceptionsCsv(problems: readonly Problem[], notBooked: readonly NotBooked[]): string {
  return csvOf([
    HEADER,
    ...problems.map(({ payoutId, depositId, reference, message, fix, code, next }) => [
      next === "will-retry" ? "waits" : NEEDS_ATTENTION,
      payoutId ?? depositId,
      reference,
      "",
      message,
      fix,
      code,
    ]),
    ...notBooked.map(({ sourceId, sourceState, reference, reason }) => [
      "not booked",
      sourceId,
      reference,
      sourceState,
      reason,
      "",
      "",
    ]),
  ]);
}

/** The same columns for the questions in an export batch, as a file of their own; none without questions. */
export function questionsCsv(): Rendering {
  let head: readonly (readonly string[])[] = [HEADER];
  return {
    begin: () => [],
    add: (entries) => {
      const rows = entries.flatMap(rowsOfQuestions);
      if (rows.length === 0) return [];
      const text = csvOf([...head, ...rows]);
      head = [];
      return [{ name: "exceptions.csv", text }];
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

function csvOf(rows: readonly (readonly (string | undefined)[])[]): string {
  return stringify(
    rows.map((row) => row.map(textCell)),
    { record_delimiter: "windows" },
  );
}
