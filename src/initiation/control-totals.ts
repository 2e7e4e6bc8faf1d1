/** Control totals: those of a totals file beside the payout file, and whether a required one is there. */
import { isProblem, type Problem, problem, type Where } from "../faults/index.ts";
import { type Line, resultOf, textOf } from "../model/grid.ts";
import { type ControlTotal, RunningTotals } from "../model/index.ts";
import { present } from "../model/present.ts";
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
export function compareTotals(
  { payments, totals, unproven }: ToldLines,
  policy: InitiationPolicy,
): ComparedTotals {
  const { totalsFile, controlTotals, onBadRow } = policy;
  const unread = payments.find(({ asked }) => asked === undefined)?.line.line;
  const sums = new RunningTotals();
  for (const { asked } of payments) if (asked !== undefined) sums.add(asked);
  const found = { count: payments.length, totals: sums.totals(), unread };
  const ofFile = totalsFile === undefined ? [] : checkTotalsFile(totalsFile, found, policy);
  const lines = totals.filter(({ covers }) => covers === "file").map(({ line }) => `line ${line}`);
  const sources = [...lines, ...(totalsFile === undefined || ofFile.length > 0 ? [] : [totalsFile.file])];
  const isMissing =
    controlTotals.required && totalsFile === undefined && lines.length === 0 && unproven === undefined;
  // The row whose amount is not known rejects the file already, unless only bad rows are rejected.
  const isOpen = unproven !== undefined && onBadRow === "reject-row";
  return {
    problems: [
      ...ofFile,
      ...(isMissing ? [problem("CONTROL_TOTAL_MISSING", {})] : []),
      ...(isOpen
        ? [problem("CONTROL_TOTAL_UNPROVEN", { line: unproven.unread }, { line: unproven.line })]
        : []),
    ],
    sources: unproven === undefined ? sources : [],
  };
}

interface Found {
  readonly count: number;
  readonly totals: readonly ControlTotal[];
  /** The first line whose amount is not known. */
  readonly unread: number | undefined;
}

/** Every figure of a totals file is the number of rows, or the sum of a currency; at least one sum must be there. */
function checkTotalsFile({ file, lines }: TotalsFile, found: Found, policy: InitiationPolicy): Problem[] {
  if (lines.length === 0) return [problem("FILE_EMPTY", {}, { file })];
  if (found.unread !== undefined)
    return [problem("CONTROL_TOTAL_UNPROVEN", { line: found.unread }, { file })];
  if (lines.some(({ cells }) => cells.some(cellHoldsKey)))
    return [problem("VALUE_IS_SECRET", { field: "the totals file" }, { file })];
  const proven = new Set<string>();
  const problems = lines.flatMap((line) => checkLine(line, { file, line: line.line }, found, policy, proven));
  if (problems.length > 0) return problems;
  if (proven.size === 0) return [problem("FILE_EMPTY", {}, { file })];
  const isSumDeclared =
    policy.controlTotals.required || found.totals.some(({ currency }) => proven.has(currency));
  const missing = found.totals.find(({ currency }) => isSumDeclared && !proven.has(currency));
  if (missing === undefined) return [];
  return [problem("TOTALS_FILE_DIFFERS", { declared: "no sum", found: sumText(missing) }, { file })];
}

function checkLine(
  line: Line,
  where: Where,
  found: Found,
  policy: InitiationPolicy,
  proven: Set<string>,
): Problem[] {
  const { figures, currency, text } = figuresOf(line, policy);
  if (figures === undefined) return [problem("CONTROL_TOTAL_UNREADABLE", { text: shownText(text) }, where)];
  const totals = found.totals.filter((total) => currency === undefined || total.currency === currency);
  const counts = [found.count, ...totals.map(({ count }) => count)];
  return figures.flatMap((value) => {
    const sum = totals.find(({ amount }) => amount.equals(value));
    const isCount = counts.some((count) => `${value.normalized()}` === `${count}`);
    if (sum !== undefined || isCount) proven.add(sum?.currency ?? "");
    if (sum !== undefined || isCount) return [];
    const declared = `${value.normalized()}${currency === undefined ? "" : ` ${currency}`}`;
    const all = [`${found.count} rows`, ...totals.map(sumText)].join(" and ");
    return [problem("TOTALS_FILE_DIFFERS", { declared, found: all }, where)];
  });
}

function sumText({ amount, currency }: ControlTotal): string {
  return `${amount.normalized()} ${currency}`;
}

const FIGURE = /(?<![\p{L}\p{N}.,])\d(?:[\d.,'’\u00a0\u202f]*\d)?(?![\p{L}\p{N}])/gu;

/** The numbers of a line, and the currency that stands beside them; no figures if one of them cannot be read. */
function figuresOf({ cells }: Line, { numberFormat, scales }: InitiationPolicy) {
  const figures: Decimal[] = [];
  const text = cells.map(textOf).join(" ").trim();
  for (const cell of cells.map(resultOf)) {
    const parts =
      typeof cell === "string" ? (cell.match(FIGURE) ?? []) : cell.kind === "number" ? [cell] : [];
    for (const part of parts) {
      const { format, doubt } = amountFormatOf([part], numberFormat, false);
      const reading = readAmount(part, format);
      if (isProblem(reading) || doubt !== undefined) return { figures: undefined, currency: undefined, text };
      figures.push(reading.value);
    }
  }
  const isUnread = figures.length === 0 && /\d/.test(text);
  return {
    figures: isUnread ? undefined : figures,
    text,
    ...present({ currency: currencyIn(text, scales) }),
  };
}

function currencyIn(text: string, scales: CurrencyScales): string | undefined {
  return text
    .match(/\p{L}+/gu)
    ?.find((word) => word === word.toUpperCase() && scales.scaleOf(word) !== undefined);
}
