/** `paydrop configuration accept` */
import { acceptConfiguration } from "../../pipeline/workplace/agreement.ts";
import type { DecisionOptions } from "../decision-options.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { lines } from "../render/lines.ts";
import { inWorkplace, type Session } from "../session.ts";

/** Says so if the database is not shared and there is nothing to accept. */
export function acceptConfigurationCommand(
  session: Session,
  { reason, by }: DecisionOptions,
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const others = workplace.store.isShared ? (await acceptConfiguration(workplace, by, reason)).others : [];
    session.output.answer({ others }, () =>
      others.length === 0
        ? "No other machine differs from this one's configuration."
        : lines(
            "This machine's configuration holds for all from now on. These send nothing until theirs is the same:",
            ...others.map(({ machine, when, what }) => `  ${machine} (${when}): ${what}`),
          ),
    );
    return EXIT.done;
  });
}
