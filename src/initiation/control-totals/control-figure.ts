/**
 * Interprets the figures beside one label of a control total: which number is the sum, which the row count, and in
 * which currency. control-comparison.ts checks whether they are right.
 */
import { type Problem, problem } from "../../faults/index.ts";
import type { Cell } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { shownText } from "../../model/shown-text.ts";
import { currencyShown, Decimal, withCurrencyCodes } from "../../money/index.ts";
import { readCalculatedNumber } from "../amounts/number-cell.ts";
import { type NumberFormat, onlyReading, readAmountText } from "../amounts/number-format.ts";
import type { ControlLabel } from "./control-label.ts";

/** One figure that a file declares about itself; without a currency it covers all rows. */
export interface ControlFigure {
  readonly what: "sum" | "count";
  readonly currency?: string;
  readonly value: Decimal;
  /** Whether a program calculated it, so that it carries binary noise beyond the currency's decimals. */
  readonly isBinary: boolean;
  /** Position of its cell in the line. */
  readonly position: number | undefined;
}

export interface ControlLine {
  readonly figures: readonly ControlFigure[];
  readonly problems: readonly ControlProblem[];
  /** An average or similar: it declares nothing, but is not a payout either. */
  readonly isStatistic?: true;
}

interface ControlProblem {
  readonly what: Problem;
  /** Position of the cell to correct; undefined for the whole line. */
  readonly position?: number | undefined;
}

export interface ControlLineReading {
  readonly labelOf: (text: string) => ControlLabel | undefined;
  readonly isCurrency: (code: string) => boolean;
  readonly numberFormat: NumberFormat;
}

/** A cell; if the line is a row of the table, with its position and what a bare number in its column can be. */
export interface ControlCell {
  readonly cell: Cell;
  readonly position?: number | undefined;
  readonly holds?: "sum" | "count" | "neither";
}

/**
 * Sorts the values beside a label. A number below the amounts is the sum, `3 rows` is a count, `0.15 BTC` a sum with
 * its currency, `0.15 in 3 rows` both. A bare number that is alone is what the label says; beside a sum it is the
 * count. Text without figures is a remark. Anything else is refused.
 */
export function readFigures(
  label: ControlLabel,
  text: string,
  values: readonly ControlCell[],
  reading: ControlLineReading,
): ControlLine {
  const parts = values.flatMap(partsOf).filter((value) => isFigure(value, reading));
  return figureReader(label, text, reading).read(parts);
}

export function refusedLine(text: string, reason: string): ControlLine {
  return { figures: [], problems: [{ what: unreadable(text, reason) }] };
}

const SUM_AND_COUNT = /^(.*\d.*?)\s+in\s+(.*\d.*)$/i;

/** Longer texts are neither labels nor figures, and parsing them could take quadratic time. */
export const TEXT_LENGTH_MAX = 120;

/** "0.15 in 3 rows" is two values in one cell. */
function partsOf({ cell, ...place }: ControlCell): ControlCell[] {
  if (cell.text.length > TEXT_LENGTH_MAX) return [];
  const [, sum, count] = cell.kind === "text" ? (SUM_AND_COUNT.exec(cell.text.trim()) ?? []) : [];
  if (sum === undefined || count === undefined) return [{ ...place, cell }];
  return [
    { ...place, cell: { kind: "text", text: sum }, holds: "sum" },
    { ...place, cell: { kind: "text", text: count } },
  ];
}

const WITH_COUNT_WORD = /^(.+?)\s*(?:rows?|lines?|payments?|payouts?|transactions?|items?)$/i;

/** Whether a text is a row count (`3` or `3 rows`), which below the addresses is not an address. */
export function isRowCount(text: string): boolean {
  if (text.length > ROW_COUNT_LENGTH_MAX) return false;
  return /^\d{1,9}$/.test(WITH_COUNT_WORD.exec(text.trim())?.[1] ?? text.trim());
}

const ROW_COUNT_LENGTH_MAX = 24;

const CURRENCY_BEHIND = /^(.*\d)\s*([A-Za-z][A-Za-z0-9]{1,9})$/;
const CURRENCY_BEFORE = /^([A-Za-z][A-Za-z0-9]{1,9})\s*(\d.*)$/;

/**
 * Whether a cell is a figure: everything below the amounts; elsewhere what is written like a number, and in the
 * sender's own columns only with a unit word.
 */
export function isFigure({ cell: { kind, text }, holds }: ControlCell, reading: ControlLineReading): boolean {
  if (text.length > TEXT_LENGTH_MAX) return false;
  if (holds === "sum") return true;
  const plain = withCurrencyCodes(text).trim();
  if (kind !== "text") return holds !== "neither" && kind !== "date" && kind !== "boolean";
  const counted = WITH_COUNT_WORD.exec(plain)?.[1];
  if (counted !== undefined) return NUMBER_LIKE.test(counted);
  if (holds === "neither") return false;
  const [, before = plain] = CURRENCY_BEHIND.exec(plain) ?? [];
  const [, , behind = plain] = CURRENCY_BEFORE.exec(plain) ?? [];
  return [before, behind].some((each) => NUMBER_LIKE.test(each)) || reading.isCurrency(plain.toUpperCase());
}

/** Digits with arbitrary marks between and around them. */
const NUMBER_LIKE = /^[-+(]?\s*\d[\d\s.,'\u2019]*(?:[eE][-+]?\d+)?\)?$/;

function figureReader(label: ControlLabel, labelText: string, reading: ControlLineReading) {
  const currencies = new Set(label.currency === undefined ? [] : [label.currency]);
  const sums: ControlCell[] = [];
  const counts: ControlCell[] = [];
  const bare: ControlCell[] = [];
  return { read };

  function read(values: readonly ControlCell[]): ControlLine {
    for (const value of values) sort(value);
    sortBare();
    if (currencies.size > 1) return refusedLine(labelText, "it names more than one currency");
    if (sums.length > 1 || counts.length > 1 || bare.length > 0)
      return refusedLine(labelText, "it does not say which number is the sum and which the row count");
    const results = [
      ...sums.map((value) => figure("sum", value)),
      ...counts.map((value) => figure("count", value)),
    ];
    return {
      figures: results.filter((result) => "value" in result),
      problems: results.filter((result): result is ControlProblem => !("value" in result)),
    };
  }

  function sort(value: ControlCell): void {
    const { cell, position, holds } = value;
    const shown = cell.kind === "number" ? currencyShown(cell.unit ?? "") : "";
    if (isCurrency(shown)) currencies.add(shown);
    const plain = cell.kind === "text" ? withCurrencyCodes(cell.text).trim() : "";
    if (isCurrency(plain)) {
      currencies.add(plain.toUpperCase());
      return;
    }
    const [, before = "", after = ""] = CURRENCY_BEHIND.exec(plain) ?? [];
    const [, code = "", rest = ""] = CURRENCY_BEFORE.exec(plain) ?? [];
    const counted = WITH_COUNT_WORD.exec(plain)?.[1];
    if (counted !== undefined) counts.push({ cell: { kind: "text", text: counted }, position });
    else if (isCurrency(after)) addSum(before, after, position);
    else if (isCurrency(code)) addSum(rest, code, position);
    else if (holds === "sum" && label.names === "sum") sums.push(value);
    else bare.push(value);
  }

  /** Assigns a bare number if only one meaning is left. */
  function sortBare(): void {
    const [only, another] = bare;
    if (only === undefined || another !== undefined) return;
    const isSum = label.names === "sum" && sums.length === 0;
    (isSum ? sums : counts).push(only);
    bare.pop();
  }

  function addSum(text: string, currency: string, position: number | undefined): void {
    currencies.add(currency.toUpperCase());
    sums.push({ cell: { kind: "text", text }, position });
  }

  function isCurrency(code: string): boolean {
    return code !== "" && reading.isCurrency(code.toUpperCase());
  }

  function figure(what: "sum" | "count", { cell, position }: ControlCell): ControlFigure | ControlProblem {
    const value = valueIn(cell);
    if (!(value instanceof Decimal)) return { what: value, position };
    if (!isShownAs(what, cell)) {
      const reason = `its cell shows ${shownText(cell.text)} with another unit than the amounts, or as something else`;
      return { what: unreadable(labelText, reason), position };
    }
    const isCount = !value.isNegative() && value.normalized().scale === 0;
    if (what === "count" && !isCount) {
      const reason = `"${shownText(cell.text)}" is not a whole number of rows`;
      return { what: unreadable(labelText, reason), position };
    }
    const [currency] = currencies;
    const isBinary = cell.kind === "number";
    return { what, ...present({ currency }), value, isBinary, position };
  }

  /** Whether a number cell shows the digits alone, or with the currency of a sum or the word of a count. */
  function isShownAs(what: "sum" | "count", cell: Cell): boolean {
    if (cell.kind !== "number" || cell.unit === undefined) return true;
    const { unit } = cell;
    return what === "count" ? WITH_COUNT_WORD.test(`1 ${unit}`) : isCurrency(currencyShown(unit));
  }

  function valueIn(cell: Cell): Decimal | Problem {
    const { kind, text } = cell;
    if (kind === "error") return problem("CELL_IS_ERROR", { text: shownText(text) });
    if (kind === "formula") return problem("FORMULA_WITHOUT_VALUE", {});
    if (kind === "number") return readCalculatedNumber(text);
    if (kind !== "text") return unreadable(labelText, `"${shownText(text)}" is a ${kind} cell`);
    const { numberFormat } = reading;
    const value = readAmountText(text.trim(), numberFormat);
    // No money depends on it, so marks with only one possible reading are no reason to send the file back.
    return (numberFormat === "auto" ? onlyReading(text.trim()) : undefined) ?? value;
  }
}

function unreadable(text: string, reason: string): Problem {
  return problem("CONTROL_TOTAL_UNREADABLE", { text: shownText(text), reason });
}
