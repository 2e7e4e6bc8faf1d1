/** Control totals: those of a totals file beside the payout file, and whether a required one is there. */
import { isProblem, type Problem, problem } from "../faults/index.ts";
import { type Cell, type Line, resultOf, textOf } from "../model/grid.ts";
import { type ControlTotal, controlTotals } from "../model/index.ts";
import { cellHoldsKey } from "../model/private-key.ts";
import { shownText } from "../model/shown-text.ts";
import type { CurrencyScales, Decimal } from "../money/index.ts";
import { amountFormatOf, readAmount } from "./column-format.ts";
import type { InitiationPolicy, TotalsFile } from "./policy.ts";
import type { ToldLines } from "./tell-lines.ts";

export interface ComparedTotals {
  readonly problems: readonly Problem[];
  /** Where a total of all rows is declared: "line 12", or the totals file. */
  readonly sources: readonly string[];
}

/** Compares what is declared with every payment line, good or bad: it covers everything the sender meant to send. */
export function compareTotals(told: ToldLines, policy: InitiationPolicy): ComparedTotals {
  const { totalsFile, onBadRow } = policy;
  const { totals, unproven } = told;
  const ofFile = totalsFile === undefined ? [] : checkTotalsFile(totalsFile, told, policy);
  const lines = totals.filter(({ covers }) => covers === "file").map(({ line }) => `line ${line}`);
  const files = totalsFile === undefined || ofFile.length > 0 ? [] : [totalsFile.file];
  const isDeclared = totalsFile !== undefined || lines.length > 0 || unproven !== undefined;
  const problems = [...ofFile];
  if (policy.controlTotals.required && !isDeclared) problems.push(problem("CONTROL_TOTAL_MISSING", {}));
  // The row whose amount is not known rejects the file already, unless only bad rows are rejected.
  if (unproven !== undefined && onBadRow === "reject-row")
    problems.push(problem("CONTROL_TOTAL_UNPROVEN", { line: unproven.unread }, { line: unproven.line }));
  return { problems, sources: unproven === undefined ? [...lines, ...files] : [] };
}

/** Every figure of a totals file is the number of rows, or the sum of a currency; at least one sum must be there. */
function checkTotalsFile(
  { file, lines }: TotalsFile,
  { payments }: ToldLines,
  policy: InitiationPolicy,
): Problem[] {
  const unread = payments.find(({ asked }) => asked === undefined)?.line.line;
  if (lines.length === 0) return [problem("FILE_EMPTY", {}, { file })];
  if (unread !== undefined) return [problem("CONTROL_TOTAL_UNPROVEN", { line: unread }, { file })];
  if (lines.some(({ cells }) => cells.some(cellHoldsKey)))
    return [problem("VALUE_IS_SECRET", { field: "the totals file" }, { file })];
  const totals = controlTotals(payments.flatMap(({ asked }) => asked ?? []));
  const proven = new Set<string>();
  const problems = lines.flatMap((line) => {
    const where = { file, line: line.line };
    return checkLine(line, payments.length, totals, policy, proven).map((what) => ({ ...what, ...where }));
  });
  if (problems.length > 0) return problems;
  if (proven.size === 0) return [problem("FILE_EMPTY", {}, { file })];
  const isSumDeclared = policy.controlTotals.required || totals.some(({ currency }) => proven.has(currency));
  const missing = totals.find(({ currency }) => isSumDeclared && !proven.has(currency));
  if (missing === undefined) return [];
  return [problem("TOTALS_FILE_DIFFERS", { declared: "no sum", found: sumText(missing) }, { file })];
}

/** Adds the currencies of the sums that the line declares to `proven`, and "" for a number of rows. */
function checkLine(
  line: Line,
  rows: number,
  all: readonly ControlTotal[],
  policy: InitiationPolicy,
  proven: Set<string>,
): Problem[] {
  const text = line.cells.map(textOf).join(" ").trim();
  const figures = figuresOf(line, policy);
  if (figures === undefined || (figures.length === 0 && /\d/.test(text)))
    return [problem("CONTROL_TOTAL_UNREADABLE", { text: shownText(text) })];
  const currency = currencyIn(text, policy.scales);
  const totals = all.filter((total) => currency === undefined || total.currency === currency);
  const counts = [rows, ...totals.map(({ count }) => count)].map(String);
  return figures.flatMap((value) => {
    const sum = totals.find(({ amount }) => amount.equals(value));
    const figure = `${value.normalized()}`;
    if (sum !== undefined || counts.includes(figure)) {
      proven.add(sum?.currency ?? "");
      return [];
    }
    const found = [`${rows} rows`, ...totals.map(sumText)].join(" and ");
    return [problem("TOTALS_FILE_DIFFERS", { declared: [figure, currency].join(" ").trim(), found })];
  });
}

function sumText({ amount, currency }: ControlTotal): string {
  return `${amount.normalized()} ${currency}`;
}

const FIGURE = /(?<![\p{L}\p{N}.,])\d(?:[\d.,'’\u00a0\u202f]*\d)?(?![\p{L}\p{N}])/gu;

/** The numbers of a line; undefined if one of them cannot be read. */
function figuresOf({ cells }: Line, { numberFormat }: InitiationPolicy): readonly Decimal[] | undefined {
  const parts = cells.map(resultOf).flatMap((cell): readonly Cell[] => {
    if (typeof cell === "string") return cell.match(FIGURE) ?? [];
    return cell.kind === "number" ? [cell] : [];
  });
  const readings = parts.map((part) => {
    const { format, doubt } = amountFormatOf([part], numberFormat, false);
    return doubt?.what ?? readAmount(part, format);
  });
  return readings.some(isProblem)
    ? undefined
    : readings.flatMap((reading) => (isProblem(reading) ? [] : [reading.value]));
}

function currencyIn(text: string, scales: CurrencyScales): string | undefined {
  return text
    .match(/\p{L}+/gu)
    ?.find((word) => word === word.toUpperCase() && scales.scaleOf(word) !== undefined);
}
