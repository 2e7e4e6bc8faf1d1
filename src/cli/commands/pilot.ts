/** `paydrop pilot` */
import { pilotStep } from "../../pipeline/pilot-step.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { cellsOf, type PayoutOptions, payoutRequest } from "../payout-options.ts";
import { pilotText } from "../render/pilot-text.ts";
import { inWorkplace, type Session } from "../session.ts";
import { confirm } from "../terminal.ts";
import { exitCodeOfCreation, paymentText, requireCells } from "./payouts.ts";

interface PilotOptions extends PayoutOptions {
  readonly waitSeconds: number;
  readonly nonceTrial: boolean;
}

/** Exits with 4 while an approval is missing or if the payout was not found, and otherwise like `pay`. */
export function pilotCommand(session: Session, options: PilotOptions): Promise<ExitCode> {
  const { yes = false, waitSeconds, nonceTrial } = options;
  const given = cellsOf(options);
  requireCells(given, ["amount"], "pilot");
  return inWorkplace(session, async (workplace) => {
    const { output } = session;
    const reference = given["reference"] ?? pilotReference(workplace.context.clock.now());
    const cells = { ...given, reference };
    const deposits = nonceTrial
      ? ", and create up to three deposits that show which nonces the service accepts"
      : "";
    await confirm(session, `${paymentText(cells)}${deposits}?`, yes);
    const request = {
      ...payoutRequest(options, cells),
      waitMs: waitSeconds * 1000,
      triesNonces: nonceTrial,
    };
    const report = await pilotStep(workplace, request, (stage) =>
      output.say(output.colors.dim(`... ${stage}`)),
    );
    output.answer(report, pilotText);
    const code = exitCodeOfCreation(report);
    return code === EXIT.done && report.visibleByReferenceAfterMs === undefined ? EXIT.personNeeded : code;
  });
}

/** "PILOT-20261121-093000" */
function pilotReference(now: string): string {
  return `PILOT-${now.slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-")}`;
}
