/** `paydrop breaks list | show | assign | note | settle | reopen` */
import {
  assignBreakStep,
  type BreakFilter,
  breaksStep,
  noteBreakStep,
  reopenBreakStep,
  settleStep,
  showBreakStep,
} from "../../nights/index.ts";
import type { StoredBreak } from "../../store/breaks.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { DecisionOptions } from "../options.ts";
import { breakStoriesText, decidedText, settledText, storedBreaksText } from "../render/breaks-text.ts";
import { inWorkplace, lookingIntoWorkplace, type Session } from "../session.ts";

/** Exits with 4 if a listed break needs a person, or the last comparison is incomplete. */
export function listBreaksCommand(session: Session, filter: BreakFilter): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async (workplace) => {
    const report = await breaksStep(workplace, filter);
    session.output.answer(report, storedBreaksText);
    const isOpen = report.open.some(needsPerson) || report.incomplete !== undefined;
    return isOpen ? EXIT.personNeeded : EXIT.done;
  });
}

export function needsPerson({ severity }: Pick<StoredBreak, "severity">): boolean {
  return severity !== "note";
}

export function showBreakCommand(session: Session, name: string): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async (workplace) => {
    session.output.answer(await showBreakStep(workplace, name), breakStoriesText);
    return EXIT.done;
  });
}

export function assignBreakCommand(
  session: Session,
  names: readonly string[],
  { to: owner, by: person }: { readonly to: string; readonly by: string },
): Promise<ExitCode> {
  return decided(session, `given to ${owner}`, (workplace) =>
    assignBreakStep(workplace, { names, owner, person }),
  );
}

export function noteBreakCommand(
  session: Session,
  names: readonly string[],
  { text: note, by: person }: { readonly text: string; readonly by: string },
): Promise<ExitCode> {
  return decided(session, "noted", (workplace) => noteBreakStep(workplace, { names, note, person }));
}

/** Exits with 4 if a second person must confirm. */
export function settleBreakCommand(
  session: Session,
  names: readonly string[],
  { reason, by: person }: DecisionOptions,
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const breaks = await settleStep(workplace, { names, person, reason });
    session.output.answer(breaks, settledText);
    return breaks.some(({ proposed }) => proposed !== undefined) ? EXIT.personNeeded : EXIT.done;
  });
}

export function reopenBreakCommand(
  session: Session,
  names: readonly string[],
  { reason, by: person }: DecisionOptions,
): Promise<ExitCode> {
  return decided(session, "open again", (workplace) => reopenBreakStep(workplace, { names, person, reason }));
}

function decided(
  session: Session,
  done: string,
  step: (workplace: Workplace) => Promise<readonly StoredBreak[]>,
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const breaks = await step(workplace);
    session.output.answer(breaks, () => decidedText(breaks, done));
    return EXIT.done;
  });
}
