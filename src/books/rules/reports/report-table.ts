/**
 * A report of the books as tables of texts, counts and figures, before it becomes a workbook, a CSV or a page. A
 * figure that is computed from others names them, so that a workbook can hold the formula.
 */
import { compareText } from "../../../model/index.ts";
import { Decimal } from "../../../money/index.ts";

export interface BooksReport {
  /** For example "trial-balance". */
  readonly name: string;
  readonly title: string;
  /** The days of the report, and the day as of which they are known. */
  readonly sentence: string;
  readonly tables: readonly ReportTable[];
  /** Without extension. */
  readonly fileName: string;
}

export interface ReportTable {
  /** At most 31 characters, the limit for names of sheets. */
  readonly name: string;
  readonly note: string;
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly ReportRow[];
}

export interface ReportColumn {
  readonly key: string;
  readonly title: string;
  readonly is: "text" | "count" | "figure";
  /** In characters; figures widen their column. */
  readonly width: number;
}

export interface ReportRow {
  readonly isTotal?: boolean;
  /** By column key; absent cells are empty. */
  readonly cells: Readonly<Record<string, Cell>>;
}

export type Cell = string | number | ReportFigure | undefined;

export interface ReportFigure {
  readonly value: Decimal;
  readonly currency: string;
  readonly formula?: Formula;
}

/**
 * plus, minus: cells of the same row, or `up` rows above it. sum: a column from row `from` to row `to`, both by
 * their index in the table; `where`: only rows in which that column is `is`.
 */
export type Formula =
  | { readonly plus: readonly CellName[]; readonly minus: readonly CellName[] }
  | {
      readonly sum: string;
      readonly from: number;
      readonly to: number;
      readonly where?: { readonly column: string; readonly is: string };
    };

export interface CellName {
  readonly column: string;
  readonly up?: number;
}

export function text(key: string, title: string, width = 16): ReportColumn {
  return { key, title, is: "text", width };
}

export function figure(key: string, title: string, width = 15): ReportColumn {
  return { key, title, is: "figure", width };
}

export function count(key: string, title: string, width = 10): ReportColumn {
  return { key, title, is: "count", width };
}

export function isFigure(cell: Cell): cell is ReportFigure {
  return typeof cell === "object";
}

/** A figure in a row: its `plus` cells minus its `minus` cells. */
export function difference(
  value: Decimal,
  currency: string,
  plus: readonly string[],
  minus: readonly string[],
): ReportFigure {
  const named = (columns: readonly string[]) => columns.map((column) => ({ column }));
  return { value, currency, formula: { plus: named(plus), minus: named(minus) } };
}

/** The sum of the columns over all rows, each of one currency. There is no total row without rows. */
export function totalRow(
  rows: readonly ReportRow[],
  label: string,
  columns: readonly string[],
  currency: string,
): ReportRow[] {
  if (rows.length === 0) return [];
  const sums = sumsOf(rows, columns, currency, { from: 0, to: rows.length - 1 });
  return [{ isTotal: true, cells: { [label]: "Total", ...sums } }];
}

/** For each currency in the column `currencies`, the sums of the columns over the rows with it. */
export function totalsByCurrency(
  rows: readonly ReportRow[],
  label: string,
  currencies: string,
  columns: readonly string[],
): ReportRow[] {
  const byCurrency = Map.groupBy(rows, ({ cells }) => String(cells[currencies] ?? ""));
  return [...byCurrency]
    .sort(([a], [b]) => compareText(a, b))
    .map(([currency, own]) => {
      const where = { column: currencies, is: currency };
      const sums = sumsOf(own, columns, currency, { from: 0, to: rows.length - 1, where });
      return { isTotal: true, cells: { [label]: "Total", [currencies]: currency, ...sums } };
    });
}

/** `over`: the rows in the formulas. */
function sumsOf(
  rows: readonly ReportRow[],
  columns: readonly string[],
  currency: string,
  over: Omit<Extract<Formula, { readonly sum: string }>, "sum">,
): Readonly<Record<string, ReportFigure>> {
  const sums = columns.map((column) => {
    const figures = rows.map(({ cells }) => cells[column]).filter(isFigure);
    const value = Decimal.sum(figures.map((each) => each.value));
    return [column, { value, currency, formula: { sum: column, ...over } }] as const;
  });
  return Object.fromEntries(sums);
}
