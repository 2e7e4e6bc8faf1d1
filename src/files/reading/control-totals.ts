/** Control totals: those of a totals file beside the payout file, and whether a required one exists. */
import { isProblem, type Problem, problem } from "../../faults/index.ts";
import { type Cell, type Line, resultOf, textOf } from "../../model/grid.ts";
import type { ControlTotal } from "../../model/index.ts";
import { cellHoldsKey } from "../../model/private-key.ts";
import { shownText } from "../../model/shown-text.ts";
import type { ClassifiedLines } from "./classify-lines.ts";
import { type AmountReading, amountFormatOf, readAmount } from "./column-format.ts";
import type { InitiationPolicy, TotalsFile } from "./policy.ts";

export interface ComparedTotals {
  readonly problems: readonly Problem[];
  /** The places where a total of all rows is declared: "line 12", or the totals file. */
  readonly sources: readonly string[];
}

/**
 * Compares the declared totals with every payment line, good or bad, because they cover everything the sender meant
 * to send. `leftOut`: the lines that a person decided not to pay.
 */
export function compareTotals(
  classified: ClassifiedLines,
  policy: InitiationPolicy,
  leftOut: ReadonlySet<number>,
): ComparedTotals {
  const { totalsFile, onBadRow } = policy;
  const { totals, unproven } = classified;
  const problems = totalsFile === undefined ? [] : checkTotalsFile(totalsFile, classified, policy);
  const lines = totals.filter(({ covers }) => covers === "file").map(({ line }) => `line ${line}`);
  const sources = totalsFile === undefined || problems.length > 0 ? lines : [...lines, totalsFile.file];
  // If one bad row rejects the file, the row with the unknown amount does so already, unless it is left out.
  const isCounted = onBadRow === "reject-row" || (unproven !== undefined && leftOut.has(unproven.unread));
  if (unproven !== undefined && isCounted)
    problems.push(problem("CONTROL_TOTAL_UNPROVEN", { line: unproven.unread }, { line: unproven.line }));
  else if (policy.controlTotals.required && !(totalsFile ?? unproven ?? lines[0]))
    problems.push(problem("CONTROL_TOTAL_MISSING", {}));
  return { problems, sources: unproven === undefined ? sources : [] };
}

/** Every figure of a totals file must be the number of rows or the sum of a currency; it needs at least one sum. */
function checkTotalsFile(
  { file, lines }: TotalsFile,
  { payments, sums: { totals, unread } }: ClassifiedLines,
  policy: InitiationPolicy,
): Problem[] {
  const refused = (what: Problem) => [{ ...what, file }];
  if (unread !== undefined && lines.length > 0)
    return refused(problem("CONTROL_TOTAL_UNPROVEN", { line: unread }));
  if (lines.some(({ cells }) => cells.some(cellHoldsKey)))
    return refused(problem("VALUE_IS_SECRET", { field: "the totals file" }));
  const proven = new Set<string>();
  const problems = lines.flatMap((line) => {
    const found = checkLine(line, payments.length, totals, policy, proven);
    return found.map((what) => ({ ...what, file, line: line.line }));
  });
  if (problems.length > 0) return problems;
  if (proven.size === 0) return refused(problem("FILE_EMPTY", {}));
  const isSumDeclared = policy.controlTotals.required || totals.some(({ currency }) => proven.has(currency));
  const missing = totals.find(({ currency }) => isSumDeclared && !proven.has(currency));
  if (missing === undefined) return [];
  return refused(problem("TOTALS_FILE_DIFFERS", { declared: "no sum", found: sumText(missing) }));
}

/** Adds to `proven` the currencies of the sums that the line declares, and "" for a number of rows. */
function checkLine(
  line: Line,
  rows: number,
  all: readonly ControlTotal[],
  policy: InitiationPolicy,
  proven: Set<string>,
): Problem[] {
  const text = line.cells.map(textOf).join(" ").trim();
  const figures = figuresOf(line, policy);
  if (figures.some(isProblem) || (figures.length === 0 && /\d/.test(text)))
    return [problem("CONTROL_TOTAL_UNREADABLE", { text: shownText(text) })];
  const currency = text.match(/\b[A-Z]+\b/g)?.find((word) => policy.scales.scaleOf(word) !== undefined);
  const totals = all.filter((total) => currency === undefined || total.currency === currency);
  const counts = [rows, ...totals.map(({ count }) => count)].map(String);
  return figures.flatMap((figure) => {
    if (isProblem(figure)) return [];
    const sum = totals.find(({ amount }) => amount.equals(figure.value));
    const declared = `${figure.value.normalized()}`;
    if (sum !== undefined || counts.includes(declared)) {
      proven.add(sum?.currency ?? "");
      return [];
    }
    const found = [`${rows} rows`, ...totals.map(sumText)].join(" and ");
    return problem("TOTALS_FILE_DIFFERS", { declared: [declared, currency].join(" ").trim(), found });
  });
}

function sumText({ amount, currency }: ControlTotal): string {
  return `${amount.normalized()} ${currency}`;
}

const FIGURE = /(?<![\p{L}\p{N}.,])\d(?:[\d.,'’\u00a0\u202f]*\d)?(?![\p{L}\p{N}])/gu;

/** The numbers of a line. */
function figuresOf(
  { cells }: Line,
  { numberFormat }: InitiationPolicy,
): readonly (AmountReading | Problem)[] {
  const parts = cells
    .map(resultOf)
    .flatMap((cell): readonly Cell[] => (typeof cell === "string" ? (cell.match(FIGURE) ?? []) : [cell]));
  return parts.map((part) => {
    const { format, doubt } = amountFormatOf([part], numberFormat, false);
    return doubt?.what ?? readAmount(part, format);
  });
}
