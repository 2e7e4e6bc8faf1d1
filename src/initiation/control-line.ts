/**
 * One line that declares control totals: its label, and beside it a sum, a row count, a currency, in cells that say which is
 * which. Whether the figures are right is judged in control-totals.ts; whether a table's row may be such a line, too.
 */
import { type Problem, problem } from "../faults/index.ts";
import type { ColumnName } from "../model/columns.ts";
import { type Cell, resultOf } from "../model/index.ts";
import { holdsPrivateKey } from "../model/private-key.ts";
import { Decimal } from "../money/index.ts";
import type { ControlLabel } from "./control-label.ts";
import { readNumberCell } from "./number-cell.ts";
import { type NumberFormat, readAmountText } from "./number-format.ts";
import { shownText } from "./shown-text.ts";

/** One figure that a file declares about itself; without a currency it is about all rows. */
export interface ControlFigure {
  readonly what: "sum" | "count";
  readonly currency?: string;
  readonly value: Decimal;
  /** A spreadsheet's own sum carries the noise of binary numbers, beyond any currency's decimals. */
  readonly fromNumberCell: boolean;
  /** Of its cell in the line. */
  readonly position: number | undefined;
}

export interface ControlLine {
  readonly figures: readonly ControlFigure[];
  readonly problems: readonly ControlProblem[];
}

interface ControlProblem {
  readonly what: Problem;
  /** Of the cell to correct; undefined for the line as a whole. */
  readonly position?: number | undefined;
}

export interface ControlLineReading {
  readonly labelOf: (text: string) => ControlLabel | undefined;
  readonly isCurrency: (code: string) => boolean;
  readonly numberFormat: NumberFormat;
}

/** A cell; where the line is a row of the table, also its position there and the payout column that it stands in. */
export interface ControlCell {
  readonly cell: Cell;
  readonly position?: number | undefined;
  readonly column?: ColumnName | undefined;
}

/**
 * The figures of a line, or undefined for a line that declares none: a title, a payout. A cell without a digit that is no
 * currency is a remark; a figure that it should have been is then missing, which is said by whoever adds the lines up.
 *
 * A number in the amount column is the sum, `3 rows` is a count, `0.15 BTC` a sum with its currency, `0.15 in 3 rows` both.
 * A bare number that stands alone is what the label says; beside a sum, it is the count. Anything else is refused.
 */
export function readControlLine(
  cells: readonly ControlCell[],
  reading: ControlLineReading,
): ControlLine | undefined {
  const [first, ...others] = cells.map(withResult).filter(({ cell }) => cell.kind !== "empty");
  if (first === undefined || first.cell.kind !== "text") return undefined;
  if (first.cell.text.length > TEXT_LENGTH_MAX) return undefined;
  const [labelText, inline] = splitLabel(first.cell.text, reading);
  const label = reading.labelOf(labelText);
  if (label === undefined) return undefined;
  if (cells.some(({ cell }) => holdsPrivateKey(resultOf(cell).text)))
    return { figures: [], problems: [{ what: problem("VALUE_IS_SECRET", { field: "the control total" }) }] };
  const beside: ControlCell[] = inline === "" ? [] : [{ cell: { kind: "text", text: inline } }];
  const isEndless = others.some(({ cell: { text } }) => text.length > TEXT_LENGTH_MAX && /\p{N}/u.test(text));
  if (isEndless)
    return refused(first.cell.text, `a cell beside it has more than ${TEXT_LENGTH_MAX} characters`);
  const values = [...beside, ...others].flatMap(partsOf).filter((value) => isFigure(value, reading));
  if (label.names === "unclear")
    return values.length === 0
      ? undefined
      : refused(first.cell.text, "it does not say what is counted or summed");
  return new FigureReader(label, first.cell.text, reading).read(values);
}

/** Longer texts are no labels and no figures, and are not worth the time of taking them apart. */
const TEXT_LENGTH_MAX = 120;

/** A label before a colon, or a known label before a number: "Total BTC: 0.15", "Rows 3". */
function splitLabel(text: string, { labelOf }: ControlLineReading): readonly [label: string, inline: string] {
  const [, before = "", behind = ""] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  if (before !== "") return [before, behind.trim()];
  const [, words = "", rest = ""] = /^(\D+?)\s+(\d.*)$/s.exec(text) ?? [];
  const isKnown = words !== "" && (labelOf(words)?.names ?? "unclear") !== "unclear";
  return isKnown ? [words, rest.trim()] : [text, ""];
}

function withResult({ cell, ...place }: ControlCell): ControlCell {
  return { ...place, cell: cell.kind === "formula" && cell.value.kind !== "empty" ? cell.value : cell };
}

const SUM_AND_COUNT = /^(.*\d.*?)\s+in\s+(.*\d.*)$/i;

/** "0.15 in 3 rows" is two values in one cell. */
function partsOf({ cell, ...place }: ControlCell): ControlCell[] {
  const [, sum, count] = cell.kind === "text" ? (SUM_AND_COUNT.exec(cell.text.trim()) ?? []) : [];
  if (sum === undefined || count === undefined) return [{ ...place, cell }];
  const { position } = place;
  return [
    { cell: { kind: "text", text: sum }, position, column: "amount" },
    { cell: { kind: "text", text: count }, position },
  ];
}

function isFigure({ cell }: ControlCell, { isCurrency }: ControlLineReading): boolean {
  return cell.kind !== "text" || /\p{N}/u.test(cell.text) || isCurrency(cell.text.trim().toUpperCase());
}

const WITH_COUNT_WORD = /^(.+?)\s*(?:rows?|lines?|payments?|payouts?|transactions?|items?)$/i;

/** `3` or `3 rows`: what stands below the addresses in a line of totals, and is no address. */
export function isRowCount(text: string): boolean {
  if (text.length > ROW_COUNT_LENGTH_MAX) return false;
  return /^\d{1,9}$/.test(WITH_COUNT_WORD.exec(text.trim())?.[1] ?? text.trim());
}

const ROW_COUNT_LENGTH_MAX = 24;

const CURRENCY_BEHIND = /^(.*\d)\s*([A-Za-z][A-Za-z0-9]{1,9})$/;
const CURRENCY_BEFORE = /^([A-Za-z][A-Za-z0-9]{1,9})\s*(\d.*)$/;

/** Sorts the values of one line into its sum, its count and its currency. */
class FigureReader {
  private readonly label: ControlLabel;
  private readonly text: string;
  private readonly reading: ControlLineReading;
  private readonly currencies: Set<string>;
  private readonly sums: ControlCell[] = [];
  private readonly counts: ControlCell[] = [];
  private readonly bare: ControlCell[] = [];

  constructor(label: ControlLabel, text: string, reading: ControlLineReading) {
    this.label = label;
    this.text = text;
    this.reading = reading;
    this.currencies = new Set(label.currency === undefined ? [] : [label.currency]);
  }

  read(values: readonly ControlCell[]): ControlLine {
    for (const value of values) this.sort(value);
    this.sortBare();
    if (this.currencies.size > 1) return refused(this.text, "it names more than one currency");
    if (this.sums.length > 1 || this.counts.length > 1 || this.bare.length > 0)
      return refused(this.text, "it does not say which number is the sum and which the row count");
    const results = [
      ...this.sums.map((value) => this.figure("sum", value)),
      ...this.counts.map((value) => this.figure("count", value)),
    ];
    return {
      figures: results.filter((result) => "value" in result),
      problems: results.filter((result): result is ControlProblem => !("value" in result)),
    };
  }

  private sort(value: ControlCell): void {
    const { cell, position, column } = value;
    const text = cell.text.trim();
    const plain = cell.kind === "text" ? text : "";
    if (this.isCurrency(plain)) {
      this.currencies.add(plain.toUpperCase());
      return;
    }
    const [, before = "", after = ""] = CURRENCY_BEHIND.exec(plain) ?? [];
    const [, code = "", rest = ""] = CURRENCY_BEFORE.exec(plain) ?? [];
    const counted = WITH_COUNT_WORD.exec(plain)?.[1];
    if (counted !== undefined) this.counts.push({ cell: { kind: "text", text: counted }, position });
    else if (this.isCurrency(after)) this.addSum(before, after, position);
    else if (this.isCurrency(code)) this.addSum(rest, code, position);
    else if (column === "amount" && this.label.names === "sum") this.sums.push(value);
    else this.bare.push(value);
  }

  /** A number without a word takes the place that is left, where only one is. */
  private sortBare(): void {
    const [only, another] = this.bare;
    if (only === undefined || another !== undefined) return;
    const { names } = this.label;
    const place = names === "sum" && this.sums.length === 0 ? this.sums : this.counts;
    place.push(only);
    this.bare.pop();
  }

  private addSum(text: string, currency: string, position: number | undefined): void {
    this.currencies.add(currency.toUpperCase());
    this.sums.push({ cell: { kind: "text", text }, position });
  }

  private isCurrency(code: string): boolean {
    return code !== "" && this.reading.isCurrency(code.toUpperCase());
  }

  private figure(what: "sum" | "count", { cell, position }: ControlCell): ControlFigure | ControlProblem {
    const value = this.valueOf(cell);
    if (!(value instanceof Decimal)) return { what: value, position };
    const isCount = !value.isNegative() && value.normalized().scale === 0;
    if (what === "count" && !isCount) {
      const reason = `"${shownText(cell.text)}" is not a whole number of rows`;
      return { what: unreadable(this.text, reason), position };
    }
    const [currency] = this.currencies;
    const fromNumberCell = cell.kind === "number";
    return { what, ...(currency === undefined ? {} : { currency }), value, fromNumberCell, position };
  }

  private valueOf(cell: Cell): Decimal | Problem {
    const { kind, text } = cell;
    if (kind === "error") return problem("CELL_IS_ERROR", { text: shownText(text) });
    if (kind === "formula") return problem("FORMULA_WITHOUT_VALUE", {});
    if (kind === "number") return readNumberCell(text);
    if (kind === "text") return readAmountText(text.trim(), this.reading.numberFormat);
    return unreadable(this.text, `"${shownText(text)}" is a ${kind} cell`);
  }
}

function refused(text: string, reason: string): ControlLine {
  return { figures: [], problems: [{ what: unreadable(text, reason) }] };
}

function unreadable(text: string, reason: string): Problem {
  return problem("CONTROL_TOTAL_UNREADABLE", { text: shownText(text), reason });
}
