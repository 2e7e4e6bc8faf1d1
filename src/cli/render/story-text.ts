/** Renders the history of one payment, a line per event. */
import { formatAmount } from "../../money/index.ts";
import type { Story } from "../../pipeline/explain-step.ts";
import type { Colors } from "../output.ts";
import { lines } from "./lines.ts";
import { shown } from "./problem-text.ts";
import { textTable } from "./text-table.ts";

export function storyText(story: Story, colors: Colors): string {
  const { instruction, file, lines: events, payoutState, breaks, entryIds, again } = story;
  const { fields, standing, reason, batchId, row, payoutId } = instruction;
  return lines(
    `${colors.bold(shown(fields.reference))} ${formatAmount(fields.amount)}, ${shown(file)} row ${row}, batch ${batchId}: ${standing}`,
    reason !== undefined && `  why: ${shown(reason)}`,
    payoutId && `  payout ${payoutId} ${payoutState ?? "not seen yet"}`,
    textTable(
      ["when (UTC)", "who", "what"],
      events.map(({ at, who, what }) => [`${at.slice(0, 10)} ${at.slice(11, 19)}`, who, what]),
    ),
    ...breaks.map((sentence) => `break: ${shown(sentence)}`),
    entryIds.length > 0
      ? `booked as ${entryIds.join(", ")}`
      : "not booked: nothing of it has settled, or there was no ledger run since",
    again && `paid again as ${shown(again)}`,
  );
}
