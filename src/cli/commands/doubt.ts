/** `paydrop doubt`: payments and changes with an unknown outcome, their evidence, and the decisions about them. */
import { fault } from "../../faults/index.ts";
import { applying } from "../../model/applying.ts";
import { destinationOf, type Instruction, minuteText, STANDING_WORDS } from "../../model/index.ts";
import { shownText } from "../../model/shown-text.ts";
import { formatAmount } from "../../money/index.ts";
import {
  acceptShownStep,
  type Resolving,
  type ResolvingChange,
  resolveChangeStep,
  resolveDoubtStep,
} from "../../payments/doubt-step.ts";
import type { Choice } from "../../payments/named/doubt-choices.ts";
import type { Look } from "../../store/looks.ts";
import {
  type ChangeDoubt,
  countDoubts,
  type Doubt,
  type DoubtReport,
  listDoubts,
} from "../../views/doubts.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { DecisionOptions } from "../options.ts";
import type { Colors } from "../output.ts";
import { shown } from "../render/problem-text.ts";
import { ageText, counted, type Field, fieldsText, lines } from "../render/text-parts.ts";
import { inWorkplace, lookingIntoWorkplace, type Session } from "../session.ts";
import { confirm } from "../terminal.ts";

/** Exits with 4 while anything is in doubt or held. */
export function doubtCommand(session: Session): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async (workplace) => {
    const report = await listDoubts(workplace);
    session.output.answer(report, doubtsText);
    return countDoubts(report) > 0 ? EXIT.personNeeded : EXIT.done;
  });
}

interface ResolveOptions extends DecisionOptions {
  /** True: the payout that looks have shown. */
  readonly accept?: string | true;
  readonly resend?: boolean;
  readonly abandon?: boolean;
  readonly despiteIncompleteLook?: boolean;
  readonly yes?: boolean;
}

type ResolveChangeOptions = DecisionOptions &
  Pick<ResolveOptions, "abandon" | "despiteIncompleteLook"> & { readonly accept?: string };

/** Exits with 4 while the payment is still in doubt. */
export function resolveCommand(
  session: Session,
  reference: string,
  { reason, by, yes = false, ...how }: ResolveOptions,
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const resolving = resolvingOf(how);
    if (resolving.by === "resend") await confirm(session, await resendQuestion(workplace, reference), yes);
    const decision = { reference, person: by, reason };
    const decided =
      resolving.by === "accept shown"
        ? { payments: await acceptShownStep(workplace, decision) }
        : await resolveDoubtStep(workplace, decision, resolving, session.signal);
    const payments = "payments" in decided ? decided.payments : [decided];
    session.output.answer(decided, () => lines(...payments.map(decidedText)));
    const isOpen = payments.some(({ standing }) => standing === "in doubt" || standing === "held");
    return isOpen ? EXIT.personNeeded : EXIT.done;
  });
}

function decidedText({ fields, standing, payoutId }: Instruction): string {
  const payout = payoutId === undefined ? "" : `: payout ${payoutId}`;
  return `${shown(fields.reference)} is ${STANDING_WORDS[standing]}${payout}`;
}

/** Asks without details if the payment is not in doubt; the step then refuses it with the reason. */
async function resendQuestion(workplace: Workplace, reference: string): Promise<string> {
  const { payments } = await listDoubts(workplace);
  const doubt = payments.find(({ instruction }) => instruction.fields.reference === reference);
  if (doubt === undefined) return `Send ${shown(reference)} again?`;
  const { fields } = doubt.instruction;
  const { consequence, notes = [] } = doubt.choices.find(({ option }) => option === "--resend") ?? {};
  const payment = `${formatAmount(fields.amount)} to ${destinationOf(fields)} as ${shown(reference)}`;
  return `Send ${payment} again? ${applying(consequence, ...notes).join("; ")}`;
}

function resolvingOf({
  accept,
  resend,
  abandon = false,
  despiteIncompleteLook = false,
}: Omit<ResolveOptions, keyof DecisionOptions | "yes">): Resolving | { readonly by: "accept shown" } {
  const chosen: ReturnType<typeof resolvingOf>[] = [];
  if (accept === true) chosen.push({ by: "accept shown" });
  else if (accept !== undefined) chosen.push({ by: "accept", payoutId: accept });
  if (resend === true) chosen.push({ by: "resend" });
  if (abandon) chosen.push({ by: "abandon", despiteIncompleteLook });
  refuseDespite(despiteIncompleteLook, abandon);
  const [only, another] = chosen;
  if (only !== undefined && another === undefined) return only;
  throw notOneWay("--accept PAYOUT_ID, --resend and --abandon");
}

function refuseDespite(despiteIncompleteLook: boolean, abandon: boolean): void {
  if (despiteIncompleteLook && !abandon)
    throw fault("USAGE", { what: "--despite-incomplete-look is for --abandon", how: "Leave it out." });
}

/** Decides about a deposit, a void or an authorization in doubt, by its number. */
export function resolveChangeCommand(
  session: Session,
  number: number,
  { reason, by, accept, abandon = false, despiteIncompleteLook = false }: ResolveChangeOptions,
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    refuseDespite(despiteIncompleteLook, abandon);
    const resolving = resolvingChangeOf(accept, abandon, despiteIncompleteLook);
    const change = await resolveChangeStep(workplace, { number, person: by, reason }, resolving);
    const { operation, subject, outcome } = change;
    session.output.answer(change, () => `${operation} of ${shown(subject)} is ${outcome}`);
    return EXIT.done;
  });
}

function resolvingChangeOf(
  accept: string | undefined,
  abandon: boolean,
  despiteIncompleteLook: boolean,
): ResolvingChange {
  if (accept !== undefined && !abandon) return { by: "accept", id: accept };
  if (accept === undefined && abandon) return { by: "abandon", despiteIncompleteLook };
  throw notOneWay("--accept ID and --abandon");
}

function notOneWay(ways: string) {
  return fault("USAGE", {
    what: "the command must say in exactly one way how the doubt is resolved",
    how: `Give one of ${ways}; \`paydrop doubt\` says what each leads to.`,
  });
}

function doubtsText(report: DoubtReport, colors: Colors): string {
  if (countDoubts(report) === 0) return "Nothing is in doubt.";
  return [
    ...report.payments.map((doubt) => doubtText(doubt, colors)),
    ...report.changes.map((doubt) => changeDoubtText(doubt, colors)),
    ...underWayText(report.underWay),
  ].join("\n\n");
}

function underWayText(underWay: readonly Instruction[]): string[] {
  const [first, another] = underWay;
  if (first === undefined) return [];
  const which = another === undefined ? shown(first.fields.reference) : `${underWay.length} payments`;
  return [`${which}: ${UNDER_WAY}.`];
}

const UNDER_WAY = "being sent now, or left by a process that died; the next `paydrop pay` finds out";

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
