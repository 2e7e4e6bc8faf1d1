/** What a CSV cannot say for itself, so that it is judged by its rows: whether it is whole, and in which encoding it is. */
import { type Problem, problem } from "../faults/index.ts";
import type { ColumnName } from "../model/columns.ts";
import { EMPTY_CELL, type Row, resultOf, type Table } from "../model/index.ts";
import { shownText } from "../model/shown-text.ts";
import { cellPlace } from "./cell-place.ts";
import type { Header } from "./header.ts";
import type { CheckedRow } from "./row-checker.ts";

/**
 * Detects a CSV whose copying may have broken off: its last line has no line break, so the rest of its last value may be
 * missing. Many programs write such files, so this is a warning; but if all other amounts have the same number of decimals
 * and the last has fewer, the row is refused.
 */
export class TruncationCheck {
  private readonly lastColumn: ColumnName | undefined;
  /** Of the amounts so far: their number, and the number of decimals that all of them share. */
  private amounts = 0;
  private decimals: number | undefined;

  constructor({ format }: Pick<Table, "format">, { positions, texts }: Header) {
    if (format !== "csv") return;
    const last = [...positions].find(([, position]) => position === texts.length - 1)?.[0];
    this.lastColumn = last === undefined || PROVEN_BY_THEIR_FORM.has(last) ? undefined : last;
  }

  /** Sees a window of rows in file order, and the checked ones among them; adds to the last one's problems or warnings. */
  see(rows: readonly Row[], checked: readonly CheckedRow[]): void {
    if (this.lastColumn === undefined) return;
    const last = rows.at(-1);
    const open = last?.endsWithoutLineBreak === true ? checked.at(-1) : undefined;
    for (const row of checked) if (row !== open) this.remember(row);
    if (last !== undefined && open?.row === last.row) this.judge(last, open, this.lastColumn);
  }

  private remember({ asked }: CheckedRow): void {
    if (asked === undefined) return;
    const { scale } = asked.value;
    this.decimals = this.amounts === 0 || this.decimals === scale ? scale : undefined;
    this.amounts += 1;
  }

  private judge({ cells }: Row, { asked, problems, warnings, place }: CheckedRow, column: ColumnName): void {
    const { text: whole } = resultOf(cells.at(-1) ?? EMPTY_CELL);
    if (whole === "" || problems.length > 0) return;
    const text = shownText(whole);
    const { decimals } = this;
    const isPattern = decimals !== undefined && this.amounts >= AMOUNTS_MIN;
    if (column === "amount" && isPattern && asked !== undefined && asked.value.scale < decimals)
      problems.push(place(column, problem("AMOUNT_MAY_BE_CUT", { text, decimals })));
    else warnings.push(place(column, problem("FILE_HAS_OPEN_END", { text })));
  }
}

/** Fewer amounts may share their number of decimals by chance. */
const AMOUNTS_MIN = 3;

/** A part of such a value is not a valid value. */
const PROVEN_BY_THEIR_FORM: ReadonlySet<ColumnName> = new Set<ColumnName>([
  "destinationAddress",
  "destinationAccountId",
  "accountId",
  "currency",
  "feePolicy",
  "subtractFee",
  "verifyBalance",
  "useCoinConsolidation",
  "batchingAllowed",
  "payOn",
]);

/** Warns once per file if its encoding was guessed. Amounts and addresses are the same in every encoding. */
export class EncodingNotice {
  private readonly table: Pick<Table, "header">;
  private readonly read: readonly number[];
  private readonly isWanted: boolean;
  private notice: Problem | undefined;

  constructor({ source }: Table, { positions, texts }: Header) {
    this.table = { header: texts };
    this.read = [...positions.values()];
    this.isWanted = source.format === "csv" && source.encoding.isGuessed === true;
  }

  /** Remembers the first text whose letters depend on the encoding, to show how it was read. */
  see(rows: readonly Row[]): void {
    if (!this.isWanted || this.notice !== undefined) return;
    for (const row of rows) {
      const position = this.read.find((index) => /[\x80-\uffff]/.test(row.cells[index]?.text ?? ""));
      if (position === undefined) continue;
      const text = shownText(row.cells[position]?.text ?? "");
      this.notice = problem("ENCODING_GUESSED", { text }, cellPlace(this.table, row, position));
      return;
    }
  }

  warnings(): readonly Problem[] {
    return this.notice === undefined ? [] : [this.notice];
  }
}
