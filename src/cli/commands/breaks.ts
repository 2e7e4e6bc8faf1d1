/** `paydrop breaks` */
import { listOpenBreaks } from "../../store/breaks.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { counted } from "../render/counted.ts";
import { breaksText } from "../render/reconciliation-text.ts";
import { lookingIntoWorkplace, type Session } from "../session.ts";

/** Asks the service nothing. Ends with 4 when a break needs a person. */
export function breaksCommand(session: Session): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async ({ store, context }) => {
    const { output } = session;
    const breaks = await store.read(() => listOpenBreaks());
    output.answer({ breaks }, () =>
      breaks.length === 0
        ? "No break is open; `paydrop reconcile` compares anew."
        : [
            `${counted(breaks.length, "break")}, as the last comparison found them:`,
            ...breaksText(breaks, output.colors, context.clock.now()),
          ].join("\n"),
    );
    return breaks.some(({ severity }) => severity !== "note") ? EXIT.personNeeded : EXIT.done;
  });
}
