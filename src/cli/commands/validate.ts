/** `paydrop validate FILE` */
import { writeFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import { writeWhole } from "../../context/files.ts";
import { fault } from "../../faults/index.ts";
import type { CheckedWindow } from "../../initiation/index.ts";
import type { DraftInstruction } from "../../model/index.ts";
import { validateFile } from "../../pipeline/validate-file.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { fileHtml } from "../render/file-html.ts";
import { fileJson, fileText } from "../render/file-text.ts";
import { shown } from "../render/problem-text.ts";
import { lookingIntoWorkplace, type Session } from "../session.ts";

export interface ValidateOptions {
  /** With --json: also the instructions. */
  readonly rows?: boolean;
  /** Where the page to send on is written; an older page of that name is replaced. */
  readonly html?: string;
}

export function validateCommand(
  session: Session,
  file: string,
  { rows = false, html }: ValidateOptions,
): Promise<ExitCode> {
  if (html !== undefined) refuseOtherEnding(html);
  return lookingIntoWorkplace(session, async (workplace) => {
    const drafts: DraftInstruction[] = [];
    const keep = (window: CheckedWindow) => void (rows && drafts.push(...window.drafts));
    const report = await validateFile(workplace, file, basename(file), keep);
    const accepted = report.verdict === "accepted" ? drafts : [];
    if (html !== undefined) {
      const page = fileHtml(report, workplace.context.clock.now());
      await writeWhole(html, (temporaryPath) => writeFile(temporaryPath, page));
    }
    session.output.answer(fileJson(report, rows ? accepted : undefined), () =>
      fileText(report, session.output.colors),
    );
    if (html !== undefined) session.output.say(`  written: ${shown(html)}`);
    return report.verdict === "accepted" ? EXIT.done : EXIT.inputRejected;
  });
}

/** A page takes the place of an older one, so a slip of the hand must not name a payout file. */
function refuseOtherEnding(path: string): void {
  if (/^\.html?$/i.test(extname(path))) return;
  throw fault("USAGE", {
    what: `a page is a file NAME.html, not ${path}`,
    how: "Name it, for instance, `--html report.html`.",
  });
}
