/**
 * A CSV whose last line has no end, as one has whose copying broke off: the rest of its last value may be missing. Many programs
 * write such files, so it is a warning; where all other amounts of the file have the same decimals and the last has fewer, the
 * row is refused.
 */
import { problem } from "../faults/index.ts";
import type { ColumnName } from "../model/columns.ts";
import { EMPTY_CELL, type Row, resultOf } from "../model/index.ts";
import type { Header } from "./header.ts";
import type { CheckedRow } from "./row-checker.ts";
import { shownText } from "./shown-text.ts";

export class OpenEnd {
  private readonly lastColumn: ColumnName | undefined;
  /** Of the amounts so far: how many there are, and the decimals that all of them have. */
  private amounts = 0;
  private decimals: number | undefined;

  constructor({ positions, texts }: Header) {
    const last = [...positions].find(([, position]) => position === texts.length - 1)?.[0];
    this.lastColumn = last === undefined || PROVEN_BY_THEIR_FORM.has(last) ? undefined : last;
  }

  /** Some rows of the file in their order, and what became of those that are payouts. */
  see(rows: readonly Row[], checked: readonly CheckedRow[]): void {
    if (this.lastColumn === undefined) return;
    const last = rows.at(-1);
    const open = last?.isOpenEnded === true ? checked.at(-1) : undefined;
    for (const each of checked) if (each !== open) this.remember(each);
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

/** Fewer amounts may have the same decimals by chance. */
const AMOUNTS_MIN = 3;

/** A part of such a value is none. */
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
