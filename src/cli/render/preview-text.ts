/** Renders the preview of a batch. */
import { minuteText } from "../../model/index.ts";
import type { BatchPreview } from "../../pipeline/preview-step.ts";
import type { Colors } from "../output.ts";
import { balanceEffectsText } from "./balance-effects-text.ts";
import { counted, totalsText } from "./counted.ts";
import { lines } from "./lines.ts";
import { problemLines, shown } from "./problem-text.ts";
import { approveHint, screeningLines } from "./screening-text.ts";

export function previewText(preview: BatchPreview, colors: Colors): string {
  const { batch, unsent, awaitsApproval, withdrawnBefore, problems, warnings, balances } = preview;
  const { id, fileName, submittedBy, submittedAt, digest } = batch;
  const isOpen = unsent.length > 0;
  return lines(
    `${colors.bold(id)} ${shown(fileName)}, submitted by ${shown(submittedBy)} on ${minuteText(submittedAt)}`,
    `  not sent: ${totalsText(unsent)}`,
    isOpen &&
      withdrawnBefore > 0 &&
      `  withdrawn once before they were sent: ${counted(withdrawnBefore, "payment")}; \`paydrop explain REFERENCE\` says by whom and why`,
    ...(isOpen ? screeningLines(preview, colors) : []),
    ...problemLines(problems, colors),
    warnings.length > 0 && colors.yellow("warnings"),
    ...problemLines(warnings, colors, { shownPerCode: 3 }),
    isOpen && balanceEffectsText(balances, colors),
    awaitsApproval && problems.length === 0 && `  next: ${approveHint(digest, preview)}`,
  );
}
