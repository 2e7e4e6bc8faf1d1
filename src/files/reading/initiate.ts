/** Reads and checks a whole payout file: its columns, its lines, each payment, and the payments together. */
import { type Problem, problem, SECRET_CODES } from "../../faults/index.ts";
import { type Grid, type Line, textOf } from "../../model/grid.ts";
import {
  type ControlTotal,
  canonicalFields,
  controlTotals,
  destinationField,
  destinationOf,
  foldedReference,
  groupedCourses,
} from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { holdsPrivateKey } from "../../model/private-key.ts";
import type { PaymentLine, SheetReading } from "../../model/sheet-reading.ts";
import { shownText } from "../../model/shown-text.ts";
import { type Amount, formatAmount } from "../../money/index.ts";
import { type CheckedRow, currenciesOf, lineHoldsKey, RowChecker } from "./check-row.ts";
import { type ClassifiedLines, classifyLines } from "./classify-lines.ts";
import { type ComparedTotals, compareTotals } from "./control-totals.ts";
import { type FoundColumns, findColumns } from "./find-columns.ts";
import { columnWords, findHeader } from "./find-header.ts";
import { limitsExceeded } from "./limits.ts";
import { headingContradicts, otherUnits } from "./other-units.ts";
import { giveReferences } from "./own-references.ts";
import { type EarlierUse, type InitiationPolicy, type InitiationResult, NOTHING_READ } from "./policy.ts";
import { askQuestions } from "./questions/ask-questions.ts";
import { notesBeside } from "./questions/lines.ts";
import type { UnreadCells } from "./questions/question.ts";
import { leftOutRows, readUnread, unknownToChart } from "./questions/unread.ts";
import type { ScreenedDraft } from "./screening/screened-payment.ts";

/**
 * Reads a grid by its structure, and turns its payments into draft instructions, or reports every problem of every
 * row at once. With onBadRow reject-file one bad row rejects the file; with reject-row it rejects only itself. A
 * problem of the whole file always rejects it. Throws only if the policy itself is wrong.
 */
export async function initiate(grid: Grid, policy: InitiationPolicy): Promise<InitiationResult> {
  const words = columnWords(policy.columns, policy.layout?.columns);
  const header = findHeader(grid.lines, words)?.line;
  if (header === undefined) return withoutHeader(grid);
  const columns = findColumns(grid, header, words, policy);
  const classified = classifyLines(grid, header, columns, words, policy);
  const lines = classified.payments;
  // In a short file, rows that reject it would start the second reader for nothing.
  const isLong = lines.length >= LONG_FILE_ROWS && columns.problems.length === 0;
  if (isLong) policy.onceFound?.(columns.read, lines);
  const checker = new RowChecker(grid, columns, lines, classified.format, policy);
  const checked = lines.map((line, index) => checker.check(index + 1, line, classified.sumsAbove.get(line)));
  if (columns.givesReferences) await giveReferences(checked, policy);
  const unread = readUnread(columns, lines);
  const ledger = unknownToChart(columns, lines, policy.unknownToChart);
  const out = leftOutRows(checked, [...unread, ...ledger], policy.layout);
  const kept = without(out, checked);
  checkRepeated(kept, checker);
  if (!isLong && mayBePaid(kept, columns, policy))
    policy.onceFound?.(
      columns.read,
      kept.filter(isGood).map(({ sent }) => sent),
    );
  const { before, known } = await checkHistory(kept, checker, policy);
  const fresh = without(before, kept);
  const file = {
    grid,
    policy,
    header,
    columns,
    classified,
    lines,
    checked,
    unread,
    ledger,
    out,
    kept,
    before,
    known,
    fresh,
  };
  // Questions come first, so that their temporary memory is free again before screening stores facts of each row.
  const reading = sheetReading(file);
  const isDescribed = columns.problems.length === 0;
  const screened = isDescribed ? await screenRows(fresh, checker, columns, policy) : undefined;
  return { ...result(file), screened, reading };
}

/** Checking so many takes about as long as starting the second reader. */
const LONG_FILE_ROWS = 5_000;

/** The rows that are not in the map, which are nearly always all rows. */
function without(some: ReadonlyMap<CheckedRow, unknown>, rows: readonly CheckedRow[]): readonly CheckedRow[] {
  return some.size === 0 ? rows : rows.filter((row) => !some.has(row));
}

/** A sheet that was read and checked. */
interface CheckedSheet {
  readonly grid: Grid;
  readonly policy: InitiationPolicy;
  readonly header: Line;
  readonly columns: FoundColumns;
  readonly classified: ClassifiedLines;
  /** The lines of payments. */
  readonly lines: readonly Line[];
  readonly checked: readonly CheckedRow[];
  readonly unread: readonly UnreadCells[];
  readonly ledger: readonly UnreadCells[];
  /** Why rows are left out; the others are kept. */
  readonly out: ReadonlyMap<CheckedRow, string>;
  readonly kept: readonly CheckedRow[];
  /** The rows that were accepted before; the others are fresh. */
  readonly before: ReadonlyMap<CheckedRow, Problem>;
  /** The rows whose reference an earlier payment has, including those that were accepted before. */
  readonly known: ReadonlyMap<CheckedRow, EarlierUse>;
  readonly fresh: readonly CheckedRow[];
}

/**
 * The first row with a reference keeps it, even if it is bad; each later one gets a problem that names the first.
 */
function checkRepeated(rows: readonly CheckedRow[], checker: RowChecker): void {
  const first = new Map<string, number>();
  for (const each of rows) {
    const { reference, line } = each;
    if (reference === undefined) continue;
    const folded = foldedReference(reference);
    const earlier = first.get(folded);
    const repeated = () => problem("REFERENCE_REPEATED", { reference, earlier: earlier ?? 0 });
    if (earlier === undefined) first.set(folded, line);
    else each.report(checker.placed(each, "reference", repeated()));
  }
}

/** Whether a row may be paid, judged on its own. */
function isGood({ hasFields, problems }: CheckedRow): boolean {
  return hasFields && problems.length === 0;
}

function mayBePaid(
  rows: readonly CheckedRow[],
  { problems }: FoundColumns,
  { onBadRow }: InitiationPolicy,
): boolean {
  return problems.length === 0 && (onBadRow === "reject-row" || rows.every(isGood));
}

/**
 * Compares the references with payments taken in before. Returns a notice for each row that was accepted with the
 * file which this one corrects. For any other earlier use it adds a problem to the row.
 */
async function checkHistory(
  rows: readonly CheckedRow[],
  checker: RowChecker,
  policy: InitiationPolicy,
): Promise<Pick<CheckedSheet, "before" | "known">> {
  const before = new Map<CheckedRow, Problem>();
  const known = new Map<CheckedRow, EarlierUse>();
  const uses = await policy.earlierUses(rows.flatMap(({ reference }) => reference ?? []));
  for (const each of uses.size === 0 ? [] : rows) {
    const { reference, row, line } = each;
    const use = reference === undefined ? undefined : uses.get(foldedReference(reference));
    if (reference === undefined || use === undefined) continue;
    const earlier = use.inWords;
    const place = (what: Problem) => checker.placed(each, "reference", what);
    if (use.isFree) {
      each.warn(place(problem("REFERENCE_WITHDRAWN_BEFORE", { reference, earlier })));
      continue;
    }
    known.set(each, use);
    if (isAcceptedAs(each, use)) before.set(each, problem("ROW_ACCEPTED_BEFORE", { earlier }, { row, line }));
    else if (use.corrected !== undefined)
      each.report(place(problem("ROW_CHANGED_AFTER_ACCEPTANCE", { reference, earlier })));
    else if (isSamePayment(each, use)) each.report(place(problem("ROW_SENT_BEFORE", { earlier })));
    else each.report(place(problem("REFERENCE_USED", { reference, earlier, other: paymentInWords(use) })));
  }
  return { before, known };
}

/** Whether amount and destination are the same; the rest of the row may differ. */
function isSamePayment({ fields: own }: CheckedRow, { fields }: EarlierUse): boolean {
  if (own === undefined) return false;
  const { amount } = own;
  const isSameAmount = amount.currency === fields.amount.currency && amount.value.equals(fields.amount.value);
  return isSameAmount && destinationOf(own) === destinationOf(fields);
}

/** "a payment of 0.05 BTC to bc1q..." */
function paymentInWords({ fields }: EarlierUse): string {
  return `a payment of ${formatAmount(fields.amount)} to ${fields[destinationField(fields)] ?? ""}`;
}

function isAcceptedAs({ draft }: CheckedRow, { corrected }: EarlierUse): boolean {
  if (draft === undefined || corrected === undefined) return false;
  return canonicalFields(draft.fields) === canonicalFields(corrected);
}

/** Screens the good rows, and adds the findings to them. */
async function screenRows(
  rows: readonly CheckedRow[],
  checker: RowChecker,
  { givesReferences }: FoundColumns,
  { screen }: InitiationPolicy,
): Promise<InitiationResult["screened"]> {
  const screened = await screen?.(draftsToScreen(rows), givesReferences);
  const findings = screened?.findings ?? [];
  const wanted = new Set(findings.map(({ row }) => row));
  const byRow = new Map<number, CheckedRow>();
  for (const each of rows) if (wanted.has(each.row)) byRow.set(each.row, each);
  for (const { row, column, what, isRefusal } of findings) {
    const found = byRow.get(row);
    if (found === undefined) continue;
    const placed = checker.placed(found, column, what);
    if (isRefusal) found.report(placed);
    else found.warn(placed);
  }
  return screened?.report;
}

/** The good rows. Each draft is built when it is read, and the rows can be iterated again. */
function draftsToScreen(rows: readonly CheckedRow[]): Iterable<ScreenedDraft> {
  return {
    *[Symbol.iterator]() {
      for (const { row, line, draft } of rows)
        if (draft !== undefined) yield { row, line, fields: draft.fields };
    },
  };
}

function sheetReading(file: CheckedSheet): SheetReading {
  const { grid, policy, header, columns, classified, unread, ledger, kept: rows } = file;
  const notes = [...notesBeside(grid, columns.header), ...classified.notes];
  const asked = { policy, grid, columns, classified, notes, unread, ledger, rows };
  return {
    format: grid.format,
    dialect: grid.dialect,
    ...present({ sheet: grid.sheet }),
    pictureCount: grid.pictureCount,
    notes,
    sections: classified.sections,
    totals: classified.totals,
    otherSheets: policy.otherSheets,
    headerLine: header.line,
    header: columns.header,
    columns: columns.read,
    unread: unread.map(({ position, heading, kind, values }) => ({ position, heading, kind, values })),
    questions: columns.problems.length > 0 ? [] : askQuestions(asked),
  };
}

function result(file: CheckedSheet): Omit<InitiationResult, "screened" | "reading"> {
  const { grid, columns, classified, lines, checked, out, before, known, fresh, policy } = file;
  // Without a required column no row is good, even if all other cells could be read.
  const good = columns.problems.length === 0 ? fresh.filter(isGood) : [];
  const sums = controlTotals(amountsOf(good)).map((total) => {
    // With all decimals of their currency, so that people see amounts of one form.
    const scale = policy.scales.scaleOf(total.currency) ?? total.amount.scale;
    return { ...total, amount: total.amount.rounded(scale) };
  });
  const totals = compareTotals(classified, policy, new Set([...out.keys()].map(({ line }) => line)));
  const fileProblems = fileProblemsOf(file, sums, totals);
  const isWhole = fileProblems.length === 0 && good.length > 0;
  const isAccepted = isWhole && (good.length === fresh.length || policy.onBadRow === "reject-row");
  const rows = checked.map((row) => paymentLine(row, file));
  const ofRows = rows.flatMap(warningsOf);
  return {
    verdict: isAccepted ? "accepted" : "rejected",
    rows,
    rowsRead: fresh.length,
    rowsAccepted: good.length,
    rowsRejected: fresh.length - good.length,
    rowsAcceptedBefore: before.size,
    rowsLeftOut: out.size,
    sentBefore: groupedCourses(
      [...known].flatMap(([row, use]) => (before.has(row) && fresh.length > 0 ? [] : use)),
    ),
    problems: inFileOrder([...fileProblems, ...rows.flatMap(({ problems }) => problems)]),
    fileProblems,
    warnings: inFileOrder([...encodingNotice(grid, lines), ...ofRows]),
    controlTotals: sums,
    totalsConfirmedBy: totals.problems.length === 0 ? totals.sources : [],
  };
}

/** Most rows have none. */
function warningsOf({ warnings, before }: PaymentLine): readonly Problem[] {
  return before === undefined ? warnings : [...warnings, before];
}

function* amountsOf(rows: readonly CheckedRow[]): Generator<Amount> {
  for (const { amount } of rows) if (amount !== undefined) yield amount;
}

function fileProblemsOf(
  { grid, header, columns, classified, lines, checked, before, fresh, policy }: CheckedSheet,
  sums: readonly ControlTotal[],
  totals: ComparedTotals,
): Problem[] {
  const secrets = secretsBeside(grid, [header, ...lines]);
  if (columns.problems.length > 0) return [...columns.problems, ...secrets];
  const assumed = currenciesOf(checked.filter(({ assumesCurrency }) => assumesCurrency));
  const paid = currenciesOf(checked);
  const rows = before.size;
  const nothing = rows === 0 ? problem("FILE_HAS_NO_ROWS", {}) : problem("FILE_HAS_NO_NEW_ROWS", { rows });
  return [
    ...(fresh.length > 0 ? [] : [nothing]),
    ...hiddenColumns(grid, columns),
    ...classified.problems,
    ...secrets,
    ...headingContradicts(grid, columns, paid),
    ...otherUnits(grid, header, columns, classified, assumed),
    ...limitsExceeded(sums, policy.limits.perFile),
    ...totals.problems,
  ];
}

function paymentLine(each: CheckedRow, { columns, out, before }: CheckedSheet): PaymentLine {
  const { row, line, problems, warnings, ownReference } = each;
  const [leftOut, known] = [out.get(each), before.get(each)];
  const isDescribed = columns.problems.length === 0;
  // True for nearly every row, which is reported as it is.
  if (leftOut === undefined && known === undefined && isDescribed) return each;
  const place = { row, line, ...present({ ownReference }) };
  if (leftOut !== undefined) return { ...place, problems: [], warnings: [], leftOut };
  if (known !== undefined && isDescribed) return { ...place, problems, warnings, before: known };
  return { ...place, problems: problems.filter(({ code }) => SECRET_CODES.has(code)), warnings: [] };
}

/** Problems of the whole file first, then by line; problems of one line stay in their order. */
function inFileOrder(problems: readonly Problem[]): Problem[] {
  return problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

/** A file without a line of column names. */
function withoutHeader(grid: Grid): InitiationResult {
  const place = present({ sheet: grid.sheet });
  const problems = [problem("HEADER_NOT_FOUND", { sheets: "" }, place), ...secretsBeside(grid, [])];
  return {
    ...NOTHING_READ,
    verdict: "rejected",
    screened: undefined,
    rows: [],
    problems,
    fileProblems: problems,
  };
}

/** Problems of hidden columns that are read: the approver would not see what is paid. */
function hiddenColumns({ hiddenColumns, sheet }: Grid, { read }: FoundColumns): Problem[] {
  return read
    .filter(({ position }) => hiddenColumns.has(position))
    .map(({ heading: column }) => problem("COLUMN_HIDDEN", { column }, { ...present({ sheet }), column }));
}

/** Private keys outside the cells, and in lines that are not in `checked`, which is in file order. */
function secretsBeside({ outside, sheet, lines }: Grid, checked: readonly Line[]): Problem[] {
  let next = 0;
  const isChecked = (line: Line) => {
    const is = line === checked[next];
    next += Number(is);
    return is;
  };
  const secret = (field: string, line?: number) =>
    problem("VALUE_IS_SECRET", { field }, present({ sheet, line }));
  return [
    ...lines.flatMap((each) =>
      isChecked(each) || !lineHoldsKey(each) ? [] : [secret("a line beside the payments", each.line)],
    ),
    ...outside.flatMap(({ place, text }) => (holdsPrivateKey(text) ? [secret(place)] : [])),
  ];
}

/**
 * Reports the encoding in which a CSV was read, if it was guessed, at the first text whose letters depend on it.
 */
function encodingNotice({ csv }: Grid, lines: readonly Line[]): Problem[] {
  if (csv?.isEncodingGuessed !== true) return [];
  for (const { line, cells } of lines) {
    const text = cells.map(textOf).find((each) => /[\x80-\uffff]/.test(each));
    if (text !== undefined) return [problem("ENCODING_GUESSED", { text: shownText(text) }, { line })];
  }
  return [];
}
