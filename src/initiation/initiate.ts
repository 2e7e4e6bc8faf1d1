/** A whole table: every row checked, references compared with each other and with history, sums with the limits. */
import { type Problem, problem } from "../faults/index.ts";
import {
  type ControlTotal,
  canonicalFields,
  type DraftInstruction,
  type InstructionFields,
  RunningTotals,
  resultOf,
  type Table,
} from "../model/index.ts";
import { holdsPrivateKey } from "../model/private-key.ts";
import { formatAmount } from "../money/index.ts";
import { NumberStyle } from "./amounts/number-style.ts";
import { namesOtherUnit } from "./amounts/other-unit.ts";
import { ControlTotalCheck } from "./control-totals/control-totals.ts";
import { EncodingNotice } from "./encoding-notice.ts";
import { FirstRows } from "./first-rows.ts";
import { readHeader } from "./header.ts";
import { OpenEnd } from "./open-end.ts";
import type { InitiationPolicy, InitiationResult } from "./policy.ts";
import { ProblemList } from "./problem-list.ts";
import { type CheckedRow, rowChecker } from "./row-checker.ts";
import { screenRows } from "./screening/screen-rows.ts";
import { shownText } from "./shown-text.ts";

/** What a hundred rows came to, in file order. */
export interface CheckedWindow {
  /** Of the rows without a problem; they count only once the verdict is accepted. */
  readonly drafts: readonly DraftInstruction[];
  /** Also the notices of rows that were accepted before: whoever answers the rows needs them. */
  readonly problems: readonly Problem[];
}

/**
 * Turns the rows of a payout file into draft instructions, or says every problem of every row at once.
 *
 * The table's rows are read once, lazily, in windows, and none of them is kept: `take` is given the drafts and problems of each
 * window, all of them. With onBadRow reject-file one bad row rejects the file; with reject-row only itself. A problem of the
 * whole file (a missing column, no rows, a limit per file) rejects it either way. Throws only where the policy itself is
 * wrong, and what `take` throws.
 */
export async function initiate(
  table: Table,
  policy: InitiationPolicy,
  take: (window: CheckedWindow) => void | Promise<void> = () => undefined,
): Promise<InitiationResult> {
  const header = readHeader(table.header, policy.columns);
  const checkRow = rowChecker(table, header, policy);
  const firstUses = new FirstRows();
  const declared = new ControlTotalCheck(table, header, policy);
  const numberStyle = new NumberStyle(policy.numberFormat, table.source);
  const encoding = new EncodingNotice(table, header);
  const openEnd = new OpenEnd(header);
  const problems = new ProblemList();
  const warnings = new ProblemList();
  problems.add(header.problems);
  warnings.add(header.warnings);
  const sums = new RunningTotals();
  let rowsRead = 0;
  let rowsAccepted = 0;
  let rowsAcceptedBefore = 0;

  for await (const window of table.windows()) {
    encoding.see(window);
    const checked = window.filter((row) => !declared.take(row)).map(checkRow);
    openEnd.see(window, checked);
    for (const each of checked) checkRepeated(each, firstUses);
    const before = await checkHistory(checked, policy);
    const fresh = before.size === 0 ? checked : checked.filter((each) => !before.has(each));
    await screenRows(fresh, policy);
    for (const each of checked) {
      numberStyle.see(each);
      declared.see(each);
      problems.add(each.problems);
      warnings.add(each.warnings);
    }
    // A row of a header that is not understood is never good, whatever could be read of it.
    const drafts = header.problems.length === 0 ? fresh.flatMap(goodDraft) : [];
    const notices = [...before.values()];
    warnings.add(notices);
    rowsRead += fresh.length;
    rowsAcceptedBefore += before.size;
    rowsAccepted += drafts.length;
    for (const { fields } of drafts) sums.add(fields.amount);
    await take({ drafts, problems: [...checked.flatMap((each) => each.problems), ...notices] });
  }

  const totals = atScale(sums.totals(), policy);
  const differences = declared.problems();
  const endProblems = [
    ...(rowsRead === 0 ? [nothingToTake(rowsAcceptedBefore)] : []),
    ...numberStyle.problems(),
    ...otherUnits(table),
    ...limitsExceeded(totals, policy),
    ...differences,
  ];
  problems.add(endProblems);
  warnings.add(declared.warnings());
  warnings.add(encoding.warnings());
  // Below another header the same columns may mean something else, also where the rows look right.
  const hasOneHeader = problems.counts().HEADER_REPEATED === undefined;
  const fileProblems = [...header.problems, ...endProblems];
  const isWhole = fileProblems.length === 0 && hasOneHeader && rowsAccepted > 0;
  const isAccepted = isWhole && (rowsAccepted === rowsRead || policy.onBadRow === "reject-row");
  return {
    verdict: isAccepted ? "accepted" : "rejected",
    rowsRead,
    rowsAccepted,
    rowsRejected: rowsRead - rowsAccepted,
    rowsAcceptedBefore,
    problems: problems.kept,
    fileProblems,
    problemCounts: problems.counts(),
    warnings: warnings.kept,
    warningCounts: warnings.counts(),
    controlTotals: totals,
    totalsConfirmedBy: differences.length === 0 ? [...declared.sources] : [],
    unknownColumns: header.unknownColumns,
  };
}

/** The first row keeps its reference, whether it is good or not; every later one is named with it. */
function checkRepeated({ row, reference, problems, place }: CheckedRow, firstUses: FirstRows): void {
  const earlier = reference === undefined ? undefined : firstUses.earlierRow(reference, row);
  if (reference !== undefined && earlier !== undefined)
    problems.push(place("reference", problem("REFERENCE_REPEATED", { reference, earlier })));
}

/** The notices of rows that were accepted with the file which this one corrects; any other use of a reference is a problem. */
async function checkHistory(
  checked: readonly CheckedRow[],
  policy: InitiationPolicy,
): Promise<ReadonlyMap<CheckedRow, Problem>> {
  const before = new Map<CheckedRow, Problem>();
  const references = checked.map(({ reference }) => reference).filter((each) => each !== undefined);
  if (references.length === 0) return before;
  const earlierUses = await policy.earlierUses(references);
  if (earlierUses.size === 0) return before;
  for (const row of checked) {
    const { reference, problems, place } = row;
    const use = reference === undefined ? undefined : earlierUses.get(reference);
    if (reference === undefined || use === undefined) continue;
    const earlier = use.inWords;
    if (use.isFree) {
      row.warnings.push(place("reference", problem("REFERENCE_WITHDRAWN_BEFORE", { reference, earlier })));
    } else if (isAcceptedAs(row, use.corrected)) {
      before.set(row, problem("ROW_ACCEPTED_BEFORE", { earlier }, { row: row.row, line: row.line }));
    } else if (use.corrected === undefined) {
      problems.push(place("reference", problem("REFERENCE_USED", { reference, earlier })));
    } else {
      problems.push(place("reference", problem("ROW_CHANGED_AFTER_ACCEPTANCE", { reference, earlier })));
    }
  }
  return before;
}

function isAcceptedAs(row: CheckedRow, accepted: InstructionFields | undefined): boolean {
  const [draft] = goodDraft(row);
  if (draft === undefined || accepted === undefined) return false;
  return canonicalFields(draft.fields) === canonicalFields(accepted);
}

/** A file without payouts, or a correction in which nothing was corrected. */
function nothingToTake(rowsAcceptedBefore: number): Problem {
  return rowsAcceptedBefore === 0
    ? problem("FILE_HAS_NO_ROWS", {})
    : problem("FILE_HAS_NO_NEW_ROWS", { rows: rowsAcceptedBefore });
}

function goodDraft({ draft, problems }: CheckedRow): DraftInstruction[] {
  return draft === undefined || problems.length > 0 ? [] : [draft];
}

/** Written with all decimals of the currency, so that people compare like with like. */
function atScale(totals: readonly ControlTotal[], { scales }: InitiationPolicy): ControlTotal[] {
  return totals.map((total) => ({
    ...total,
    amount: total.amount.rounded(scales.scaleOf(total.currency) ?? total.amount.scale),
  }));
}

/** Of the lines above the header and of the sheet's name the first that gives the amounts another unit. */
function otherUnits({ titleLines = [], sheet }: Table): Problem[] {
  const place = sheet === undefined ? {} : { sheet };
  const notes = titleLines.flatMap(({ line, cells }) =>
    cells.map((cell) => ({ text: resultOf(cell).text, where: { ...place, line } })),
  );
  const found = [...notes, { text: sheet ?? "", where: place }].find(
    ({ text }) => namesOtherUnit(text) && !holdsPrivateKey(text),
  );
  return found === undefined
    ? []
    : [problem("AMOUNT_IN_OTHER_UNIT", { text: shownText(found.text) }, found.where)];
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
