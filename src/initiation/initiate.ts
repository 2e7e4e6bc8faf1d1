/** A whole table: every row checked, references compared with each other and with history, sums with the limits. */
import { type Problem, problem } from "../faults/index.ts";
import {
  type ControlTotal,
  controlTotals,
  type DraftInstruction,
  type Row,
  type Table,
} from "../model/index.ts";
import { formatAmount } from "../money/index.ts";
import { ControlTotalCheck } from "./control-totals.ts";
import { readHeader } from "./header.ts";
import { NumberStyle } from "./number-style.ts";
import type { InitiationPolicy, InitiationResult } from "./policy.ts";
import { type CheckedRow, rowChecker } from "./row-checker.ts";

/** Rows whose references are looked up in history together. */
const WINDOW_ROWS = 500;

/**
 * Turns the rows of a payout file into draft instructions, or says every problem of every row at once.
 *
 * The table's rows are read once, lazily, in windows. With onBadRow reject-file one bad row rejects the file; with
 * reject-row only itself. A problem of the whole file (a missing column, no rows, a limit per file) rejects it either
 * way. Throws only where the policy itself is wrong.
 */
export async function initiate(table: Table, policy: InitiationPolicy): Promise<InitiationResult> {
  const header = readHeader(table.header, policy.columns);
  const checkRow = rowChecker(table, header, policy);
  const firstUses = new Map<string, number>();
  const declared = new ControlTotalCheck(table, header, policy);
  const numberStyle = new NumberStyle(policy.numberFormat);
  const rowProblems: Problem[] = [];
  const warnings: Problem[] = [...header.warnings];
  const good: DraftInstruction[] = [];
  let rowsRead = 0;

  for await (const window of windowsOf(table.rows())) {
    const checked = window.filter((row) => !declared.take(row)).map(checkRow);
    for (const each of checked) checkRepeated(each, firstUses);
    await checkHistory(checked, policy);
    for (const { draft, ...each } of checked) {
      rowsRead += 1;
      numberStyle.see(each);
      declared.see(each);
      rowProblems.push(...each.problems);
      warnings.push(...each.warnings);
      // A row of a header that is not understood is never good, whatever could be read of it.
      if (draft !== undefined && each.problems.length === 0 && header.problems.length === 0) good.push(draft);
    }
  }

  const totals = totalsAtScale(good, policy);
  const fileProblems = [
    ...(rowsRead === 0 ? [problem("FILE_HAS_NO_ROWS", {})] : []),
    ...numberStyle.problems(),
    ...limitsExceeded(totals, policy),
    ...declared.problems(),
  ];
  const isWhole = header.problems.length === 0 && fileProblems.length === 0 && good.length > 0;
  const isAccepted = isWhole && (good.length === rowsRead || policy.onBadRow === "reject-row");
  return {
    verdict: isAccepted ? "accepted" : "rejected",
    rowsRead,
    rowsAccepted: good.length,
    rowsRejected: rowsRead - good.length,
    drafts: isAccepted ? good : [],
    problems: [...header.problems, ...rowProblems, ...fileProblems],
    warnings,
    controlTotals: totals,
    totalsConfirmedBy: declared.confirmedBy(),
    unknownColumns: header.unknownColumns,
  };
}

async function* windowsOf(rows: AsyncIterable<Row>): AsyncIterable<Row[]> {
  let window: Row[] = [];
  for await (const row of rows) {
    window.push(row);
    if (window.length < WINDOW_ROWS) continue;
    yield window;
    window = [];
  }
  if (window.length > 0) yield window;
}

/** The first row keeps its reference, whether it is good or not; every later one is named with it. */
function checkRepeated(
  { row, reference, problems, place }: CheckedRow,
  firstUses: Map<string, number>,
): void {
  if (reference === undefined) return;
  const earlier = firstUses.get(reference);
  if (earlier === undefined) firstUses.set(reference, row);
  else problems.push(place("reference", problem("REFERENCE_REPEATED", { reference, earlier })));
}

async function checkHistory(checked: readonly CheckedRow[], policy: InitiationPolicy): Promise<void> {
  const references = new Set(checked.map(({ reference }) => reference).filter((each) => each !== undefined));
  if (references.size === 0) return;
  const earlierUses = await policy.earlierUses([...references]);
  if (earlierUses.size === 0) return;
  for (const { reference, problems, place } of checked) {
    const earlier = reference === undefined ? undefined : earlierUses.get(reference);
    if (reference !== undefined && earlier !== undefined)
      problems.push(place("reference", problem("REFERENCE_USED", { reference, earlier })));
  }
}

/** Written with all decimals of the currency, so that people compare like with like. */
function totalsAtScale(drafts: readonly DraftInstruction[], { scales }: InitiationPolicy): ControlTotal[] {
  return controlTotals(drafts.map(({ fields }) => fields.amount)).map((total) => ({
    ...total,
    amount: total.amount.rounded(scales.scaleOf(total.currency) ?? total.amount.scale),
  }));
}

function limitsExceeded(totals: readonly ControlTotal[], { limits }: InitiationPolicy): Problem[] {
  return totals.flatMap(({ currency, amount }) => {
    const perFile = limits.perFile[currency];
    if (perFile === undefined || amount.compare(perFile) <= 0) return [];
    const sum = `the sum of ${formatAmount({ currency, value: amount })}`;
    const limit = formatAmount({ currency, value: perFile });
    return [
      problem("AMOUNT_OVER_LIMIT", {
        amount: sum,
        limit,
        scope: "per file",
        key: `limits.perFile.${currency}`,
      }),
    ];
  });
}
