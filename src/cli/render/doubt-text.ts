/** Doubts, for the person who decides: each with its evidence, and every choice with its consequence. */
import { formatAmount } from "../../money/index.ts";
import type { Doubt, DoubtReport } from "../../pipeline/doubt-step.ts";
import type { Colors } from "../output.ts";
import { minuteText } from "./counted.ts";
import { fieldsText } from "./fields-text.ts";
import { shown } from "./problem-text.ts";

export function doubtsText({ payments, changes }: DoubtReport, colors: Colors): string {
  if (payments.length + changes.length === 0) return "Nothing is in doubt.";
  return [
    ...payments.map((doubt) => doubtText(doubt, colors)),
    ...changes.map(
      ({ operation, subject, intendedAt, person, evidence = "" }) =>
        `${colors.bold(shown(subject))} ${operation}, asked for by ${shown(person)} on ${minuteText(intendedAt)}: ${shown(evidence)}`,
    ),
  ].join("\n\n");
}

function doubtText({ instruction, submission, ageMs, choices }: Doubt, colors: Colors): string {
  const { fields, standing, reason, batchId, row } = instruction;
  const head = `${colors.bold(shown(fields.reference))} ${standing} for ${ageText(ageMs)}: ${formatAmount(fields.amount)}, batch ${batchId} row ${row}`;
  const evidence = fieldsText([
    ["to", fields.destinationAddress ?? fields.destinationAccountId],
    [
      "sent",
      submission &&
        `${minuteText(submission.intendedAt)} by ${submission.operation} to ${submission.baseUrl}`,
    ],
    ["nonce", submission?.nonce.toString()],
    ["sends", submission?.sends.toString()],
    ["evidence", submission?.evidence],
    ["why", reason === submission?.evidence ? undefined : reason],
  ]);
  const may = choices.map(
    ({ option, consequence }) =>
      `  paydrop doubt resolve ${shown(fields.reference)} ${option} --reason WHY\n      ${consequence}`,
  );
  return [head, evidence, ...may].join("\n");
}

/** "3 min", "5 h", "2 days" */
function ageText(ageMs: number): string {
  const minutes = Math.floor(ageMs / 60_000);
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} days`;
}
