/** Renders a checked or submitted file for people; machines get the report itself. */
import type { Problem } from "../../faults/index.ts";
import type { CorrectedFile, FileReport } from "../../files/intake/file-report.ts";
import type { SubmitReport } from "../../files/submit-step.ts";
import { applying } from "../../model/applying.ts";
import { type DraftInstruction, minuteText, plainWords, sentBeforeWords } from "../../model/index.ts";
import type { Question, SheetReading, TextsBeside } from "../../model/sheet-reading.ts";
import type { Colors } from "../output.ts";
import { lastTimeLines, screeningLines } from "./approval-text.ts";
import { problemLines, shown, warningLines } from "./problem-text.ts";
import { counted, lines, totalsText } from "./text-parts.ts";

export function fileText(report: FileReport | SubmitReport, colors: Colors): string {
  const { file, format, dialect, verdict, corrects, reading, digest, problems, warnings } = report;
  const verdictText = verdict === "accepted" ? colors.green(verdict) : colors.red(verdict);
  const how = format === undefined ? "" : ` (${format}${dialect === undefined ? "" : `, ${dialect}`})`;
  const elsewhere = elsewhereOf(report);
  return lines(
    `${colors.bold(shown(file))}${how}: ${verdictText}`,
    corrects && `  corrects: ${correctedText(corrects)}`,
    ...rowsLines(report),
    ...sentBeforeLines(report),
    ...(reading === undefined ? [] : readingLines(reading, reading.questions, colors)),
    ...textsBesideLines(report.textsBeside),
    "batchId" in report && report.batchId && `  batch: ${report.batchId}`,
    digest && `  digest: ${digest}`,
    ...screeningLines(report, colors),
    ...lastTimeLines(report.lastTime),
    problems.length > 1 && `  problems: ${countedKinds(problems)}`,
    ...problemLines(problems, colors, { elsewhere }),
    ...warningLines(warnings, colors),
    report.keptAside && `  kept aside; paydrop suspected says for how long: ${shown(report.keptAside)}`,
    ...("answers" in report ? report.answers.map((path) => `  written: ${shown(path)}`) : []),
  );
}

function rowsLines(report: FileReport): string[] {
  const { rowsRead, rowsAccepted, rowsRejected, rowsAcceptedBefore, rowsLeftOut, totalsConfirmedBy } = report;
  if (rowsRead === 0) return [];
  const whose = rowsRejected > 0 ? "control totals of the accepted rows" : "control totals";
  return applying(
    `  rows: ${rowsRead} read = ${rowsAccepted} accepted + ` +
      `${rowsRejected} rejected${acceptedBeforeText(rowsAcceptedBefore)}${leftOut(rowsLeftOut)}`,
    `  ${whose}: ${totalsText(report.controlTotals)}`,
    totalsConfirmedBy.length > 0 &&
      `  declared in ${shown(totalsConfirmedBy.join(" and "))}: all ` +
        `${rowsRead + rowsAcceptedBefore + rowsLeftOut} rows agree`,
  );
}

/**
 * In the words of the answer and the desk. A file that was sent before unchanged was not read; its problem says so.
 */
function sentBeforeLines(report: FileReport): string[] {
  const { sentBefore, rowsRead, rowsAcceptedBefore, reading, verdict } = report;
  if (reading === undefined) return [];
  const words = sentBeforeWords(sentBefore, rowsRead || rowsAcceptedBefore, verdict === "accepted");
  return words.length === 0 ? [] : [`  ${plainWords(words)}`];
}

/** ", besides 38 rows that were accepted before" */
function acceptedBeforeText(rowsAcceptedBefore: number): string {
  if (rowsAcceptedBefore === 0) return "";
  return `, besides ${counted(rowsAcceptedBefore, "row that was", "rows that were")} accepted before`;
}

function leftOut(rows: number): string {
  return rows === 0 ? "" : `, besides ${counted(rows, "row that is", "rows that are")} not to be paid`;
}

/** The place where all problems can be read: the answer of a submitted file, otherwise the JSON output. */
function elsewhereOf(report: FileReport | SubmitReport): string {
  const isAnswered = "answers" in report && report.answers.length > 0;
  if (isAnswered) return "the answer lists them all";
  return "`--json` shows them all";
}

/** "37, of 33 kinds" */
function countedKinds(problems: readonly Problem[]): string {
  return `${problems.length}, of ${counted(new Set(problems.map(({ code }) => code)).size, "kind")}`;
}

/** How columns not found by name were read, what was not used, and what an approver must accept. */
export function readingLines(
  reading: SheetReading,
  questions: readonly Question[],
  colors: Colors,
): string[] {
  const { columns, unread, notes, sections, totals, otherSheets, pictureCount } = reading;
  const renamed = columns
    .filter(({ heading, name, evidence }) => evidence === undefined && heading !== name)
    .map(({ heading, name }) => `"${shown(heading)}" as ${name}`);
  const names = unread
    .filter(({ kind }) => kind !== "empty" && kind !== "counter")
    .map(({ heading }) => heading);
  return applying(
    renamed.length > 0 && `  columns read: ${renamed.join(", ")}`,
    ...columns.flatMap(({ heading, name, evidence }) =>
      evidence === undefined ? [] : [`  "${shown(heading)}" was read as ${name}: ${shown(evidence)}`],
    ),
    names.length > 0 && `  columns not read: ${shown(names.join(", "))}`,
    otherSheets.length > 0 && `  sheets not read: ${shown(otherSheets.join(", "))}`,
    pictureCount > 0 && `  ${counted(pictureCount, "picture")} not read`,
    ...sections.map(
      ({ line, heading, totals: sums }) =>
        `  line ${line} begins a section: ${shown(heading)}, ${totalsText(sums)}`,
    ),
    ...totals.map(
      ({ line, firstLine, lastLine, amount }) =>
        `  line ${line} is the total of lines ${firstLine} to ${lastLine}: ${amount}`,
    ),
    ...notes.map(
      ({ line, place, text }) =>
        `  note${line === undefined ? ` (${place})` : ` in line ${line}`}: ${shown(text)}`,
    ),
    questions.length > 0 && colors.yellow("  to be accepted by the approver"),
    ...questions.map(({ text }) => `    ${shown(text)}`),
    questions.some(({ value }) => value !== undefined) &&
      '    `paydrop layout accept BATCH --leave-out "HEADING=VALUE"` leaves the rows with a value out',
  );
}

const TEXTS_LISTED = 100;

/** "row 3: Comment: of May; Email: p1@example.com" */
export function textsBesideLines(beside: TextsBeside | undefined): string[] {
  if (beside === undefined) return [];
  const { columns, rows } = beside;
  const named = rows.flatMap(({ row, texts }) => {
    const filled = texts.flatMap((text, at) => (text === "" ? [] : [`${columns[at] ?? ""}: ${text}`]));
    return filled.length === 0 ? [] : [`    row ${row}: ${shown(filled.join("; "))}`];
  });
  if (named.length === 0) return [];
  const more = named.length - TEXTS_LISTED;
  return [
    "  texts beside the rows, in columns that are not read",
    ...named.slice(0, TEXTS_LISTED),
    ...(more > 0
      ? [`    ... and beside ${counted(more, "more row", "more rows")}; \`--json\` lists them`]
      : []),
  ];
}

/** "payouts.csv, rejected on 2026-11-20 09:14 UTC" */
function correctedText({ file, takenAt, verdict, batchId }: CorrectedFile): string {
  if (verdict === undefined || takenAt === undefined) return `${shown(file)}, which is unknown here`;
  const what = batchId === undefined ? verdict : `${verdict} in part as batch ${batchId}`;
  return `${shown(file)}, ${what} on ${minuteText(takenAt)}`;
}

/** In the documented JSON an amount is a field like the others, as in a file. */
export function instructionsJson(drafts: readonly DraftInstruction[]) {
  return drafts.map(({ row, fields: { amount, ...fields } }) => ({
    row,
    ...fields,
    currency: amount.currency,
    amount: amount.value.toString(),
  }));
}
