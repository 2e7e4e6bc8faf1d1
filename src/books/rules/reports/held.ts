/**
 * Movements that are not in the books: those that posting holds back, and those that are deliberately not booked.
 */
import type { NotBooked } from "../derived.ts";
import { type ReportTable, text } from "./report-table.ts";

export interface HeldMovement {
  /** payoutId or depositId. */
  readonly id: string;
  readonly reference?: string | undefined;
  readonly code: string;
  readonly message: string;
  readonly fix: string;
  /** "will-retry": it waits for the network or the service, not for a person. */
  readonly next: string;
  /** As text. */
  readonly since: string;
  /** Who settled it, and why; absent if it is not settled. */
  readonly settled?: string | undefined;
}

/**
 * `notBooked`: the present state; undefined for a report of another day, because these rows are stored without
 * dates.
 */
export function heldTables(
  held: readonly HeldMovement[],
  notBooked: readonly NotBooked[] | undefined,
): readonly ReportTable[] {
  const table: ReportTable = {
    name: "Held",
    note: "what posting holds back until its reason is gone",
    columns: [
      text("reference", "Reference", 20),
      text("what", "What", 70),
      text("fix", "What to do", 60),
      text("waits", "Waits for", 12),
      text("since", "Since", 30),
      text("settled", "Settled", 40),
      text("code", "Code", 26),
      text("source", "Payout or deposit", 38),
    ],
    rows: held.map(({ id: source, reference, code, message: what, fix, next, since, settled }) => ({
      cells: {
        reference,
        what,
        fix,
        since,
        settled,
        code,
        source,
        waits: settled === undefined ? (next === "will-retry" ? "the network" : "a person") : "nobody",
      },
    })),
  };
  if (notBooked === undefined) return [table];
  return [
    table,
    {
      name: "Not booked",
      note: "movements that are understood and deliberately not booked",
      columns: [
        text("reference", "Reference", 20),
        text("state", "State", 18),
        text("reason", "Reason", 70),
        text("source", "Payout or deposit", 38),
      ],
      rows: notBooked.map(({ sourceId: source, sourceState: state, reference, reason }) => ({
        cells: { reference, state, reason, source },
      })),
    },
  ];
}
