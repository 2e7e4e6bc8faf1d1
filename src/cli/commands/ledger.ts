/** The family `paydrop ledger`: posting and exporting, ERPs' answers, reports, periods, controllers' decisions. */
import {
  type AgainReport,
  answerInWords,
  answerStep,
  type BooksReport,
  type BooksReportAsked,
  booksReportStep,
  type Cell,
  type ChartChecked,
  checkChartStep,
  closePeriodStep,
  type ExportAsked,
  type ExportReport,
  excuseExportStep,
  exportAgainStep,
  figureText,
  isFigure,
  type LedgerVerified,
  ledgerExportStep,
  ledgerVerifyStep,
  type PeriodClosed,
  type Periods,
  periodsStep,
  type Remap,
  type ReportTable,
  remapStep,
  reopenPeriodStep,
  settleHeldStep,
  writeBooksReport,
} from "../../books/index.ts";
import { BOOKS_REPORT_FORMATS, type BooksReportFormat, type BooksReportName } from "../../model/index.ts";
import { exportNumberText } from "../../model/ledger-table.ts";
import { present } from "../../model/present.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { DecisionOptions } from "../options.ts";
import type { Colors } from "../output.ts";
import { notBookedLines, trialBalanceText } from "../render/ledger-text.ts";
import { problemLines, shown } from "../render/problem-text.ts";
import { counted, lines } from "../render/text-parts.ts";
import { figures, textTable } from "../render/text-table.ts";
import { reportFile } from "../report-file.ts";
import { inWorkplace, lookingIntoWorkplace, type Session } from "../session.ts";

/** Exits with 4 if something was booked to suspense or held back. With `again` nothing is posted. */
export function ledgerExportCommand(
  session: Session,
  { again, ...asked }: ExportAsked & { readonly again?: number },
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    if (again !== undefined)
      return writeAgain(session, await exportAgainStep(workplace, again, asked.target));
    const { ledger, issued, exceptions } = await ledgerExportStep(workplace, asked);
    session.output.answer({ ...ledger, exceptions, exports: issued }, (_, colors) =>
      lines(
        `${counted(ledger.posted, "entry", "entries")} posted; ${issuedText(issued)}`,
        trialBalanceText(ledger.trialBalance, workplace.config.ledger.functionalCurrency),
        ...problemLines(ledger.problems, colors),
        ...notBookedLines(ledger.notBooked),
        ...[...issued.flatMap(({ files }) => files), exceptions].map((path) => `written: ${shown(path)}`),
      ),
    );
    return ledger.problems.length > 0 ? EXIT.personNeeded : EXIT.done;
  });
}

/** Exits with 4 if an existing file differs from the issued bytes. */
function writeAgain({ output }: Session, report: AgainReport): ExitCode {
  output.answer({ again: report }, (_, colors) =>
    lines(
      ...report.files.map((path) => `written: ${shown(path)}`),
      report.files.length === 0 && `export batch ${report.number}: every file is there`,
      ...problemLines(report.problems, colors),
    ),
  );
  return report.problems.length > 0 ? EXIT.personNeeded : EXIT.done;
}

function issuedText(issued: readonly ExportReport[]): string {
  if (issued.length === 0) return "nothing new to export";
  return issued
    .map(
      ({ target, number, entries }) =>
        `export batch ${number} of ${target} with ${counted(entries, "entry", "entries")}`,
    )
    .join(", ");
}

/** Exits with 3 if the file has mistakes, and with 4 if the ERP refused something or an answer changed nothing. */
export function ledgerAnswerCommand(
  session: Session,
  path: string,
  { target }: { readonly target?: string },
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const report = await answerStep(workplace, path, target);
    const { file, refused, problems, mistakes } = report;
    session.output.answer(report, (_, colors) =>
      lines(
        mistakes.length > 0
          ? `${shown(file)} was refused; none of its rows counts`
          : `${shown(file)} of ${report.target}: ${answerInWords(report)}`,
        ...problemLines([...mistakes, ...problems], colors),
      ),
    );
    if (mistakes.length > 0) return EXIT.inputRejected;
    return problems.length + refused > 0 ? EXIT.personNeeded : EXIT.done;
  });
}

/** Exits with 4 if the journal differs from the one that all sightings and requests give. */
export function ledgerVerifyCommand(session: Session): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const verified = await ledgerVerifyStep(workplace);
    session.output.answer(verified, () => verifiedText(verified));
    return verified.differences.length > 0 ? EXIT.personNeeded : EXIT.done;
  });
}

function verifiedText({ entries, payouts, deposits, waiting, differences }: LedgerVerified): string {
  const derived = `${counted(payouts, "payout")} and ${counted(deposits, "deposit")}`;
  const verdict = differences.length === 0 ? "agree with" : "differ from";
  return lines(
    `${counted(entries, "entry", "entries")} ${verdict} what ${derived} give, derived from zero`,
    waiting > 0 && `${waiting} of them are held or not posted yet, and were left out`,
    ...differences,
  );
}

interface LedgerReportOptions extends Omit<BooksReportAsked, "name"> {
  readonly format?: BooksReportFormat;
  readonly out?: string;
}

/** Prints the report, or writes a file if the user asked for one. */
export function ledgerReportCommand(
  session: Session,
  name: BooksReportName,
  options: LedgerReportOptions,
): Promise<ExitCode> {
  const { format, out, ...asked } = options;
  return lookingIntoWorkplace(session, async (workplace) => {
    const report = await booksReportStep(workplace, { name, ...asked });
    if (format === undefined && out === undefined) {
      session.output.answer(report, booksReportText);
      return EXIT.done;
    }
    const folder = { path: workplace.config.folders.ledger, key: "folders.ledger" };
    const file = { name: report.fileName, formats: BOOKS_REPORT_FORMATS, usual: "xlsx", format } as const;
    const { path, as } = await reportFile(folder, file, out);
    await writeBooksReport(workplace, report, as, path);
    session.output.answer({ written: path }, ({ written }) => `written: ${shown(written)}`);
    return EXIT.done;
  });
}

function booksReportText({ title, sentence, tables }: BooksReport, colors: Colors): string {
  return lines(
    colors.bold(title),
    sentence,
    ...tables.flatMap((table) => [
      "",
      tables.length > 1 && colors.bold(table.name),
      table.rows.length === 0 ? "nothing" : tableText(table),
    ]),
  );
}

function tableText({ columns, rows }: ReportTable): string {
  return textTable(
    columns.map(({ title, is }) => (is === "text" ? title : figures(title))),
    rows.map(({ cells }) => columns.map(({ key }) => cellText(cells[key]))),
  );
}

function cellText(cell: Cell): string {
  if (cell === undefined) return "";
  return isFigure(cell) ? figureText(cell) : String(cell);
}

interface CloseOptions {
  readonly by: string;
  readonly acceptSuspense?: string;
  readonly check?: boolean;
}

/** Exits with 4 if a point of the checklist is open: then nothing is signed. */
export function closePeriodCommand(
  session: Session,
  month: string,
  { by: person, acceptSuspense, check: checkOnly = false }: CloseOptions,
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const closing = { month, person, checkOnly, ...present({ acceptSuspense }) };
    const closed = await closePeriodStep(workplace, closing);
    session.output.answer(closed, closedText);
    return closed.points.some(({ state }) => state === "open") ? EXIT.personNeeded : EXIT.done;
  });
}

function closedText({ month, points, isClosed }: PeriodClosed): string {
  const left = points.filter(({ state }) => state === "open").length;
  const verdict =
    left === 0
      ? "every point is done; nothing was signed"
      : `${counted(left, "point")} not done, so the month stays open`;
  return lines(
    ...points.map(({ state, said }) => `  ${state.padEnd(8)}  ${shown(said)}`),
    isClosed ? `${month} is closed` : `${month}: ${verdict}`,
  );
}

export function reopenPeriodCommand(
  session: Session,
  month: string,
  { reason, by: person }: DecisionOptions,
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const months = await reopenPeriodStep(workplace, { month, person, reason });
    session.output.answer({ opened: months }, ({ opened }) => `open again: ${opened.join(", ")}`);
    return EXIT.done;
  });
}

export function periodsCommand(session: Session): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async (workplace) => {
    session.output.answer(await periodsStep(workplace), periodsText);
    return EXIT.done;
  });
}

function periodsText({ closedThrough, next, closings }: Periods): string {
  return lines(
    closedThrough === undefined ? "every day is open" : `closed through ${closedThrough}`,
    next !== undefined && `next to close: ${next}`,
    closings.length > 0 &&
      textTable(
        ["month", "stands at", "closed", "by", "opened again", "by", "why"],
        closings.map(
          ({ month, state, closedAt, closedBy, reopenedAt = "", reopenedBy = "", reopenReason = "" }) => {
            return [month, state, closedAt, closedBy, reopenedAt, reopenedBy, reopenReason];
          },
        ),
      ),
  );
}

export function settleHeldCommand(
  session: Session,
  names: readonly string[],
  { reason, by: person }: DecisionOptions,
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const settled = await settleHeldStep(workplace, { names, person, reason });
    session.output.answer({ settled }, () =>
      lines(...settled.map(({ id, reference, message }) => shown(`settled ${reference ?? id}: ${message}`))),
    );
    return EXIT.done;
  });
}

export function excuseExportCommand(
  session: Session,
  number: number,
  { reason, by: person, target }: DecisionOptions & { readonly target?: string },
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const excused = await excuseExportStep(workplace, { number, target, person, reason });
    session.output.answer(
      { excused },
      () => `nobody waits for what ${excused.target} says of export ${exportNumberText(number)}`,
    );
    return EXIT.done;
  });
}

/** Exits with 4 if something should be corrected. */
export function checkChartCommand(session: Session, file: string | undefined): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async (workplace) => {
    const checked = await checkChartStep(workplace, file);
    session.output.answer(checked, checkedText);
    return checked.findings.length > 0 ? EXIT.personNeeded : EXIT.done;
  });
}

function checkedText({ file, lines: count, findings, notes }: ChartChecked, colors: Colors): string {
  const verdict = findings.length === 0 ? "nothing to correct" : counted(findings.length, "finding");
  return lines(
    ...problemLines(findings, colors, { shownPerCode: 50 }),
    notes.length > 0 && colors.yellow("notes"),
    ...problemLines(notes, colors),
    `${file}: ${count === 0 ? "cannot be used" : counted(count, "line")}, ${verdict}`,
  );
}

export function ledgerRemapCommand(
  session: Session,
  { by: person, check: checkOnly = false }: { readonly by: string; readonly check?: boolean },
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const remap = await remapStep(workplace, { person, checkOnly });
    session.output.answer(remap, remapText);
    return EXIT.done;
  });
}

const ENTRIES_SHOWN = 20;

function remapText({ values, entries, unmapped, held, isDone }: Remap): string {
  const done = isDone ? "reversed" : "would be reversed";
  const verdict = `${counted(entries.length, "entry", "entries")} ${done} and booked again`;
  const nothing =
    unmapped.length + held.length === 0
      ? "nothing lies on suspense"
      : "the chart of accounts has no line yet for the entries on suspense";
  const more = entries.length - ENTRIES_SHOWN;
  return lines(
    entries.length === 0 ? nothing : verdict,
    ...values.map((each) => `  ${sumText(each)}, to ${shown(each.to)}`),
    ...entries
      .slice(0, ENTRIES_SHOWN)
      .map(
        ({ entryId, reversedOn, bookedAgainOn }) =>
          `  ${shown(entryId)}: reversed on ${reversedOn}, booked again on ${bookedAgainOn}`,
      ),
    more > 0 && `  ... and ${more} more; \`--json\` lists them all`,
    ...unmapped.map((each) => `still without a line: ${sumText(each)}`),
    ...held.map(({ message, fix }) => `stays on suspense: ${shown(message)}. ${shown(fix)}`),
  );
}

/** `GL account "Hosting": 3 entries, 120.00` */
function sumText({ what, entries, value }: Remap["unmapped"][number]): string {
  return `${shown(what)}: ${counted(entries, "entry", "entries")}, ${value}`;
}
