/** `paydrop preview BATCH|DIGEST` */
import { minuteText } from "../../model/index.ts";
import { type BatchPreview, previewStep } from "../../pipeline/preview-step.ts";
import { type ExitCode, exitCodeOf } from "../exit-code.ts";
import type { Colors } from "../output.ts";
import { balanceEffectsText } from "../render/balance-effects-text.ts";
import { counted, totalsText } from "../render/counted.ts";
import { lines } from "../render/lines.ts";
import { problemLines, shown } from "../render/problem-text.ts";
import { approveHint, screeningLines, screeningWarningLines } from "../render/screening-text.ts";
import { lookingIntoWorkplace, type Session } from "../session.ts";

/** Exits with 4 if a balance is insufficient, and like other commands if the service gives none. */
export function previewCommand(session: Session, idOrDigest: string): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async (workplace) => {
    const preview = await previewStep(workplace, idOrDigest);
    session.output.answer(preview, previewText);
    return exitCodeOf([...preview.problems, ...preview.balances.problems]);
  });
}

function previewText(preview: BatchPreview, colors: Colors): string {
  const { batch, unsent, awaitsApproval, withdrawnBefore, problems, warnings, balances } = preview;
  const { id, fileName, submittedBy, submittedAt, digest } = batch;
  const isOpen = unsent.length > 0;
  return lines(
    `${colors.bold(id)} ${shown(fileName)}, submitted by ${shown(submittedBy)} on ${minuteText(submittedAt)}`,
    `  not sent: ${totalsText(unsent)}`,
    isOpen &&
      withdrawnBefore > 0 &&
      `  withdrawn once before they were sent: ${counted(withdrawnBefore, "payment")}; \`paydrop explain REFERENCE\` says by whom and why`,
    ...(isOpen ? screeningLines(preview, colors, Number.POSITIVE_INFINITY) : []),
    ...problemLines(problems, colors),
    ...screeningWarningLines(warnings, colors),
    isOpen && balanceEffectsText(balances, colors),
    awaitsApproval && problems.length === 0 && `  next: ${approveHint(digest, preview)}`,
  );
}
