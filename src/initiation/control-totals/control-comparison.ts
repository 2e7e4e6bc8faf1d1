/**
 * Compares declared control totals with the rows: every figure must equal that of the whole file or of the section it
 * closes, and if any sum is declared, every row must be covered by a sum.
 */
import { type Problem, problem, type Where } from "../../faults/index.ts";
import { type CurrencyScales, Decimal } from "../../money/index.ts";
import { fillsNumberCell } from "../amounts/number-cell.ts";
import type { ControlFigure } from "./control-figure.ts";
import type { FoundTotals } from "./control-sections.ts";

export interface PlacedFigure extends ControlFigure {
  readonly where: Where;
  /** Line of the row that declares it; undefined above the header and in a totals file. */
  readonly line: number | undefined;
}

export interface ComparedRows {
  readonly whole: FoundTotals;
  /** In file order: the sections between lines of totals, and the rows below the last one. */
  readonly sections: readonly FoundTotals[];
  /** Line of the first row whose amount or currency could not be read. */
  readonly firstUnread: number | undefined;
}

/** Problems for control totals that differ, leave rows out, or cannot be compared with anything. */
export function compareControlTotals(
  figures: readonly PlacedFigure[],
  rows: ComparedRows,
  scales: CurrencyScales,
): Problem[] {
  if (rows.firstUnread !== undefined) {
    const unproven = problem("CONTROL_TOTAL_UNPROVEN", { line: rows.firstUnread });
    return [unproven, ...figures.flatMap((figure) => countOfAllDiffers(figure, rows))];
  }
  const covered = new Map<FoundTotals, Set<string>>();
  const problems = figures.flatMap((figure) => {
    const scopes = scopesOf(figure, rows);
    const ofOneCurrency = scopes.filter((scope) => currencyIn(figure, scope) !== undefined);
    const [first] = ofOneCurrency;
    if (figure.what === "count") return countDiffers(figure, scopes);
    if (first === undefined) return [withoutCurrency(figure, rows)];
    const matching = ofOneCurrency.filter((scope) => isSumOf(figure, scope, scales));
    for (const scope of matching)
      covered.set(scope, (covered.get(scope) ?? new Set()).add(currencyIn(figure, scope) ?? ""));
    return matching.length > 0 ? [] : [sumDiffers(figure, first, scales)];
  });
  return problems.length > 0 || covered.size === 0 ? problems : leftOut(rows, covered);
}

/** What a figure may cover: the whole file or, for a row, the section it closes. */
function scopesOf({ line }: PlacedFigure, { whole, sections }: ComparedRows): FoundTotals[] {
  const section = line === undefined ? undefined : sectionAbove(line, sections);
  return section === undefined ? [whole] : [whole, section];
}

/** Binary search, since a file may have as many lines of totals as payouts. */
function sectionAbove(line: number, sections: readonly FoundTotals[]): FoundTotals | undefined {
  let [low, high] = [0, sections.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((sections[middle]?.firstLine ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  return sections[low - 1];
}

/** The figure's own currency, or the only currency of the rows. */
function currencyIn({ currency }: ControlFigure, { totals }: FoundTotals): string | undefined {
  const [only, another] = totals;
  return currency ?? (another === undefined ? (only?.currency ?? "") : undefined);
}

function sumIn(figure: ControlFigure, scope: FoundTotals): Decimal {
  const currency = currencyIn(figure, scope);
  return scope.totals.find((total) => total.currency === currency)?.amount ?? Decimal.zero;
}

function isSumOf(figure: PlacedFigure, scope: FoundTotals, scales: CurrencyScales): boolean {
  const sum = sumIn(figure, scope);
  const declared = asShown(figure, scales.scaleOf(currencyIn(figure, scope) ?? ""));
  if (declared.equals(sum)) return true;
  if (!figure.isBinary) return false;
  // A double has no more digits than these, and each addition may have lost half of its last bit.
  if (fillsNumberCell(figure.value) && sum.rounded(figure.value.scale).equals(figure.value)) return true;
  const noise = sum.times(Decimal.of(String(scope.rowCount))).times(HALF_OF_LAST_BIT);
  return figure.value.minus(sum).absolute().compare(noise) <= 0;
}

/** 2^-53, rounded up: the maximum relative error of one addition of doubles. */
const HALF_OF_LAST_BIT = Decimal.of("0.00000000000000011102230246251566");

/** Rounds a calculated sum, which carries binary noise, to the currency's decimals. */
function asShown({ value, isBinary }: ControlFigure, scale: number | undefined): Decimal {
  return isBinary && scale !== undefined && scale < value.scale ? value.rounded(scale) : value;
}

function sumDiffers(figure: PlacedFigure, scope: FoundTotals, scales: CurrencyScales): Problem {
  const currency = currencyIn(figure, scope) ?? "";
  const unit = currency === "" ? "" : ` ${currency}`;
  const declared = asShown(figure, scales.scaleOf(currency)).normalized();
  return differs(`a sum of ${declared}${unit}`, `${sumIn(figure, scope).normalized()}${unit}`, figure.where);
}

function withoutCurrency({ value, where }: PlacedFigure, { whole }: ComparedRows): Problem {
  const currencies = whole.totals.map(({ currency }) => currency).join(" and ");
  return problem("CONTROL_TOTAL_WITHOUT_CURRENCY", { sum: String(value.normalized()), currencies }, where);
}

function countDiffers(figure: PlacedFigure, scopes: readonly FoundTotals[]): Problem[] {
  const { currency, value, where } = figure;
  const counts = scopes.map(({ rowCount, totals }) =>
    currency === undefined ? rowCount : (totals.find((total) => total.currency === currency)?.count ?? 0),
  );
  const unit = currency === undefined ? "rows" : `rows in ${currency}`;
  if (counts.some((count) => value.equals(Decimal.of(String(count))))) return [];
  return [differs(`${value.normalized()} ${unit}`, `${counts[0] ?? 0} ${unit}`, where)];
}

/** An unreadable row may be in any currency, so only the count of all rows can be compared. */
function countOfAllDiffers(figure: PlacedFigure, rows: ComparedRows): Problem[] {
  const isOfAll = figure.what === "count" && figure.currency === undefined;
  return isOfAll ? countDiffers(figure, scopesOf(figure, rows)) : [];
}

/** Sums that leave rows out prove only part of the file, while the sender believes that they prove all of it. */
function leftOut(
  { whole, sections }: ComparedRows,
  covered: ReadonlyMap<FoundTotals, ReadonlySet<string>>,
): Problem[] {
  return whole.totals.flatMap(({ currency }) => {
    if (covered.get(whole)?.has(currency) === true) return [];
    const holding = sections.filter(({ totals }) => totals.some((total) => total.currency === currency));
    const uncovered = holding.filter((section) => covered.get(section)?.has(currency) !== true);
    const [first] = uncovered;
    if (first === undefined) return [];
    const rows = uncovered.length === holding.length ? "" : ` from line ${first.firstLine} on`;
    return [problem("CONTROL_TOTAL_INCOMPLETE", { missing: `the sum of ${currency}${rows}` })];
  });
}

function differs(declared: string, found: string, where: Where): Problem {
  return problem("CONTROL_TOTAL_DIFFERS", { declared, found }, where);
}
