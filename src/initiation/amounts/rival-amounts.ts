/**
 * Watches the columns that may hold what is to be paid besides the amount: "Total", "Balance due", "BTC". They say nothing
 * against it only if they are empty in every row, or hold the amount itself in every row.
 */
import { type Problem, problem } from "../../faults/index.ts";
import { type Cell, EMPTY_CELL, type Row, resultOf, type Table } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { shownText } from "../../model/shown-text.ts";
import { type Amount, currencyShown, Decimal } from "../../money/index.ts";
import { cellPlace } from "../cell-place.ts";
import type { Header } from "../header.ts";
import type { CheckedRow } from "../row-checker.ts";
import { readCalculatedNumber } from "./number-cell.ts";
import { type NumberFormat, readAmountText } from "./number-format.ts";

type Standing = "empty" | "same" | "other";

/** Is shown the rows one by one and remembers only the first one that makes the amount unclear. */
export class RivalAmounts {
  private readonly table: Pick<Table, "sheet" | "header">;
  private readonly format: NumberFormat;
  private readonly amount: number;
  /** By the position of each rival: how it stood in the rows so far. */
  private readonly standings: Map<number, Standing | undefined>;
  private unclear: Problem | undefined;

  constructor({ sheet }: Pick<Table, "sheet">, { positions, rivals, texts }: Header, format: NumberFormat) {
    this.table = { ...present({ sheet }), header: texts };
    this.format = format;
    this.amount = positions.get("amount") ?? -1;
    this.standings = new Map(rivals.map((position) => [position, undefined]));
  }

  see(row: Row, { asked }: Pick<CheckedRow, "asked">): void {
    // The cells of a malformed row may have slipped into other columns.
    if (this.unclear !== undefined || row.problems.length > 0) return;
    for (const [position, before] of this.standings) {
      const cell = row.cells[position] ?? EMPTY_CELL;
      if (asked === undefined && !/\d/.test(cell.text)) continue;
      const standing = this.standingOf(cell, asked);
      this.standings.set(position, standing);
      if (standing === "other" || (before ?? standing) !== standing)
        this.unclear ??= this.problemAt(row, position);
    }
  }

  /** The problem found, if any; call it after all rows. */
  problems(): Problem[] {
    return this.unclear === undefined ? [] : [this.unclear];
  }

  private standingOf(cell: Cell, asked: Amount | undefined): Standing {
    if (cell.kind === "empty" || cell.text.trim() === "") return "empty";
    const value = this.valueOf(resultOf(cell), asked?.currency);
    return asked !== undefined && value?.equals(asked.value) === true ? "same" : "other";
  }

  /** Undefined for what is no number, and for one that is shown otherwise, or in another unit than the amount's. */
  private valueOf(
    cell: Exclude<Cell, { kind: "formula" }>,
    currency: string | undefined,
  ): Decimal | undefined {
    if (cell.kind === "empty" || cell.unseen !== undefined) return undefined;
    const text = cell.text.trim();
    if (cell.kind !== "number") return decimalOf(readAmountText(text, this.format));
    const value = decimalOf(readCalculatedNumber(text));
    const isInUnit = cell.unit === undefined || currencyShown(cell.unit) === currency;
    const isWhole = cell.decimals === undefined || (value?.normalized().scale ?? 0) <= cell.decimals;
    return isInUnit && isWhole ? value : undefined;
  }

  private problemAt(row: Row, position: number): Problem {
    const names = [this.amount, position].map((each) => this.table.header[each] ?? "");
    const columns = names.map((name) => JSON.stringify(shownText(name))).join(" and ");
    return problem("AMOUNT_COLUMN_UNCLEAR", { columns }, cellPlace(this.table, row, position));
  }
}

function decimalOf(value: Decimal | Problem): Decimal | undefined {
  return value instanceof Decimal ? value : undefined;
}
