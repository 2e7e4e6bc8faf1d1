/** Reads and checks a whole payout file: its columns, its lines, each payment, and the payments among themselves. */
import { type Problem, problem, SECRET_CODES } from "../faults/index.ts";
import { applying } from "../model/applying.ts";
import type { Grid, Line } from "../model/grid.ts";
import { type ControlTotal, controlTotals } from "../model/index.ts";
import { present } from "../model/present.ts";
import type { PaymentLine, SheetReading } from "../model/sheet-reading.ts";
import { askQuestions, leftOutRows, notesBeside, readUnread, type UnreadCells } from "./ask-questions.ts";
import { encodingNotice, hiddenColumns, limitsExceeded, otherUnits, secretsBeside } from "./check-file.ts";
import { checkHistory, checkRepeated, isGood, screenRows } from "./check-history.ts";
import { type CheckedRow, RowChecker } from "./check-row.ts";
import { columnWords } from "./column-words.ts";
import { type ComparedTotals, compareTotals } from "./control-totals.ts";
import { type FoundColumns, findColumns } from "./find-columns.ts";
import { findHeader } from "./find-header.ts";
import type { InitiationPolicy, InitiationResult } from "./policy.ts";
import { type ToldLines, tellLines } from "./tell-lines.ts";

/**
 * Reads a grid by its structure, and turns its payments into draft instructions, or reports every problem of every row at
 * once. With onBadRow reject-file one bad row rejects the file; with reject-row only itself. A problem of the whole file
 * rejects it either way. Throws only if the policy itself is wrong.
 */
export async function initiate(grid: Grid, policy: InitiationPolicy): Promise<InitiationResult> {
  const words = columnWords(policy.columns, policy.layout?.columns);
  const header = findHeader(grid.lines, words);
  if (header === undefined) return withoutHeader(grid);
  const columns = findColumns(grid, header.line, words, policy);
  const told = tellLines(grid, header.line, columns, words, policy);
  const lines = paymentLines(told);
  const checker = new RowChecker(grid, columns, lines, told.format, policy);
  const checked = told.payments.map((payment, index) => checker.check(index + 1, payment));
  const unread = readUnread(columns, lines);
  const out = leftOutRows(checked, unread, policy.layout);
  const kept = checked.filter((row) => !out.has(row));
  checkRepeated(kept, checker);
  const before = await checkHistory(kept, checker, policy);
  const fresh = kept.filter((row) => !before.has(row));
  const screened = columns.problems.length === 0 ? await screenRows(fresh, checker, policy) : undefined;
  const payments = { checked, out, kept, before, fresh, screened };
  const file = { grid, policy, header: header.line, columns, told, ...payments };
  return result(file, sheetReading(file, unread));
}

/** A file that was read and checked. */
interface CheckedFile extends Pick<InitiationResult, "screened"> {
  readonly grid: Grid;
  readonly policy: InitiationPolicy;
  readonly header: Line;
  readonly columns: FoundColumns;
  readonly told: ToldLines;
  readonly checked: readonly CheckedRow[];
  /** Why rows are left out; the others are kept. */
  readonly out: ReadonlyMap<CheckedRow, string>;
  readonly kept: readonly CheckedRow[];
  /** The rows that were accepted before; the others are fresh. */
  readonly before: ReadonlyMap<CheckedRow, Problem>;
  readonly fresh: readonly CheckedRow[];
}

function sheetReading(file: CheckedFile, unread: readonly UnreadCells[]): SheetReading {
  const { grid, columns, told, policy } = file;
  const { format, dialect, sheet, pictureCount } = grid;
  const { sections, totals, secondTotals } = told;
  const notes = [...notesBeside(grid), ...told.notes];
  const asked = { columns, unread, notes, sections, secondTotals, rows: file.kept };
  return {
    ...{ format, dialect, ...present({ sheet }), pictureCount, notes, sections, totals },
    otherSheets: policy.otherSheets ?? [],
    headerLine: file.header.line,
    header: columns.header,
    columns: columns.read,
    unread: unread.map(({ texts: _, ...column }) => column),
    questions: columns.problems.length > 0 ? [] : askQuestions(asked, policy.layout),
  };
}

function result(file: CheckedFile, reading: SheetReading): InitiationResult {
  const { grid, columns, told, checked, out, before, fresh, policy } = file;
  // Without one of its columns no row is good, whatever could be read of it.
  const good = columns.problems.length === 0 ? fresh.filter(isGood) : [];
  const sums = atScale(controlTotals(good.flatMap(({ draft }) => draft?.fields.amount ?? [])), policy);
  const totals = compareTotals(told, policy);
  const fileProblems = fileProblemsOf(file, sums, totals);
  const isWhole = fileProblems.length === 0 && good.length > 0;
  const isAccepted = isWhole && (good.length === fresh.length || policy.onBadRow === "reject-row");
  const isDescribed = columns.problems.length === 0;
  const rows = checked.map((row) => paymentLine(row, out.get(row), before.get(row), isDescribed));
  return {
    verdict: isAccepted ? "accepted" : "rejected",
    screened: file.screened,
    reading,
    rows,
    rowsRead: fresh.length,
    rowsAccepted: good.length,
    rowsRejected: fresh.length - good.length,
    rowsAcceptedBefore: before.size,
    rowsLeftOut: out.size,
    problems: inFileOrder([...fileProblems, ...rows.flatMap(({ problems }) => problems)]),
    fileProblems,
    warnings: inFileOrder([
      ...encodingNotice(grid, paymentLines(told)),
      ...rows.flatMap(({ warnings, before: notice }) => applying(...warnings, notice)),
    ]),
    controlTotals: sums,
    totalsConfirmedBy: totals.problems.length === 0 ? totals.sources : [],
  };
}

function fileProblemsOf(
  { grid, header, columns, told, checked, before, fresh, policy }: CheckedFile,
  sums: readonly ControlTotal[],
  totals: ComparedTotals,
): Problem[] {
  const payments = paymentLines(told);
  const assuming = checked.filter(({ assumesCurrency }) => assumesCurrency);
  const assumed = new Set(assuming.flatMap(({ draft }) => draft?.fields.amount.currency ?? []));
  const places = { grid, columns, noteLines: told.noteLines, payments };
  const secrets = secretsBeside(grid, [header, ...payments]);
  if (columns.problems.length > 0) return [...columns.problems, ...secrets];
  return [
    ...(fresh.length > 0 ? [] : [nothingToTake(before.size)]),
    ...hiddenColumns(grid, columns),
    ...told.problems,
    ...secrets,
    ...otherUnits(places, assumed),
    ...limitsExceeded(sums, policy),
    ...totals.problems,
  ];
}

function paymentLines({ payments }: ToldLines): Line[] {
  return payments.map(({ line }) => line);
}

/** The problem of a file without payouts, or of a correction in which nothing was corrected. */
function nothingToTake(rowsAcceptedBefore: number): Problem {
  return rowsAcceptedBefore === 0
    ? problem("FILE_HAS_NO_ROWS", {})
    : problem("FILE_HAS_NO_NEW_ROWS", { rows: rowsAcceptedBefore });
}

function paymentLine(
  { row, line, draft, problems, warnings }: CheckedRow,
  leftOut: string | undefined,
  before: Problem | undefined,
  isDescribed: boolean,
): PaymentLine {
  const place = { row, line: line.line };
  if (leftOut !== undefined) return { ...place, problems: [], warnings: [], leftOut };
  if (!isDescribed)
    return { ...place, problems: problems.filter(({ code }) => SECRET_CODES.has(code)), warnings: [] };
  const isGood = draft !== undefined && problems.length === 0 && before === undefined;
  return { ...place, problems, warnings, ...(isGood ? { draft } : {}), ...present({ before }) };
}

/** Of the file as a whole first, then by line; problems of one line stay in their order. */
function inFileOrder(problems: readonly Problem[]): Problem[] {
  return problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

/** Amounts with all decimals of their currency, so that people compare like with like. */
function atScale(totals: readonly ControlTotal[], { scales }: InitiationPolicy): ControlTotal[] {
  return totals.map((total) => ({
    ...total,
    amount: total.amount.rounded(scales.scaleOf(total.currency) ?? total.amount.scale),
  }));
}

/** A file without a line of column names. */
function withoutHeader(grid: Grid): InitiationResult {
  const problems = [
    problem("HEADER_NOT_FOUND", { sheets: "" }, present({ sheet: grid.sheet })),
    ...secretsBeside(grid, []),
  ];
  const nothing = { rowsRead: 0, rowsAccepted: 0, rowsRejected: 0, rowsAcceptedBefore: 0, rowsLeftOut: 0 };
  const none = { rows: [], warnings: [], controlTotals: [], totalsConfirmedBy: [] };
  const unread = { screened: undefined, reading: undefined };
  return { verdict: "rejected", ...unread, ...nothing, ...none, problems, fileProblems: problems };
}
