/** Checks a whole payout file: each row, references among themselves and with history, sums with limits. */
import type { Problem } from "../faults/index.ts";
import {
  type ControlTotal,
  type DraftInstruction,
  type Row,
  RunningTotals,
  type Table,
} from "../model/index.ts";
import { NumberStyle } from "./amounts/number-style.ts";
import { ControlTotalCheck } from "./control-totals/control-totals.ts";
import { EncodingNotice, TruncationCheck } from "./csv-doubts.ts";
import {
  limitsExceeded,
  nothingToTake,
  notToBePaid,
  otherUnitIn,
  otherUnits,
  payoutsAbove,
} from "./file-rules.ts";
import { FirstRows } from "./first-rows.ts";
import { type Header, readHeader } from "./header.ts";
import type { InitiationPolicy, InitiationResult } from "./policy.ts";
import { ProblemList } from "./problem-list.ts";
import { checkHistory, checkRepeated } from "./reference-checks.ts";
import { type CheckedRow, goodDraft, isNoPayout, RowChecker } from "./row-checker.ts";

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
  const file = new FileCheck(table, policy);
  for await (const window of table.windows()) await take(await file.check(window));
  return file.result();
}

/** Collects what is found while the rows of one file go by: first `check` every window, then ask for the `result`. */
class FileCheck {
  private readonly table: Table;
  private readonly policy: InitiationPolicy;
  private readonly header: Header;
  private readonly rowChecker: RowChecker;
  private readonly firstUses = new FirstRows();
  private readonly declared: ControlTotalCheck;
  private readonly numberStyle: NumberStyle;
  private readonly encoding: EncodingNotice;
  private readonly truncation: TruncationCheck;
  private readonly problems = new ProblemList();
  private readonly warnings = new ProblemList();
  private readonly sums = new RunningTotals();
  /** The first line among the rows, no payout itself, that gives the amounts another unit or currency. */
  private unitNote: Problem | undefined;
  /** The currencies of rows that do not say theirs. */
  private readonly assumedCurrencies = new Set<string>();
  private rowsRead = 0;
  private rowsAccepted = 0;
  private rowsAcceptedBefore = 0;

  constructor(table: Table, policy: InitiationPolicy) {
    this.table = table;
    this.policy = policy;
    this.header = readHeader(table.header, policy.columns);
    this.rowChecker = new RowChecker(table, this.header, policy);
    this.declared = new ControlTotalCheck(table, this.header, policy);
    this.numberStyle = new NumberStyle(policy.numberFormat, table.source);
    this.encoding = new EncodingNotice(table, this.header);
    this.truncation = new TruncationCheck(table, this.header);
    this.problems.add(this.header.problems);
    this.warnings.add(this.header.warnings);
  }

  async check(window: readonly Row[]): Promise<CheckedWindow> {
    this.encoding.see(window);
    const declaring = new Set(window.filter((row) => this.declared.take(row)));
    const rows = declaring.size === 0 ? window : window.filter((row) => !declaring.has(row));
    const checked = rows.map((row) => this.rowChecker.check(row));
    this.truncation.see(window, checked);
    for (const each of checked) checkRepeated(each, this.firstUses);
    const before = await checkHistory(checked, this.policy);
    const fresh = before.size === 0 ? checked : checked.filter((each) => !before.has(each));
    await this.screen(fresh);
    this.collect(checked);
    this.seeNotes(window.filter((row) => declaring.has(row) || isNoPayout(row, this.header)));
    const notices = [...before.values()];
    this.warnings.add(notices);
    this.rowsAcceptedBefore += before.size;
    const drafts = this.draftsOf(fresh);
    return { drafts, problems: [...checked.flatMap((each) => each.problems), ...notices] };
  }

  private seeNotes(rows: readonly Row[]): void {
    const notes = rows.map((row) => otherUnitIn(row, this.table.sheet, this.assumedCurrencies));
    this.unitNote ??= notes.find((note) => note !== undefined);
  }

  /** Screens the good rows, and adds what was found to them. */
  private async screen(checked: readonly CheckedRow[]): Promise<void> {
    const drafts = checked.flatMap(goodDraft);
    const findings = drafts.length === 0 ? [] : ((await this.policy.screen?.(drafts)) ?? []);
    if (findings.length === 0) return;
    const rows = new Map(checked.map((each) => [each.row, each]));
    for (const { row, column, what, isRefusal } of findings) {
      const found = rows.get(row);
      if (found !== undefined) (isRefusal ? found.problems : found.warnings).push(found.place(column, what));
    }
  }

  private collect(checked: readonly CheckedRow[]): void {
    for (const each of checked) {
      this.numberStyle.see(each);
      this.declared.see(each);
      if (each.assumedCurrency !== undefined) this.assumedCurrencies.add(each.assumedCurrency);
      this.problems.add(each.problems);
      this.warnings.add(each.warnings);
    }
  }

  /** Counts the rows, and adds up the good ones. */
  private draftsOf(fresh: readonly CheckedRow[]): readonly DraftInstruction[] {
    // Below a header with a problem no row is good, whatever could be read of it.
    const drafts = this.header.problems.length === 0 ? fresh.flatMap(goodDraft) : [];
    this.rowsRead += fresh.length;
    this.rowsAccepted += drafts.length;
    for (const { fields } of drafts) this.sums.add(fields.amount);
    return drafts;
  }

  result(): InitiationResult {
    const { rowsRead, rowsAccepted, rowsAcceptedBefore, header, declared, problems, warnings } = this;
    const controlTotals = atScale(this.sums.totals(), this.policy);
    const differences = declared.problems();
    const endProblems = this.endProblems(controlTotals, differences);
    problems.add(endProblems);
    warnings.add(declared.warnings());
    warnings.add(this.encoding.warnings());
    const fileProblems = [...header.problems, ...endProblems];
    return {
      verdict: this.isAccepted(fileProblems) ? "accepted" : "rejected",
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
  private endProblems(
    controlTotals: readonly ControlTotal[],
    differences: readonly Problem[],
  ): readonly Problem[] {
    return [
      ...(this.rowsRead === 0 ? [nothingToTake(this.rowsAcceptedBefore)] : []),
      ...payoutsAbove(this.table, this.header),
      ...this.numberStyle.problems(),
      ...notToBePaid(this.table),
      ...otherUnits(this.table, this.assumedCurrencies),
      ...(this.unitNote === undefined ? [] : [this.unitNote]),
      ...limitsExceeded(controlTotals, this.policy),
      ...differences,
    ];
  }

  private isAccepted(fileProblems: readonly Problem[]): boolean {
    // Below a second header the same columns may mean something else, even if the rows look right.
    const hasOneHeader = this.problems.counts().HEADER_REPEATED === undefined;
    const isWhole = fileProblems.length === 0 && hasOneHeader && this.rowsAccepted > 0;
    return isWhole && (this.rowsAccepted === this.rowsRead || this.policy.onBadRow === "reject-row");
  }
}

/** Amounts with all decimals of their currency, so that people compare like with like. */
function atScale(totals: readonly ControlTotal[], { scales }: InitiationPolicy): ControlTotal[] {
  return totals.map((total) => ({
    ...total,
    amount: total.amount.rounded(scales.scaleOf(total.currency) ?? total.amount.scale),
  }));
}
