/** Renders doubts for the person who decides: the evidence of each, and every choice with its consequence. */
import { type Instruction, minuteText } from "../../model/index.ts";
import { shownText } from "../../model/shown-text.ts";
import { formatAmount } from "../../money/index.ts";
import type { Choice } from "../../payments/named/doubt-choices.ts";
import type { Look } from "../../store/looks.ts";
import { type ChangeDoubt, countDoubts, type Doubt, type DoubtReport } from "../../views/doubts.ts";
import type { Colors } from "../output.ts";
import { shown } from "./problem-text.ts";
import { ageText, counted, type Field, fieldsText } from "./text-parts.ts";

export function doubtsText(report: DoubtReport, colors: Colors): string {
  if (countDoubts(report) === 0) return "Nothing is in doubt.";
  return [
    ...report.payments.map((doubt) => doubtText(doubt, colors)),
    ...report.changes.map((doubt) => changeDoubtText(doubt, colors)),
    ...underWayText(report.underWay),
  ].join("\n\n");
}

function underWayText(underWay: readonly Instruction[]): string[] {
  if (underWay.length === 0) return [];
  const [first] = underWay;
  const which = underWay.length === 1 ? shown(first?.fields.reference ?? "") : `${underWay.length} payments`;
  return [`${which}: ${UNDER_WAY}.`];
}

const UNDER_WAY =
  "being sent by a process now, or left by one that died; `paydrop pay` looks for what was left";

function changeDoubtText({ change, ageMs, choices }: ChangeDoubt, colors: Colors): string {
  const { id, operation, subject, person, intendedAt, baseUrl, nonce, evidence } = change;
  const head =
    `${colors.bold(`${operation} of ${shown(subject)}`)} in doubt for ${ageText(ageMs)}, asked for ` +
    `by ${shown(person)}`;
  const fields = fieldsText([
    ["sent", `${minuteText(intendedAt)} to ${baseUrl}`],
    ["nonce", nonce.toString()],
    ["evidence", evidence ?? `no outcome yet: ${UNDER_WAY}`],
  ]);
  return [head, fields, ...choicesText(`resolve-change ${id}`, choices)].join("\n");
}

function doubtText({ instruction, submission, looks, ageMs, choices }: Doubt, colors: Colors): string {
  const { fields, standing, reason, batchId, row } = instruction;
  const head =
    `${colors.bold(shown(fields.reference))} ${standing} for ${ageText(ageMs)}: ` +
    `${formatAmount(fields.amount)}, batch ${batchId} row ${row}`;
  const evidence = fieldsText([
    ["to", fields.destinationAddress ?? fields.destinationAccountId],
    ["payee", fields.customerId && shownText(fields.customerId)],
    [
      "sent",
      submission &&
        `${minuteText(submission.intendedAt)} by ${submission.operation} to ${submission.baseUrl}`,
    ],
    ["nonce", submission?.nonce.toString()],
    ["sends", submission?.sends.toString()],
    ["evidence", submission?.evidence],
    ...looksFields(looks),
    ["why", reason === submission?.evidence ? undefined : reason],
  ]);
  return [head, evidence, ...choicesText(`resolve ${shown(fields.reference)}`, choices)].join("\n");
}

/** Only the latest; `explain` shows all. */
const LOOKS_SHOWN = 3;

function looksFields(looks: readonly Look[]): Field[] {
  const earlier = looks.slice(0, -LOOKS_SHOWN).reduce((sum, { times }) => sum + times, 0);
  const lines = looks.slice(-LOOKS_SHOWN).map(lookText);
  if (earlier > 0) lines.unshift(`${counted(earlier, "time")} before that: \`paydrop explain\` shows them`);
  return lines.map((line, index) => [index === 0 ? "looked" : "", line]);
}

function lookText({ saw, notSent, firstAt, lastAt, times }: Look): string {
  const when =
    times === 1
      ? `at ${minuteText(firstAt)}`
      : `${counted(times, "time")} from ${minuteText(firstAt)} to ${minuteText(lastAt)}`;
  return `${when}: ${saw}${notSent === undefined ? "" : ` (not sent again: ${notSent})`}`;
}

function choicesText(command: string, choices: readonly Choice[]): string[] {
  return choices.map(({ option, consequence, notes = [] }) =>
    [
      `  paydrop doubt ${command} ${option} --reason WHY`,
      ...[consequence, ...notes].map((line) => `      ${line}`),
    ].join("\n"),
  );
}
