/** What the ledger files do not hold, or hold with a question, as CSV: for accountants, who have no terminal. */
import { stringify } from "csv-stringify/sync";
import type { Problem } from "../faults/index.ts";
import type { NotBooked } from "../ledger/index.ts";
import { textCell } from "./ledger-text.ts";

const HEADER = ["kind", "sourceId", "reference", "state", "what", "fix", "code"];

/** RFC 4180, UTF-8 without a byte order mark. `problems` need somebody; what was not booked for a good reason is told with it. */
export function exceptionsCsv(problems: readonly Problem[], notBooked: readonly NotBooked[]): string {
  const rows = [
    ...problems.map(({ payoutId, depositId, reference, message, fix, code }) => [
      "needs somebody",
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
  ];
  return stringify([HEADER, ...rows.map((row) => row.map(textCell))], { record_delimiter: "windows" });
}
