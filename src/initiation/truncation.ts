/** Whether a CSV is whole: its copying may have broken off, and nothing in the file says so. */
import { problem } from "../faults/index.ts";
import type { ColumnName } from "../model/columns.ts";
import { EMPTY_CELL, type Row, resultOf, type Table } from "../model/index.ts";
import { shownText } from "../model/shown-text.ts";
import type { Amount } from "../money/index.ts";
import type { Header } from "./header.ts";
import type { CheckedRow } from "./row-checker.ts";

/**
 * Detects a CSV whose copying may have broken off: its last line has no line break, so the rest of its last value may be
 * missing. Many programs write such files, so this is a warning; but if all other amounts have the same number of decimals
 * and the last has fewer, or one has an exponent and the last may have lost its own, the row is refused.
 */
export function truncationCheck({ format }: Pick<Table, "format">, { positions, texts }: Header) {
  /** Of the amounts so far: their number, and the number of decimals that all of them share. */
  let amounts = 0;
  let decimals: number | undefined;
  let hasExponents = false;
  const [last] = [...positions].find(([, position]) => position === texts.length - 1) ?? [];
  const lastColumn =
    format !== "csv" || last === undefined || PROVEN_BY_THEIR_FORM.has(last) ? undefined : last;
  return { see };

  /** Sees a window of rows in file order, and the checked ones among them; adds to the last one's problems or warnings. */
  function see(rows: readonly Row[], checked: readonly CheckedRow[]): void {
    if (lastColumn === undefined) return;
    const last = rows.at(-1);
    const open = last?.endsWithoutLineBreak === true ? checked.at(-1) : undefined;
    for (const row of checked) if (row !== open) remember(row);
    if (last !== undefined && open?.row === last.row) judge(last, open, lastColumn);
  }

  function remember({ asked, amountText = "" }: CheckedRow): void {
    if (asked === undefined) return;
    hasExponents ||= EXPONENT.test(amountText);
    const { scale } = asked.value;
    decimals = amounts === 0 || decimals === scale ? scale : undefined;
    amounts += 1;
  }

  function judge({ cells }: Row, { asked, problems, warnings, place }: CheckedRow, column: ColumnName): void {
    const { text: whole } = resultOf(cells.at(-1) ?? EMPTY_CELL);
    if (whole === "" || problems.length > 0) return;
    const text = shownText(whole);
    const others = column === "amount" && asked !== undefined ? unlikeOthers(asked, whole) : undefined;
    if (others !== undefined) problems.push(place(column, problem("AMOUNT_MAY_BE_CUT", { text, others })));
    else warnings.push(place(column, problem("FILE_HAS_OPEN_END", { text })));
  }

  /** How the other amounts are written, if this one looks like a part of one of them. */
  function unlikeOthers({ value }: Amount, text: string): string | undefined {
    if (hasExponents && WITHOUT_EXPONENT.test(text)) return "other amounts have an exponent";
    const isShorter = amounts >= AMOUNTS_MIN && decimals !== undefined && value.scale < decimals;
    return isShorter ? `all other amounts have ${decimals} decimals` : undefined;
  }
}

const EXPONENT = /\de/i;
/** What is left of "5.46E-06". */
const WITHOUT_EXPONENT = /^[1-9](?:\.\d*)?$/;

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
