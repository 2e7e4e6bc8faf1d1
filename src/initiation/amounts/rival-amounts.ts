/**
 * Watches the columns that may hold what is to be paid besides the amount: "Total", "Balance due", "BTC". They say nothing
 * against it only if they are empty in every row, or hold the amount itself in every row.
 */
import { type Problem, problem } from "../../faults/index.ts";
import { type Cell, EMPTY_CELL, type PlainCell, type Row, resultOf, type Table } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { shownText } from "../../model/shown-text.ts";
import { type Amount, currencyShown, Decimal } from "../../money/index.ts";
import { cellPlace } from "../cell-place.ts";
import type { Header } from "../header.ts";
import type { CheckedRow } from "../row-checker.ts";
import { readCalculatedNumber } from "./number-cell.ts";
import { type NumberFormat, readAmountText } from "./number-format.ts";

/** How the cell of a rival compares with the amount. */
type Comparison = "empty" | "same" | "other";

/** Is shown the rows one by one and remembers only the first one that makes the amount unclear. */
export function rivalAmounts(
  { sheet }: Pick<Table, "sheet">,
  { positions, rivals, texts }: Header,
  format: NumberFormat,
) {
  /** By the position of each rival: how it compared in the rows so far. */
  const comparisons = new Map<number, Comparison | undefined>(
    [...rivals.keys()].map((position) => [position, undefined]),
  );
  let unclear: Problem | undefined;
  return { see, problems };

  function see(row: Row, { asked }: Pick<CheckedRow, "asked">): void {
    // The cells of a malformed row may have slipped into other columns.
    if (unclear !== undefined || row.problems.length > 0) return;
    for (const [position, before] of comparisons) {
      const cell = row.cells[position] ?? EMPTY_CELL;
      if (asked === undefined && !/\d/.test(cell.text)) continue;
      const comparison = comparisonOf(cell, rivals.get(position), asked);
      comparisons.set(position, comparison);
      if (comparison === "other" || (before ?? comparison) !== comparison)
        unclear ??= problemAt(row, position);
    }
  }

  /** The problem found, if any; call it after all rows. */
  function problems(): Problem[] {
    return unclear === undefined ? [] : [unclear];
  }

  function comparisonOf(cell: Cell, currency: string | undefined, asked: Amount | undefined): Comparison {
    if (cell.kind === "empty" || cell.text.trim() === "") return "empty";
    if (currency !== undefined && currency !== asked?.currency) return "other";
    const value = numberIn(resultOf(cell), asked?.currency);
    return asked !== undefined && value?.equals(asked.value) === true ? "same" : "other";
  }

  /** Undefined for what is no number, and for one that is shown otherwise, or in another unit than the amount's. */
  function numberIn(cell: PlainCell, currency: string | undefined): Decimal | undefined {
    if (cell.kind === "empty" || cell.unseen !== undefined) return undefined;
    const text = cell.text.trim();
    if (cell.kind !== "number") return decimalOf(readAmountText(text, format));
    const value = decimalOf(readCalculatedNumber(text));
    const isInUnit = cell.unit === undefined || currencyShown(cell.unit) === currency;
    const isWhole = cell.decimals === undefined || (value?.normalized().scale ?? 0) <= cell.decimals;
    return isInUnit && isWhole ? value : undefined;
  }

  function problemAt(row: Row, position: number): Problem {
    const names = [positions.get("amount") ?? -1, position].map((each) => texts[each] ?? "");
    const columns = names.map((name) => JSON.stringify(shownText(name))).join(" and ");
    return problem(
      "AMOUNT_COLUMN_UNCLEAR",
      { columns },
      cellPlace({ ...present({ sheet }), header: texts }, row, position),
    );
  }
}

function decimalOf(value: Decimal | Problem): Decimal | undefined {
  return value instanceof Decimal ? value : undefined;
}
