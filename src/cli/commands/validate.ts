/** `paydrop validate FILE` and `rows FILE` */
import { fault } from "../../faults/index.ts";
import { fileLimitsOf } from "../../files/intake/sent-file.ts";
import { rowsStep } from "../../files/rows-step.ts";
import { checkAndReport } from "../../files/validate-step.ts";
import { present } from "../../model/present.ts";
import { DEFAULT_FILE_LIMITS, type FileLimits } from "../../readers/index.ts";
import { previewBalances } from "../../views/preview-step.ts";
import { EXIT, type ExitCode, exitCodeOf } from "../exit-code.ts";
import { balanceEffectsText } from "../render/balance-effects-text.ts";
import { fileRowsJson, fileRowsText } from "../render/file-rows-text.ts";
import { fileText, instructionsJson } from "../render/file-text.ts";
import { lines } from "../render/text-parts.ts";
import { configIfAny, lookingIntoWorkplace, type Session } from "../session.ts";

interface ValidateOptions {
  /** With --json: include the instructions. */
  readonly rows?: boolean;
  /** Asks the service for balances; everything else works offline. */
  readonly balances?: boolean;
}

export function validateCommand(
  session: Session,
  file: string,
  { rows = false, balances: isAsked = false }: ValidateOptions,
): Promise<ExitCode> {
  if (rows && !session.output.json)
    throw fault("USAGE", { what: "--rows is for --json", how: "Add `--json`, or leave it out." });
  return lookingIntoWorkplace(session, async (workplace) => {
    const { report, found } = await checkAndReport(workplace, file);
    const drafts = found?.rows.flatMap(({ draft }) => draft ?? []) ?? [];
    const isAccepted = report.verdict === "accepted";
    const balances = isAsked && isAccepted ? await previewBalances(workplace, drafts) : undefined;
    const instructions = rows ? instructionsJson(isAccepted ? drafts : []) : undefined;
    session.output.answer({ ...report, ...present({ instructions, balances }) }, (_, colors) =>
      lines(fileText(report, colors), balances && balanceEffectsText(balances, colors)),
    );
    return isAccepted ? exitCodeOf(balances?.problems ?? []) : EXIT.inputRejected;
  });
}

interface RowsOptions {
  readonly sheet?: string;
  /** Show all rows even on a terminal. */
  readonly all?: boolean;
}

/** Shows a file's cells uninterpreted. A configuration is optional; its limits apply. */
export async function rowsCommand(session: Session, file: string, options: RowsOptions): Promise<ExitCode> {
  const rows = await rowsStep(file, limitsFor(session), options.sheet);
  const { output } = session;
  const isWhole = options.all === true || !output.isTerminal;
  output.answer(fileRowsJson(rows), (_, colors) => fileRowsText(rows, isWhole, colors));
  return rows.verdict === "read" ? EXIT.done : EXIT.inputRejected;
}

function limitsFor(session: Session): FileLimits {
  const config = configIfAny(session);
  return config === undefined ? DEFAULT_FILE_LIMITS : fileLimitsOf(config.files);
}
