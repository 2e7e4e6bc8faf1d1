/** Reads and checks a whole payout file: its columns, its lines, each payment, and the payments among themselves. */
import { isProblem, type Problem, problem, SECRET_CODES } from "../faults/index.ts";
import { type Grid, type Line, textOf } from "../model/grid.ts";
import { type ControlTotal, findCustodyAccount, RunningTotals } from "../model/index.ts";
import { present } from "../model/present.ts";
import type { PaymentLine, SheetReading } from "../model/sheet-reading.ts";
import { shownWhole } from "../model/shown-text.ts";
import { askQuestions, leftOut, notesBeside } from "./ask-questions.ts";
import { encodingNotice, hiddenColumns, limitsExceeded, otherUnits, secretsBeside } from "./check-file.ts";
import { checkHistory, checkRepeated, isGood, screenRows } from "./check-history.ts";
import { type CheckedRow, RowChecker } from "./check-row.ts";
import { type AmountFormat, type AmountReading, amountFormatOf, readAmount } from "./column-format.ts";
import { type ColumnWords, columnWords } from "./column-words.ts";
import { type ComparedTotals, compareTotals } from "./control-totals.ts";
import { type FoundColumns, findColumns } from "./find-columns.ts";
import { findHeader } from "./find-header.ts";
import type { InitiationPolicy, InitiationResult } from "./policy.ts";
import { chooseCustodyAccount, namedCurrency } from "./row-rules.ts";
import type { ScreeningReport } from "./screening/screening.ts";
import { type LineReading, type ToldLines, tellLines } from "./tell-lines.ts";
import { readUnread, type UnreadCells } from "./unread-columns.ts";

/**
 * Reads a grid by its structure, and turns its payments into draft instructions, or reports every problem of every row at
 * once. With onBadRow reject-file one bad row rejects the file; with reject-row only itself. A problem of the whole file
 * rejects it either way. Throws only if the policy itself is wrong.
 */
export async function initiate(grid: Grid, policy: InitiationPolicy): Promise<InitiationResult> {
  const words = columnWords(policy.columns, policy.layout?.columns);
  const header = findHeader(grid.lines, words);
  if (header === undefined) return unread(grid);
  const columns = findColumns(grid, header.line, words, policy);
  const told = toldLines(grid, header.line, columns, words, policy);
  const lines = told.payments.map(({ line }) => line);
  const checker = new RowChecker(grid, columns, lines, told.format, policy);
  const checked = told.payments.map((payment, index) => checker.check(index + 1, payment));
  const unreadCells = readUnread(columns, lines);
  const out = leftOutRows(checked, unreadCells, policy);
  const kept = out.size === 0 ? checked : checked.filter((row) => !out.has(row));
  checkRepeated(kept, checker);
  const before = await checkHistory(kept, checker, policy);
  const fresh = before.size === 0 ? kept : kept.filter((row) => !before.has(row));
  const screened = columns.problems.length === 0 ? await screenRows(fresh, checker, policy) : undefined;
  const file = {
    grid,
    policy,
    header: header.line,
    columns,
    told,
    unreadCells,
    checked,
    out,
    kept,
    before,
    fresh,
    screened,
  };
  return result(file, sheetReading(file), compareTotals(told, policy));
}

/** A file that was read and checked. */
interface CheckedFile {
  readonly grid: Grid;
  readonly policy: InitiationPolicy;
  readonly header: Line;
  readonly columns: FoundColumns;
  readonly told: Told;
  readonly unreadCells: readonly UnreadCells[];
  readonly checked: readonly CheckedRow[];
  /** Why rows are left out; the others are kept. */
  readonly out: ReadonlyMap<CheckedRow, string>;
  readonly kept: readonly CheckedRow[];
  /** The rows that were accepted before; the others are fresh. */
  readonly before: ReadonlyMap<CheckedRow, Problem>;
  readonly fresh: readonly CheckedRow[];
  readonly screened: ScreeningReport | undefined;
}

type Told = ToldLines & { readonly format: AmountFormat };

/** Tells the lines apart by their amounts, whose one format every cell of the column decides. */
function toldLines(
  grid: Grid,
  headerLine: Line,
  columns: FoundColumns,
  words: ColumnWords,
  policy: InitiationPolicy,
): Told {
  const at = (line: Line, column: "amount" | "currency" | "accountId") =>
    line.cells[columns.positions.get(column) ?? -1] ?? "";
  const below = grid.lines.slice(grid.lines.indexOf(headerLine) + 1);
  const cells = below.map((line) => at(line, "amount"));
  const { format, doubt } = amountFormatOf(cells, policy.numberFormat, grid.csv?.delimiter === ";");
  const amounts = new Map<Line, AmountReading | Problem | undefined>();
  for (const [index, line] of below.entries()) {
    const cell = cells[index] ?? "";
    amounts.set(line, cell === "" ? undefined : readAmount(cell, format));
  }
  const reading: LineReading = {
    amountOf: (line) => (amounts.has(line) ? amounts.get(line) : readAmount(at(line, "amount"), format)),
    askedOf: (line, { value, unit, fromNumberCell }, isPayment) => {
      const text = textOf(at(line, "currency")).trim();
      const named = namedCurrency(text === "" ? undefined : text, columns.amountCurrency, unit);
      const account = textOf(at(line, "accountId")).trim();
      const currency = named ?? (isPayment ? currencyOfAccount(account, policy) : "");
      const scale = policy.scales.scaleOf(currency) ?? SCALE_OF_SUMS;
      return {
        currency,
        value: fromNumberCell && !isPayment && value.scale > scale ? value.rounded(scale) : value,
      };
    },
  };
  const told = tellLines(grid, headerLine, columns, words, reading);
  const where = { ...present({ sheet: grid.sheet }), line: below[doubt?.index ?? 0]?.line ?? 0 };
  const problems = doubt === undefined ? told.problems : [...told.problems, { ...doubt.what, ...where }];
  return { ...told, problems, format };
}

/** A calculated sum carries the noise of binary numbers after these decimals. */
const SCALE_OF_SUMS = 8;

function currencyOfAccount(text: string, policy: InitiationPolicy): string {
  const named = text === "" ? undefined : findCustodyAccount(text, policy.custodyAccounts);
  const account = named ?? chooseCustodyAccount(undefined, undefined, policy);
  if (!isProblem(account)) return account.currency;
  const [only = "", another] = new Set(policy.custodyAccounts.map(({ currency }) => currency));
  return another === undefined ? only : "";
}

function leftOutRows(
  rows: readonly CheckedRow[],
  unreadCells: readonly UnreadCells[],
  { layout }: InitiationPolicy,
): ReadonlyMap<CheckedRow, string> {
  const out = new Map<CheckedRow, string>();
  for (const row of rows) {
    const why = leftOut(row.line, row.reference, unreadCells, layout);
    if (why !== undefined) out.set(row, why);
  }
  return out;
}

function sheetReading({ grid, columns, told, unreadCells, header, kept, policy }: CheckedFile): SheetReading {
  const beside = notesBeside(grid).map(({ place, text }) => ({ place, text: shownWhole(text) }));
  const notes = [...beside, ...told.notes];
  const { sections, totals, secondTotals } = told;
  const asked = { columns, unread: unreadCells, notes, sections, secondTotals, rows: kept };
  return {
    format: grid.format,
    dialect: grid.dialect,
    ...present({ sheet: grid.sheet }),
    otherSheets: policy.otherSheets ?? [],
    headerLine: header.line,
    header: columns.header,
    columns: columns.read,
    unread: unreadCells.map(({ texts: _, ...column }) => column),
    notes,
    sections,
    totals,
    pictureCount: grid.pictureCount,
    questions: columns.problems.length > 0 ? [] : askQuestions(asked, policy.layout),
  };
}

function result(file: CheckedFile, reading: SheetReading, totals: ComparedTotals): InitiationResult {
  const { grid, columns, told, checked, out, before, fresh, policy } = file;
  // Without one of its columns no row is good, whatever could be read of it.
  const good = columns.problems.length === 0 ? fresh.filter(isGood) : [];
  const sums = new RunningTotals();
  for (const { draft } of good) if (draft !== undefined) sums.add(draft.fields.amount);
  const controlTotals = atScale(sums.totals(), policy);
  const fileProblems = fileProblemsOf(file, controlTotals, totals);
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
      ...encodingNotice(
        grid,
        told.payments.map(({ line }) => line),
      ),
      ...rows.flatMap(({ warnings, before: notice }) =>
        notice === undefined ? warnings : [...warnings, notice],
      ),
    ]),
    controlTotals,
    totalsConfirmedBy: totals.problems.length === 0 ? totals.sources : [],
  };
}

function fileProblemsOf(
  { grid, header, columns, told, checked, before, fresh, policy }: CheckedFile,
  controlTotals: readonly ControlTotal[],
  totals: ComparedTotals,
): Problem[] {
  const payments = told.payments.map(({ line }) => line);
  const assumed = new Set(
    checked.flatMap(({ draft, assumesCurrency }) =>
      draft && assumesCurrency ? [draft.fields.amount.currency] : [],
    ),
  );
  const places = { grid, columns, noteLines: told.noteLines, payments };
  const secrets = secretsBeside(grid, [header, ...payments]);
  if (columns.problems.length > 0) return [...columns.problems, ...secrets];
  return [
    ...(fresh.length === 0 ? [nothingToTake(before.size)] : []),
    ...hiddenColumns(grid, columns),
    ...told.problems,
    ...secrets,
    ...otherUnits(places, assumed),
    ...limitsExceeded(controlTotals, policy),
    ...totals.problems,
  ];
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
function unread(grid: Grid): InitiationResult {
  const problems = [
    problem("HEADER_NOT_FOUND", { sheets: "" }, present({ sheet: grid.sheet })),
    ...secretsBeside(grid, []),
  ];
  const nothing = { rowsRead: 0, rowsAccepted: 0, rowsRejected: 0, rowsAcceptedBefore: 0, rowsLeftOut: 0 };
  const none = { rows: [], warnings: [], controlTotals: [], totalsConfirmedBy: [] };
  return {
    verdict: "rejected",
    screened: undefined,
    reading: undefined,
    ...nothing,
    ...none,
    problems,
    fileProblems: problems,
  };
}
