/** `paydrop ledger close | reopen | periods` */
import {
  closePeriodStep,
  type PeriodClosed,
  type Periods,
  periodsStep,
  reopenPeriodStep,
} from "../../books/index.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { DecisionOptions } from "../options.ts";
import { shown } from "../render/problem-text.ts";
import { lines } from "../render/text-parts.ts";
import { textTable } from "../render/text-table.ts";
import { inWorkplace, lookingIntoWorkplace, type Session } from "../session.ts";

export interface CloseOptions {
  readonly by: string;
  readonly acceptSuspense?: string;
  readonly check?: boolean;
}

/** Exits with 4 if a point of the checklist is open: then nothing is signed. */
export function closePeriodCommand(
  session: Session,
  month: string,
  { by: person, acceptSuspense, check }: CloseOptions,
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const closed = await closePeriodStep(workplace, {
      ...{ month, person },
      ...(acceptSuspense !== undefined && { acceptSuspense }),
      ...(check === true && { checkOnly: true }),
    });
    session.output.answer(closed, closedText);
    return closed.points.some(({ state }) => state === "open") ? EXIT.personNeeded : EXIT.done;
  });
}

function closedText({ month, points, isClosed }: PeriodClosed): string {
  const left = points.filter(({ state }) => state === "open").length;
  const verdict = left === 0 ? "every point is done; nothing was signed" : `${left} open, so it stays open`;
  return lines(
    ...points.map(({ state, said }) => `  ${state.padEnd(8)}  ${shown(said)}`),
    isClosed ? `${month} is closed` : `${month}: ${verdict}`,
  );
}

export function reopenPeriodCommand(
  session: Session,
  month: string,
  { reason, by: person }: DecisionOptions,
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const months = await reopenPeriodStep(workplace, { month, person, reason });
    session.output.answer({ opened: months }, ({ opened }) => `open again: ${opened.join(", ")}`);
    return EXIT.done;
  });
}

export function periodsCommand(session: Session): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async (workplace) => {
    session.output.answer(await periodsStep(workplace), periodsText);
    return EXIT.done;
  });
}

function periodsText({ closedThrough, next, closings }: Periods): string {
  return lines(
    closedThrough === undefined ? "every day is open" : `closed through ${closedThrough}`,
    next !== undefined && `next to close: ${next}`,
    closings.length > 0 &&
      textTable(
        ["month", "stands at", "closed", "by", "opened again", "by", "why"],
        closings.map(({ month, state, closedAt, closedBy, reopenedAt, reopenedBy, reopenReason }) => [
          ...[month, state, closedAt, closedBy, reopenedAt ?? "", reopenedBy ?? "", reopenReason ?? ""],
        ]),
      ),
  );
}
