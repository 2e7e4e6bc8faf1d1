/** Checks a whole payout file: each row, references among themselves and with history, sums with limits. */
import type { Problem } from "../faults/index.ts";
import {
  type ControlTotal,
  type DraftInstruction,
  type Row,
  RunningTotals,
  type Table,
} from "../model/index.ts";
import { numberStyle } from "./amounts/number-style.ts";
import { rivalAmounts } from "./amounts/rival-amounts.ts";
import { controlTotalCheck } from "./control-totals/control-totals.ts";
import {
  limitsExceeded,
  nothingToTake,
  notToBePaid,
  otherUnitIn,
  otherUnits,
  payoutsAbove,
} from "./file-rules.ts";
import { FirstRows } from "./first-rows.ts";
import { encodingNotice } from "./guessed-encoding.ts";
import { readHeader } from "./header.ts";
import type { InitiationPolicy, InitiationResult } from "./policy.ts";
import { problemList } from "./problem-list.ts";
import { checkHistory, checkRepeated } from "./reference-checks.ts";
import { type CheckedRow, goodDraft, isNoPayout, rowChecker } from "./row-checker.ts";
import { truncationCheck } from "./truncation.ts";

/** The result of one window of rows, in file order. */
export interface CheckedWindow {
  /** The drafts of rows without a problem; they count only once the verdict is accepted. */
  readonly drafts: readonly DraftInstruction[];
  /** Includes the notices of rows that were accepted before, which the answer shows beside those rows. */
  readonly problems: readonly Problem[];
}

/**
 * Turns the rows of a payout file into draft instructions, or reports every problem of every row at once.
 *
 * The table's rows are read once, lazily, in windows, and none is kept: `take` is given all drafts and problems of each
 * window. With onBadRow reject-file one bad row rejects the file; with reject-row only itself. A problem of the whole
 * file (a missing column, no rows, a limit per file) rejects it either way. Throws only if the policy itself is wrong,
 * and what `take` throws.
 */
export async function initiate(
  table: Table,
  policy: InitiationPolicy,
  take: (window: CheckedWindow) => void | Promise<void> = () => undefined,
): Promise<InitiationResult> {
  const file = fileCheck(table, policy);
  for await (const window of table.windows()) await take(await file.check(window));
  return file.result();
}

/** Collects what is found while the rows of one file go by: first `check` every window, then ask for the `result`. */
function fileCheck(table: Table, policy: InitiationPolicy) {
  const header = readHeader(table.header, policy.columns);
  const rowCheck = rowChecker(table, header, policy);
  const firstUses = new FirstRows();
  const declared = controlTotalCheck(table, header, policy);
  const style = numberStyle(policy.numberFormat, table.source);
  const rivals = rivalAmounts(table, header, policy.numberFormat);
  const encoding = encodingNotice(table, header);
  const truncation = truncationCheck(table, header);
  const problems = problemList();
  const warnings = problemList();
  const sums = new RunningTotals();
  /** The first line among the rows, no payout itself, that gives the amounts another unit or currency. */
  let unitNote: Problem | undefined;
  /** The currencies of rows that do not say theirs. */
  const assumedCurrencies = new Set<string>();
  let rowsRead = 0;
  let rowsAccepted = 0;
  let rowsAcceptedBefore = 0;
  problems.add(header.problems);
  warnings.add(header.warnings);
  return { check, result };

  async function check(window: readonly Row[]): Promise<CheckedWindow> {
    encoding.see(window);
    const declaring = new Set(window.filter((row) => declared.take(row)));
    const rows = declaring.size === 0 ? window : window.filter((row) => !declaring.has(row));
    const checked = rows.map(checkedRow);
    truncation.see(window, checked);
    for (const each of checked) checkRepeated(each, firstUses);
    const before = await checkHistory(checked, policy);
    const fresh = before.size === 0 ? checked : checked.filter((each) => !before.has(each));
    await screen(fresh);
    collect(checked);
    seeNotes(window.filter((row) => declaring.has(row) || isNoPayout(row, header)));
    const notices = [...before.values()];
    warnings.add(notices);
    rowsAcceptedBefore += before.size;
    const drafts = draftsOf(fresh);
    return { drafts, problems: [...checked.flatMap((each) => each.problems), ...notices] };
  }

  function checkedRow(row: Row): CheckedRow {
    const checked = rowCheck.check(row);
    rivals.see(row, checked);
    return checked;
  }

  function seeNotes(rows: readonly Row[]): void {
    const notes = rows.map((row) => otherUnitIn(row, table.sheet, assumedCurrencies));
    unitNote ??= notes.find((note) => note !== undefined);
  }

  /** Screens the good rows, and adds what was found to them. */
  async function screen(checked: readonly CheckedRow[]): Promise<void> {
    const drafts = checked.flatMap((each) => goodDraft(each).map((draft) => ({ ...draft, line: each.line })));
    const findings = drafts.length === 0 ? [] : ((await policy.screen?.(drafts)) ?? []);
    if (findings.length === 0) return;
    const rows = new Map(checked.map((each) => [each.row, each]));
    for (const { row, column, what, isRefusal } of findings) {
      const found = rows.get(row);
      if (found !== undefined) (isRefusal ? found.problems : found.warnings).push(found.place(column, what));
    }
  }

  function collect(checked: readonly CheckedRow[]): void {
    for (const each of checked) {
      style.see(each);
      declared.see(each);
      if (each.assumedCurrency !== undefined) assumedCurrencies.add(each.assumedCurrency);
      problems.add(each.problems);
      warnings.add(each.warnings);
    }
  }

  /** Counts the rows, and adds up the good ones. */
  function draftsOf(fresh: readonly CheckedRow[]): readonly DraftInstruction[] {
    // Below a header with a problem no row is good, whatever could be read of it.
    const drafts = header.problems.length === 0 ? fresh.flatMap(goodDraft) : [];
    rowsRead += fresh.length;
    rowsAccepted += drafts.length;
    for (const { fields } of drafts) sums.add(fields.amount);
    return drafts;
  }

  function result(): InitiationResult {
    const controlTotals = atScale(sums.totals(), policy);
    const differences = declared.problems();
    const atTheEnd = endProblems(controlTotals, differences);
    problems.add(atTheEnd);
    warnings.add(declared.warnings());
    warnings.add(encoding.warnings());
    const fileProblems = [...header.problems, ...atTheEnd];
    return {
      verdict: isAccepted(fileProblems) ? "accepted" : "rejected",
      rowsRead,
      rowsAccepted,
      rowsRejected: rowsRead - rowsAccepted,
      rowsAcceptedBefore,
      problems: problems.kept,
      fileProblems,
      problemCounts: problems.counts(),
      warnings: warnings.kept,
      warningCounts: warnings.counts(),
      controlTotals,
      totalsConfirmedBy: differences.length === 0 ? [...declared.sources] : [],
      unknownColumns: header.unknownColumns,
    };
  }

  /** The problems of the file as a whole that show only once all rows were seen. */
  function endProblems(
    controlTotals: readonly ControlTotal[],
    differences: readonly Problem[],
  ): readonly Problem[] {
    return [
      ...(rowsRead === 0 ? [nothingToTake(rowsAcceptedBefore)] : []),
      ...payoutsAbove(table, header),
      ...style.problems(),
      ...rivals.problems(),
      ...notToBePaid(table),
      ...otherUnits(table, assumedCurrencies),
      ...(unitNote === undefined ? [] : [unitNote]),
      ...limitsExceeded(controlTotals, policy),
      ...differences,
    ];
  }

  function isAccepted(fileProblems: readonly Problem[]): boolean {
    // Below a second header the same columns may mean something else, even if the rows look right.
    const hasOneHeader = problems.counts().HEADER_REPEATED === undefined;
    const isWhole = fileProblems.length === 0 && hasOneHeader && rowsAccepted > 0;
    return isWhole && (rowsAccepted === rowsRead || policy.onBadRow === "reject-row");
  }
}

/** Amounts with all decimals of their currency, so that people compare like with like. */
function atScale(totals: readonly ControlTotal[], { scales }: InitiationPolicy): ControlTotal[] {
  return totals.map((total) => ({
    ...total,
    amount: total.amount.rounded(scales.scaleOf(total.currency) ?? total.amount.scale),
  }));
}
