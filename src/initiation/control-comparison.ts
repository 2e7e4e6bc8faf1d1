/** Declared control totals against the rows: every figure must agree, and together they must say all. */
import { type Problem, problem, type Where } from "../faults/index.ts";
import type { ControlTotal } from "../model/index.ts";
import { type CurrencyScales, Decimal } from "../money/index.ts";
import type { ControlFigure } from "./control-line.ts";

export interface PlacedFigure extends ControlFigure {
  readonly where: Where;
}

/** What the rows come to, good and bad ones together. */
export interface FoundTotals {
  readonly rowCount: number;
  /** Of the rows whose amount and currency could be read. */
  readonly totals: readonly ControlTotal[];
  /** The line of the first row whose amount or currency could not. */
  readonly firstUnread: number | undefined;
}

/** The problems of control totals that differ, that are only half there, or that nothing can be compared with. */
export function compareControlTotals(
  figures: readonly PlacedFigure[],
  found: FoundTotals,
  scales: CurrencyScales,
): Problem[] {
  const { firstUnread, totals } = found;
  const missing = missingFigures(figures, totals);
  return [
    ...missing.map((each) => problem("CONTROL_TOTAL_INCOMPLETE", { missing: each })),
    ...(firstUnread === undefined ? [] : [problem("CONTROL_TOTAL_UNPROVEN", { line: firstUnread })]),
    ...figures.flatMap((figure) =>
      figure.what === "count" ? countDifference(figure, found) : sumDifference(figure, found, scales),
    ),
  ];
}

/** A half total proves half of the file, while its sender believes that it proves all. */
function missingFigures(figures: readonly PlacedFigure[], totals: readonly ControlTotal[]): string[] {
  const isThere = (what: "sum" | "count", currency: string | undefined) =>
    figures.some((figure) => figure.what === what && figure.currency === currency);
  const currencies = new Set([
    ...totals.map(({ currency }) => currency),
    ...figures.flatMap(({ currency }) => currency ?? []),
  ]);
  return [...currencies].flatMap((currency) => {
    const hasSum = isThere("sum", currency) || (currencies.size === 1 && isThere("sum", undefined));
    const hasCount = isThere("count", currency) || isThere("count", undefined);
    return [
      ...(hasSum ? [] : [`the sum of ${currency}`]),
      ...(hasCount ? [] : [`the row count of ${currency}`]),
    ];
  });
}

function countDifference({ currency, value, where }: PlacedFigure, found: FoundTotals): Problem[] {
  // A row that cannot be read may be one of this currency.
  if (currency !== undefined && found.firstUnread !== undefined) return [];
  const inCurrency = found.totals.find((total) => total.currency === currency)?.count ?? 0;
  const count = currency === undefined ? found.rowCount : inCurrency;
  const unit = currency === undefined ? "rows" : `rows in ${currency}`;
  if (value.equals(Decimal.of(String(count)))) return [];
  return [differs(`${value.normalized()} ${unit}`, `${count} ${unit}`, where)];
}

function sumDifference(figure: PlacedFigure, found: FoundTotals, scales: CurrencyScales): Problem[] {
  const [only, another] = found.totals;
  const isOfOne = figure.currency !== undefined || another === undefined;
  // A sum without a currency beside several of them is incomplete, which is said already.
  if (!isOfOne || found.firstUnread !== undefined) return [];
  const currency = figure.currency ?? only?.currency ?? "";
  const sum = found.totals.find((total) => total.currency === currency)?.amount ?? Decimal.zero;
  const declared = asShown(figure, scales.scaleOf(currency));
  if (declared.equals(sum)) return [];
  const unit = currency === "" ? "" : ` ${currency}`;
  return [differs(`a sum of ${declared.normalized()}${unit}`, `${sum.normalized()}${unit}`, figure.where)];
}

/** A sum that a spreadsheet calculated carries the noise of binary numbers behind the currency's last decimal. */
function asShown({ value, fromNumberCell }: ControlFigure, scale: number | undefined): Decimal {
  return fromNumberCell && scale !== undefined && scale < value.scale ? value.rounded(scale) : value;
}

function differs(declared: string, found: string, where: Where): Problem {
  return problem("CONTROL_TOTAL_DIFFERS", { declared, found }, where);
}
