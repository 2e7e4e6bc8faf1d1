/** `paydrop rows FILE`: shows a file's cells uninterpreted. A configuration is optional; its limits apply. */
import { DEFAULT_FILE_LIMITS, type FileLimits } from "../../intake/index.ts";
import { fileLimitsOf } from "../../pipeline/files/sender-layout.ts";
import { rowsStep } from "../../pipeline/rows-step.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { fileRowsJson } from "../render/file-rows-json.ts";
import { fileRowsText } from "../render/file-rows-text.ts";
import { configIfAny, type Session } from "../session.ts";

interface RowsOptions {
  readonly sheet?: string;
  /** Show all rows even on a terminal. */
  readonly all?: boolean;
}

export async function rowsCommand(session: Session, file: string, options: RowsOptions): Promise<ExitCode> {
  const rows = await rowsStep(file, limitsFor(session), options.sheet);
  const { output } = session;
  const isWhole = options.all === true || !output.isTerminal;
  await output.stream(output.json ? fileRowsJson(rows) : fileRowsText(rows, isWhole, output.colors));
  return rows.verdict === "read" ? EXIT.done : EXIT.inputRejected;
}

function limitsFor(session: Session): FileLimits {
  const config = configIfAny(session);
  return config === undefined ? DEFAULT_FILE_LIMITS : fileLimitsOf(config.files);
}
