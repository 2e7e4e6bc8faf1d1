/** `paydrop layout accept FILE|BATCH` */
import { InvalidArgumentError } from "commander";
import { type ColumnName, columnNames } from "../../model/columns.ts";
import { acceptLayoutStep, type LayoutReport } from "../../payments/layout-step.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { Colors } from "../output.ts";
import { fileText } from "../render/file-text.ts";
import { shown } from "../render/problem-text.ts";
import { lines } from "../render/text-parts.ts";
import { inWorkplace, type Session } from "../session.ts";

interface LayoutOptions {
  readonly by: string;
  /** "Where=destinationAddress" */
  readonly column?: readonly string[];
  readonly leaveOut?: readonly string[];
}

/** Exits with 4 if the file was taken in again, because a person must approve it. */
export function acceptLayoutCommand(
  session: Session,
  name: string,
  { by: person, column = [], leaveOut = [] }: LayoutOptions,
): Promise<ExitCode> {
  const columns = Object.fromEntries(column.map(meaningOf));
  return inWorkplace(session, async (workplace) => {
    const report = await acceptLayoutStep(workplace, name, { person, columns, leaveOut });
    session.output.answer(report, layoutText);
    return report.takenInAs === undefined ? EXIT.done : EXIT.personNeeded;
  });
}

function meaningOf(text: string): readonly [heading: string, column: ColumnName | "ignore"] {
  const at = text.lastIndexOf("=");
  const column = [...columnNames, "ignore" as const].find((known) => known === text.slice(at + 1).trim());
  if (at > 0 && column !== undefined) return [text.slice(0, at).trim(), column];
  throw new InvalidArgumentError(
    `expected HEADING=COLUMN, where COLUMN is ignore or ${columnNames.join(", ")}`,
  );
}

function layoutText(report: LayoutReport, colors: Colors): string {
  const { sender, columns, pay, doNotPay, withdrawn, takenInAs } = report;
  const whose = sender === undefined ? "this file alone" : `files of ${shown(sender)} with these columns`;
  const read = Object.entries(columns).map(
    ([heading, column]) => `  "${shown(heading)}" is read as ${column}`,
  );
  const isNothing = read.length + pay.length + doNotPay.length === 0;
  return lines(
    isNothing ? "There are no questions about this file." : `Accepted for ${whose}:`,
    ...read,
    ...pay.map(({ text }) => `  pay: ${shown(text)}`),
    ...doNotPay.map(({ text }) => `  do not pay: ${shown(text)}`),
    withdrawn && `${withdrawn} was rejected, and its file taken in again.`,
    takenInAs && fileText(takenInAs, colors),
    read.length > 0 && takenInAs === undefined && "Drop the file again, so that it is read so.",
  );
}
