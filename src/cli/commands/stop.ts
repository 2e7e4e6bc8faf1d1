/** `paydrop stop` and `paydrop go` */
import { giveStopOrder, liftStopOrder } from "../../pipeline/sending/stop-order.ts";
import type { DecisionOptions } from "../decision-options.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { shown } from "../render/problem-text.ts";
import { inWorkplace, type Session } from "../session.ts";

export function stopCommand(session: Session, { reason, by }: DecisionOptions): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    await giveStopOrder(workplace, by, reason);
    session.output.answer({ stopped: true, by, reason }, () => "Nothing is sent until `paydrop go`.");
    return EXIT.done;
  });
}

export function goCommand(session: Session, { reason, by }: DecisionOptions): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const lifted = await liftStopOrder(workplace, by, reason);
    session.output.answer({ stopped: false, lifted: lifted?.reason }, () =>
      lifted === undefined
        ? "No stop order was in force."
        : `Payments go out again. The stop order was: ${shown(lifted.reason)}`,
    );
    return EXIT.done;
  });
}
