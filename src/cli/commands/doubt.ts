/** `paydrop doubt`, `doubt resolve`, `reopen`, `pay again`, `stop`, `go`: what a person decides. */
import { fault } from "../../faults/index.ts";
import {
  countDoubts,
  listDoubts,
  type Resolving,
  type ResolvingChange,
  reopenStep,
  resolveChangeStep,
  resolveDoubtStep,
} from "../../pipeline/doubt-step.ts";
import { payAgainStep } from "../../pipeline/pay-again-step.ts";
import { recallStep } from "../../pipeline/recall-step.ts";
import { giveStopOrder, liftStopOrder } from "../../pipeline/sending/stop-order.ts";
import type { Workplace } from "../../pipeline/workplace/workplace.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { createdPayoutText } from "../render/created-payout-text.ts";
import { doubtsText, recalledText, reopenedText } from "../render/doubt-text.ts";
import { shown } from "../render/problem-text.ts";
import { inWorkplace, lookingIntoWorkplace, type Session } from "../session.ts";
import { confirm } from "../terminal.ts";
import { createdPayoutJson, exitCodeOfCreation } from "./payouts.ts";

/** Ends with 4 while anything is in doubt or held. */
export function doubtCommand(session: Session): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async (workplace) => {
    const report = await listDoubts(workplace);
    session.output.answer(report, () => doubtsText(report, session.output.colors));
    return countDoubts(report) > 0 ? EXIT.personNeeded : EXIT.done;
  });
}

export interface DecisionOptions {
  readonly reason: string;
  readonly by: string;
}

interface ResolveOptions extends DecisionOptions {
  readonly accept?: string;
  readonly resend?: boolean;
  readonly abandon?: boolean;
  readonly despiteIncompleteLook?: boolean;
  readonly yes?: boolean;
}

type ResolveChangeOptions = DecisionOptions & Pick<ResolveOptions, "accept" | "abandon">;

/** Ends with 4 while the payment is still in doubt. */
export function resolveCommand(
  session: Session,
  reference: string,
  { reason, by, yes = false, ...how }: ResolveOptions,
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const resolving = resolvingOf(how);
    if (resolving.by === "resend") {
      const consequence = await consequenceOfResend(workplace, reference);
      await confirm(session, `Send ${shown(reference)} once more? ${consequence}`, yes);
    }
    const decision = { reference, person: by, reason };
    const instruction = await resolveDoubtStep(workplace, decision, resolving, session.signal);
    const { standing, payoutId } = instruction;
    session.output.answer(
      instruction,
      () => `${shown(reference)} is ${standing}${payoutId === undefined ? "" : `: payout ${payoutId}`}`,
    );
    return standing === "in doubt" || standing === "held" ? EXIT.personNeeded : EXIT.done;
  });
}

/** Empty for what is not in doubt: that is refused with its reason. */
async function consequenceOfResend(workplace: Workplace, reference: string): Promise<string> {
  const { payments } = await listDoubts(workplace);
  const doubt = payments.find(({ instruction }) => instruction.fields.reference === reference);
  const { consequence, notes = [] } = doubt?.choices.find(({ option }) => option === "--resend") ?? {};
  return [consequence, ...notes].filter((text) => text !== undefined).join("; ");
}

function resolvingOf({
  accept,
  resend,
  abandon,
  despiteIncompleteLook,
}: Omit<ResolveOptions, keyof DecisionOptions | "yes">): Resolving {
  const chosen: Resolving[] = [];
  if (accept !== undefined) chosen.push({ by: "accept", payoutId: accept });
  if (resend === true) chosen.push({ by: "resend" });
  if (abandon === true) chosen.push({ by: "abandon", despiteIncompleteLook: despiteIncompleteLook === true });
  if (despiteIncompleteLook === true && abandon !== true)
    throw fault("USAGE", { what: "--despite-incomplete-look is for --abandon", how: "Leave it out." });
  const [only, another] = chosen;
  if (only !== undefined && another === undefined) return only;
  throw notOneWay("--accept PAYOUT_ID, --resend and --abandon");
}

/** Decides about a deposit, a void or an authorization in doubt, by its number. */
export function resolveChangeCommand(
  session: Session,
  number: number,
  { reason, by, accept, abandon }: ResolveChangeOptions,
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const resolving = resolvingChangeOf(accept, abandon);
    const change = await resolveChangeStep(workplace, { number, person: by, reason }, resolving);
    const { operation, subject, outcome } = change;
    session.output.answer(change, () => `${operation} of ${shown(subject)} is ${outcome}`);
    return EXIT.done;
  });
}

function resolvingChangeOf(accept: string | undefined, abandon = false): ResolvingChange {
  if (accept !== undefined && !abandon) return { by: "accept", id: accept };
  if (accept === undefined && abandon) return { by: "abandon" };
  throw notOneWay("--accept ID and --abandon");
}

function notOneWay(ways: string) {
  return fault("USAGE", {
    what: "it is not said how the doubt is resolved, or in several ways",
    how: `Give one of ${ways}; \`paydrop doubt\` says what each leads to.`,
  });
}

/** Ends with 4 where the service was seen to have made one of them after all. */
export function reopenCommand(
  session: Session,
  reference: string,
  { reason, by }: DecisionOptions,
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const decided = await reopenStep(workplace, { reference, person: by, reason });
    const held = decided.filter(({ standing }) => standing === "held");
    const reopened = decided.filter(({ standing }) => standing !== "held");
    session.output.answer({ reopened, held }, () => reopenedText(reopened, held));
    return held.length > 0 ? EXIT.personNeeded : EXIT.done;
  });
}

export function recallCommand(
  session: Session,
  reference: string,
  { reason, by }: DecisionOptions,
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const recalled = await recallStep(workplace, { reference, person: by, reason });
    session.output.answer({ recalled }, () => recalledText(recalled));
    return EXIT.done;
  });
}

/** Ends with 4: the new payment awaits approval. */
export function payAgainCommand(
  session: Session,
  reference: string,
  { reason, by, as = `${reference}-AGAIN` }: DecisionOptions & { readonly as?: string },
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const created = await payAgainStep(workplace, { reference, newReference: as, reason, person: by });
    session.output.answer(createdPayoutJson(created), () =>
      createdPayoutText(created, session.output.colors, false),
    );
    return exitCodeOfCreation(created);
  });
}

export function stopCommand(session: Session, { reason, by }: DecisionOptions): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    await giveStopOrder(workplace, by, reason);
    session.output.answer(
      { stopped: true, by, reason },
      () => "Nothing is sent any more; `paydrop go` ends this.",
    );
    return EXIT.done;
  });
}

export function goCommand(session: Session, { reason, by }: DecisionOptions): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const lifted = await liftStopOrder(workplace, by, reason);
    session.output.answer({ stopped: false, lifted: lifted?.reason }, () =>
      lifted === undefined ? "No stop order stood." : `Payments go out again. It was ${lifted.reason}`,
    );
    return EXIT.done;
  });
}
