/** `paydrop submit FILE`, `preview BATCH|DIGEST` and `approve BATCH|DIGEST` */
import type { Lineage } from "../../files/repair/lineage.ts";
import { submitFile } from "../../files/submit-step.ts";
import { applying } from "../../model/applying.ts";
import { minuteText } from "../../model/index.ts";
import { type ApprovalOptions, approveStep } from "../../payments/approve-step.ts";
import { type BatchPreview, previewStep } from "../../views/preview-step.ts";
import { EXIT, type ExitCode, exitCodeOf } from "../exit-code.ts";
import type { Colors } from "../output.ts";
import {
  approvalText,
  approveHint,
  lastTimeLines,
  screeningLines,
  screeningWarningLines,
  sendingLines,
  wordsLine,
} from "../render/approval-text.ts";
import { balanceEffectsText } from "../render/balance-effects-text.ts";
import { fileText, readingLines, textsBesideLines } from "../render/file-text.ts";
import { trialLine } from "../render/people-text.ts";
import { problemLines, shown } from "../render/problem-text.ts";
import { counted, lines, totalsText } from "../render/text-parts.ts";
import { inWorkplace, lookingIntoWorkplace, type Session } from "../session.ts";

/** Exits with 4 if the file was taken in, because a person must approve it. */
export function submitCommand(
  session: Session,
  file: string,
  { by }: { readonly by: string },
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const report = await submitFile(workplace, file, by);
    session.output.answer(report, fileText);
    if (report.verdict !== "accepted" || report.digest === undefined) return EXIT.inputRejected;
    const questions = report.reading?.questions ?? [];
    session.output.say(`  next: another person runs ${approveHint(report.digest, { ...report, questions })}`);
    return EXIT.personNeeded;
  });
}

/**
 * Exits with 4 if a balance is insufficient, and as other commands do if the service does not answer. Without the
 * service's secrets no balances are requested.
 */
export function previewCommand(session: Session, idOrDigest: string): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async (workplace) => {
    const preview = await previewStep(workplace, idOrDigest);
    session.output.answer(preview, (_, colors) => lines(previewText(preview, colors), trialLine(workplace)));
    return exitCodeOf([...preview.problems, ...preview.balances.problems]);
  });
}

function previewText(preview: BatchPreview, colors: Colors): string {
  const {
    batch,
    unsent,
    awaitsApproval,
    withdrawnBefore,
    problems,
    warnings,
    sending,
    together,
    reading,
    questions,
    lineage,
    words,
    lastTime,
    textsBeside,
  } = preview;
  const { id, fileName, submittedBy, submittedAt, digest } = batch;
  const isOpen = unsent.length > 0;
  return lines(
    `${colors.bold(id)} ${shown(fileName)}, submitted by ${shown(submittedBy)} on ${minuteText(submittedAt)}`,
    `  not sent: ${totalsText(unsent)}`,
    ...(lineage === undefined ? [] : lineageLines(lineage)),
    isOpen &&
      withdrawnBefore > 0 &&
      `  rejected once before they were sent: ${counted(withdrawnBefore, "payment")}; \`paydrop explain ` +
        `REFERENCE\` says by whom and why`,
    awaitsApproval && wordsLine(words, colors),
    ...(isOpen
      ? [
          ...sendingLines(sending, awaitsApproval ? together : undefined),
          ...screeningLines(preview, colors, Number.POSITIVE_INFINITY),
          ...lastTimeLines(lastTime),
          ...(reading === undefined ? [] : readingLines(reading, questions, colors)),
          ...textsBesideLines(textsBeside),
        ]
      : []),
    ...problemLines(problems, colors),
    ...screeningWarningLines(warnings, colors),
    ...movedPayeeLines(preview),
    isOpen && balancesText(preview, colors),
    awaitsApproval && problems.length === 0 && `  next: ${approveHint(digest, preview)}`,
  );
}

/** Messages to the sender omit these addresses. */
function movedPayeeLines({ movedPayees }: BatchPreview): string[] {
  return movedPayees.map(({ row, knownAddress, where }) => {
    const from = where === undefined ? "" : ` (${shown(where)})`;
    return `  row ${row}: its payee is known at ${shown(knownAddress)}${from}`;
  });
}

/** In the desk's words: each repaired cell before and after. */
function lineageLines({ repairs, sent }: Lineage): string[] {
  const cells = repairs.flatMap(({ changes }) => changes);
  const people = [...new Set(repairs.map(({ person }) => shown(person)))].join(" and ");
  const from = sent === undefined ? "" : `; the sent file has the SHA-256 ${sent.sha256}`;
  if (cells.length === 0) return [`  corrected by its sender, after it came back${from}`];
  const listed = cells
    .slice(0, CELLS_LISTED)
    .map(
      ({ cell, column, from: before, to }) =>
        `    ${cell} (${shown(column)}): "${shown(before)}" became "${shown(to)}"`,
    );
  const more = cells.length - listed.length;
  return applying(
    `  ${counted(cells.length, "cell")} repaired by ${people}${from}`,
    ...listed,
    more > 0 && `    ... and ${more} more; \`--json\` lists them`,
  );
}

const CELLS_LISTED = 20;

function balancesText({ balances, balancesLeftOut }: BatchPreview, colors: Colors): string {
  return balancesLeftOut === undefined
    ? balanceEffectsText(balances, colors)
    : `  the balances are left out: ${balancesLeftOut.message}`;
}

/** Exits with 4 while more people must approve. */
export function approveCommand(
  session: Session,
  idOrDigest: string,
  { by, ...accepted }: ApprovalOptions & { readonly by: string },
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const report = await approveStep(workplace, idOrDigest, by, accepted);
    session.output.answer(report, (_, colors) => lines(approvalText(report, colors), trialLine(workplace)));
    return report.isReleased ? EXIT.done : EXIT.personNeeded;
  });
}
