/** `paydrop explain REFERENCE` */
import { formatAmount } from "../../money/index.ts";
import { explainStep, type Story } from "../../pipeline/explain-step.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { Colors } from "../output.ts";
import { lines } from "../render/lines.ts";
import { shown } from "../render/problem-text.ts";
import { textTable } from "../render/text-table.ts";
import { lookingIntoWorkplace, type Session } from "../session.ts";

export function explainCommand(session: Session, reference: string): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async (workplace) => {
    const story = await explainStep(workplace, reference);
    session.output.answer(story, storyText);
    return EXIT.done;
  });
}

function storyText(story: Story, colors: Colors): string {
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
