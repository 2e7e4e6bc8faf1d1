/** `paydrop ledger settle | excuse` */
import { excuseExportStep, settleHeldStep } from "../../books/index.ts";
import { exportNumberText } from "../../model/ledger-table.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { DecisionOptions } from "../options.ts";
import { shown } from "../render/problem-text.ts";
import { lines } from "../render/text-parts.ts";
import { inWorkplace, type Session } from "../session.ts";

export function settleHeldCommand(
  session: Session,
  names: readonly string[],
  { reason, by: person }: DecisionOptions,
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const settled = await settleHeldStep(workplace, { names, person, reason });
    session.output.answer({ settled }, () =>
      lines(...settled.map(({ id, reference, message }) => shown(`settled ${reference ?? id}: ${message}`))),
    );
    return EXIT.done;
  });
}

export interface ExcuseOptions extends DecisionOptions {
  readonly target?: string;
}

export function excuseExportCommand(
  session: Session,
  number: number,
  { reason, by: person, target }: ExcuseOptions,
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const excused = await excuseExportStep(workplace, { number, target, person, reason });
    session.output.answer(
      { excused },
      () => `nobody waits for what ${excused.target} says of export ${exportNumberText(number)}`,
    );
    return EXIT.done;
  });
}
