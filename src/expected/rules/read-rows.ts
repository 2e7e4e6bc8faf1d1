/**
 * Reads the rows of a file of expected receipts: either every row, or every mistake on its cell. Uses the readers
 * of payouts, so that a text has the same meaning in both kinds of files.
 */
import {
  isProblem,
  type Problem,
  problem,
  type Reason,
  UNREPEATED_CODES,
  type Where,
} from "../../faults/index.ts";
import {
  type AmountReading,
  amountBreach,
  amountFormatOf,
  cellReader,
  chooseCustodyAccount,
  columnReaders,
  dayOrderOf,
  lineHoldsKey,
  namedCurrency,
  valueAt,
} from "../../files/reading/index.ts";
import type { ColumnName } from "../../model/columns.ts";
import type { ExpectedColumn } from "../../model/expected-columns.ts";
import { type Cell, type Grid, type Line, resultOf, textOf } from "../../model/grid.ts";
import {
  type CustodyAccountId,
  columnLetters,
  dayEnd,
  type ExpectedTerms,
  foldedReference,
  type Instant,
  instantIn,
} from "../../model/index.ts";
import { cellAt, widthOf } from "../../model/lines.ts";
import { present } from "../../model/present.ts";
import { escapedText, shownText } from "../../model/shown-text.ts";
import { type Amount, type CurrencyScales, Decimal, formatAmount, isFiat } from "../../money/index.ts";
import { dateTime } from "../../wire/index.ts";
import type { FoundColumns } from "./find-columns.ts";

export interface ReadingPolicy {
  readonly custodyAccounts: readonly {
    readonly id: CustodyAccountId;
    readonly name: string;
    readonly currency: string;
  }[];
  /** For rows without an account: one for all, or one per currency. */
  readonly defaultAccount: string | Readonly<Record<string, string>> | undefined;
  readonly scales: CurrencyScales;
  readonly referencePattern: { readonly maxLength: number; readonly allowed?: string };
  readonly numberFormat: Parameters<typeof amountFormatOf>[1];
  readonly dateFormat?: string | undefined;
  readonly timeZone: string;
  readonly now: Instant;
  /** For rows whose cell is empty. */
  readonly createsByDefault: boolean;
}

type Reader<Value = unknown> = (
  cell: Parameters<ReturnType<typeof columnReaders>["payOn"]>[0],
  label: string,
) => Value | Problem;

export interface ReadRow extends ExpectedTerms {
  readonly line: number;
}

export interface ReadRows {
  readonly rows: readonly ReadRow[];
  /** Ordered by line. */
  readonly problems: readonly Problem[];
  /** How many lines below the column names have content in columns that are read. */
  readonly rowsRead: number;
}

/** `columns`: those of this grid. */
export function readRows(grid: Grid, columns: FoundColumns, policy: ReadingPolicy): ReadRows {
  const reader = new RowReader(grid, columns, policy);
  const below = grid.lines.filter(({ line }) => line > columns.headerLine);
  const lines = below.filter((line) => reader.isRow(line));
  const read = lines.map((line) => reader.read(line));
  const rows = read.flatMap(({ row }) => row ?? []);
  const problems = [
    ...(reader.doubt === undefined ? [] : [reader.doubt]),
    ...read.flatMap((each) => each.problems),
    ...repeatedReferences(rows, reader),
    ...totalRow(rows, reader),
  ];
  return {
    rows,
    problems: problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)),
    rowsRead: lines.length,
  };
}

function repeatedReferences(rows: readonly ReadRow[], reader: RowReader): Problem[] {
  const groups = Map.groupBy(rows, ({ reference }) => foldedReference(reference));
  return [...groups.values()].flatMap(([first, ...others]) =>
    others.map(({ line, reference }) => {
      const repeated = problem("REFERENCE_REPEATED", { reference, earlier: first?.line ?? 0 });
      return reader.placed(line, "reference", repeated);
    }),
  );
}

/** A problem if the last row's amount is the sum of all rows above it. */
function totalRow(rows: readonly ReadRow[], reader: RowReader): Problem[] {
  const [last] = rows.slice(-1);
  const above = rows.slice(0, -1);
  const isOne = above.every(({ amount }) => amount.currency === last?.amount.currency);
  if (last === undefined || above.length < 2 || !isOne) return [];
  const sum = Decimal.sum(above.map(({ amount }) => amount.value));
  if (!sum.equals(last.amount.value)) return [];
  return [reader.placed(last.line, "amount", problem("EXPECTED_ROW_IS_TOTAL", { rows: above.length }))];
}

/** The payout column whose reader and rule for secrets a column uses. */
const READ_AS = {
  reference: "reference",
  customer: "customerId",
  account: "accountId",
  amount: "amount",
  currency: "currency",
  dueDay: "payOn",
  rateUntil: "payOn",
  create: "batchingAllowed",
} as const satisfies Readonly<Record<ExpectedColumn, ColumnName>>;

class RowReader {
  private readonly grid: Grid;
  private readonly columns: FoundColumns;
  private readonly policy: ReadingPolicy;
  private readonly readers: ReadonlyMap<ExpectedColumn, (cell: Cell) => unknown>;
  /** The problem that amounts can be read in two ways, at a cell that shows it. */
  readonly doubt: Problem | undefined;

  constructor(grid: Grid, columns: FoundColumns, policy: ReadingPolicy) {
    this.grid = grid;
    this.columns = columns;
    this.policy = policy;
    const cells = (column: ExpectedColumn) => {
      const position = columns.positions.get(column);
      const lines = grid.lines.filter(({ line }) => line > columns.headerLine);
      return position === undefined ? [] : lines.map((line) => cellAt(line, position));
    };
    const amounts = cells("amount");
    const { format, doubt } = amountFormatOf(amounts, policy.numberFormat, grid.csv?.delimiter === ";");
    const shown = doubt && grid.lines.filter(({ line }) => line > columns.headerLine)[doubt.index];
    this.doubt = doubt && shown && this.placed(shown.line, "amount", doubt.what, amounts[doubt.index]);
    const readersOf = (column: ExpectedColumn) =>
      columnReaders(policy, format, dayOrderOf(cells(column).map(resultOf), policy.dateFormat));
    this.readers = new Map(
      [...columns.positions.keys()].map((column) => {
        const name = READ_AS[column];
        const { [name]: read, payOn } = readersOf(column);
        const own: Reader =
          column === "rateUntil" ? (cell, label) => this.readUntil(cell, label, payOn) : read;
        return [column, cellReader(this.label(column), own, name)];
      }),
    );
  }

  /** Whether a line has content in a column that is read. */
  isRow(line: Line): boolean {
    return [...this.columns.positions.values()].some((at) => textOf(cellAt(line, at)).trim() !== "");
  }

  read(line: Line): { readonly row?: ReadRow; readonly problems: readonly Problem[] } {
    const problems: Problem[] = [];
    const report = (column: ExpectedColumn, what: Problem) =>
      problems.push(
        this.placed(line.line, column, what, cellAt(line, this.columns.positions.get(column) ?? -1)),
      );
    const slipped = this.whyNotWhole(line);
    if (slipped !== undefined) report("reference", problem("CSV_MALFORMED", { reason: slipped }));
    if (line.isHidden === true) report("reference", problem("ROW_HIDDEN", {}));
    const values = new Map<ExpectedColumn, unknown>();
    const unreadable = new Set<ExpectedColumn>();
    for (const [column, position] of this.columns.positions) {
      const value = this.readers.get(column)?.(cellAt(line, position));
      if (!isProblem(value)) values.set(column, value);
      else {
        unreadable.add(column);
        report(column, value);
      }
    }
    if (problems.length === 0 && lineHoldsKey(line))
      report("reference", problem("VALUE_IS_SECRET", { field: "the row" }));
    for (const column of ["reference", "amount"] as const)
      if (values.get(column) === undefined && !unreadable.has(column))
        report(column, problem("VALUE_MISSING", { field: this.label(column) }));
    const terms = this.termsOf(values, unreadable, report);
    return problems.length > 0 || terms === undefined
      ? { problems }
      : { row: { ...terms, line: line.line }, problems };
  }

  private termsOf(
    values: ReadonlyMap<ExpectedColumn, unknown>,
    unreadable: ReadonlySet<ExpectedColumn>,
    report: (column: ExpectedColumn, what: Problem) => void,
  ): ExpectedTerms | undefined {
    const text = (column: ExpectedColumn) => values.get(column) as string | undefined;
    const reading = values.get("amount") as AmountReading | undefined;
    const reference = text("reference");
    if (reading === undefined || unreadable.has("account") || unreadable.has("currency")) return undefined;
    const found = this.amountAndAccount(reading, text("account"), text("currency"));
    if ("at" in found) report(found.at, found.what);
    if ("at" in found || reference === undefined) return undefined;
    const { amount, custodyAccountId } = found;
    const rateUntil = values.get("rateUntil") as Instant | undefined;
    const creates = (values.get("create") as boolean | undefined) ?? this.policy.createsByDefault;
    const why = rateUntil === undefined ? undefined : this.whyRateUnfit(rateUntil, amount);
    if (why !== undefined && rateUntil !== undefined)
      report("rateUntil", problem("EXPECTED_RATE_UNFIT", { until: rateUntil, ...why }));
    const dueDay = text("dueDay");
    return {
      reference,
      custodyAccountId,
      amount,
      creates,
      ...present({ customerId: text("customer"), dueDay, rateUntil }),
    };
  }

  private amountAndAccount(
    reading: AmountReading,
    account: string | undefined,
    currency: string | undefined,
  ):
    | { readonly amount: Amount; readonly custodyAccountId: CustodyAccountId }
    | { readonly at: ExpectedColumn; readonly what: Problem } {
    const { custodyAccounts, scales, defaultAccount } = this.policy;
    const named = namedCurrency(currency, this.columns.amountCurrency, reading.unit);
    if (named !== undefined && scales.scaleOf(named) === undefined)
      return { at: "currency", what: problem("CURRENCY_SCALE_UNKNOWN", { currency: shownText(named) }) };
    const crypto = named !== undefined && isFiat(named) ? undefined : named;
    const defaults = { custodyAccount: defaultAccount };
    const chosen = chooseCustodyAccount(account, crypto, { custodyAccounts, defaults });
    if (isProblem(chosen))
      return { at: chosen.code === "CURRENCY_UNKNOWN" ? "currency" : "account", what: chosen };
    const code = named ?? chosen.currency;
    const scale = scales.scaleOf(code);
    if (scale === undefined)
      return { at: "currency", what: problem("CURRENCY_SCALE_UNKNOWN", { currency: code }) };
    if (!isFiat(code) && code !== chosen.currency) {
      const params = { currency: code, custodyAccount: chosen.name, expected: chosen.currency };
      return { at: "currency", what: problem("CURRENCY_DIFFERS", params) };
    }
    const value = valueAt(reading, scale);
    const breach = amountBreach({ ...reading, value }, code, scale);
    if (breach !== undefined) return { at: "amount", what: breach };
    return { amount: { currency: code, value: value.normalized() }, custodyAccountId: chosen.id };
  }

  private whyRateUnfit(until: Instant, amount: Amount): Reason<"EXPECTED_RATE_UNFIT"> | undefined {
    if (!isFiat(amount.currency)) return { reason: "crypto", amount: formatAmount(amount) };
    return until <= this.policy.now ? { reason: "past" } : undefined;
  }

  /** A day, which means its end in the company's time zone; a date and time there; or an instant with its zone. */
  private readUntil(cell: Parameters<Reader>[0], label: string, readDay: Reader<string>): Instant | Problem {
    const { timeZone } = this.policy;
    const day = readDay(cell, label);
    if (!isProblem(day)) return dayEnd(timeZone, day);
    if (day.code === "DATE_AMBIGUOUS") return day;
    const text = textOf(cell).trim();
    const zoned = dateTime.safeParse(text);
    const instant = LOCAL.test(text) ? instantIn(timeZone, text) : zoned.success ? zoned.data : undefined;
    if (instant !== undefined) return instant;
    const expected = "a day, or an instant with its zone such as 2026-12-01T12:00:00Z";
    return problem("VALUE_MALFORMED", { field: label, text: escapedText(text), expected });
  }

  /** Why a CSV row does not have exactly the cells that are read. */
  private whyNotWhole(line: Line): string | undefined {
    const width = widthOf(line);
    const { header, positions } = this.columns;
    const isShort = [...positions.values()].some((position) => position >= width);
    const isLong = width > header.length && line.cells.slice(header.length).some((cell) => cell !== "");
    return this.grid.format === "csv" && (isShort || isLong)
      ? `the row has ${width} cells, the line of column names ${header.length}, so cells may have slipped into ` +
          `other columns`
      : undefined;
  }

  placed(line: number, column: ExpectedColumn, what: Problem, cell: Cell = ""): Problem {
    const position = this.columns.positions.get(column);
    const heading = position === undefined ? column : (this.columns.header[position] ?? column);
    const text = textOf(cell);
    const excerpt = UNREPEATED_CODES.has(what.code) || text.trim() === "" ? {} : { excerpt: shownText(text) };
    const at =
      this.grid.format === "xlsx" && position !== undefined ? `${columnLetters(position)}${line}` : undefined;
    const where: Where = { line, column: heading, ...present({ sheet: this.grid.sheet, cell: at }) };
    return { ...what, ...where, ...excerpt };
  }

  private label(column: ExpectedColumn): string {
    const heading = this.columns.header[this.columns.positions.get(column) ?? -1] ?? "";
    return shownText(heading === "" ? column : heading);
  }
}

const LOCAL = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?$/;
