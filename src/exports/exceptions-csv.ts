/** What the ledger files leave out, or contain with a question, as CSV for accountants, who have no terminal. */
import { stringify } from "csv-stringify/sync";
import type { Problem } from "../faults/index.ts";
import { inJournalOrder, type NotBooked } from "../ledger/index.ts";
import type { JournalEntry } from "../model/index.ts";
import { textCell } from "./ledger-text.ts";

const HEADER = ["kind", "sourceId", "reference", "state", "what", "fix", "code"];
const NEEDS_ATTENTION = "needs attention";

/** RFC 4180, UTF-8 with a byte order mark, so that a double click opens it in a spreadsheet program. */
export function exceptionsCsv(problems: readonly Problem[], notBooked: readonly NotBooked[]): string {
  return csvOf([
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

/** The same columns for the questions in an export batch; undefined if it has none. */
export function questionsCsv(entries: readonly JournalEntry[]): string | undefined {
  const rows = inJournalOrder(entries).flatMap(({ sourceId, reference, sourceState, questions = [] }) =>
    questions.map(({ message, fix, code }) => [
      NEEDS_ATTENTION,
      sourceId,
      reference,
      sourceState,
      message,
      fix,
      code,
    ]),
  );
  return rows.length === 0 ? undefined : csvOf(rows);
}

function csvOf(rows: readonly (readonly (string | undefined)[])[]): string {
  return stringify([HEADER, ...rows.map((row) => row.map(textCell))], {
    bom: true,
    record_delimiter: "windows",
  });
}
