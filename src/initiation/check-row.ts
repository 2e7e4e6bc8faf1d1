/** Turns one payment's cells into a draft instruction, or into all its problems. Ignores other rows. */
import { isProblem, type Problem, problem, UNREPEATED_CODES, type Where } from "../faults/index.ts";
import { type ColumnName, columnNames } from "../model/columns.ts";
import { type Cell, type Flaw, type Grid, type Line, resultOf, textOf } from "../model/grid.ts";
import { columnLetters, type DraftInstruction } from "../model/index.ts";
import { present } from "../model/present.ts";
import { holdsPrivateKey, looksLikePrivateKey } from "../model/private-key.ts";
import type { ReadColumn } from "../model/sheet-reading.ts";
import { shownText } from "../model/shown-text.ts";
import { columnReaders, type Reader } from "./cell-readers.ts";
import { lineHoldsKey } from "./check-file.ts";
import { type AmountFormat, dayOrderOf } from "./column-format.ts";
import type { FoundColumns } from "./find-columns.ts";
import type { InitiationPolicy } from "./policy.ts";
import { applyRowRules, namedCurrency, type ReadRow, type RowValues } from "./row-rules.ts";
import type { PaymentDraft } from "./tell-lines.ts";

/** A payment in the making: later checks add to its problems and warnings. */
export interface CheckedRow {
  readonly row: number;
  readonly line: Line;
  /** The reference if it could be read, even if the row has other problems. */
  readonly reference: string | undefined;
  /** Whether neither the row nor its header names the currency. */
  readonly assumesCurrency: boolean;
  readonly draft: DraftInstruction | undefined;
  readonly problems: Problem[];
  readonly warnings: Problem[];
}

type ReadCell = (cell: Cell) => unknown;

/** Checks the payments of one grid, whose columns are known. */
export class RowChecker {
  private readonly grid: Grid;
  private readonly columns: FoundColumns;
  private readonly policy: InitiationPolicy;
  private readonly readers: readonly (ReadColumn & { readonly read: ReadCell })[];
  private readonly labels: ReadonlyMap<ColumnName, string>;
  /** The positions of all columns that are not read, those of our own answers among them. */
  private readonly unread: readonly number[];
  /** Columns of which a formula was reported. */
  private readonly calculated = new Set<ColumnName>();

  constructor(
    grid: Grid,
    columns: FoundColumns,
    lines: readonly Line[],
    format: AmountFormat,
    policy: InitiationPolicy,
  ) {
    this.grid = grid;
    this.columns = columns;
    this.policy = policy;
    this.labels = new Map(
      columns.read.map(({ name, heading }) => [name, heading === "" ? name : shownText(heading)]),
    );
    const used = new Set(columns.positions.values());
    const width = lines.reduce((most, { cells }) => Math.max(most, cells.length), columns.header.length);
    this.unread = Array.from({ length: width }, (_, position) => position).filter((each) => !used.has(each));
    const payOn = columns.positions.get("payOn") ?? -1;
    const days = payOn < 0 ? [] : lines.map(({ cells }) => resultOf(cells[payOn] ?? ""));
    const readers: Readonly<Record<ColumnName, Reader<unknown>>> = columnReaders(
      policy,
      format,
      dayOrderOf(days, policy.dateFormat),
    );
    this.readers = columns.read.map((column) => {
      const { name } = column;
      return { ...column, read: cellReader(this.label(name), readers[name], name) };
    });
  }

  check(row: number, { line, amount, sumAbove }: PaymentDraft): CheckedRow {
    const problems: Problem[] = [];
    const warnings: Problem[] = [];
    const place = this.place(row, line);
    const reason = sumAbove === undefined ? this.whyNotWhole(line) : undefined;
    if (reason !== undefined) problems.push(problem("CSV_MALFORMED", { reason }, place));
    if (reason !== undefined && lineHoldsKey(line))
      problems.push(problem("VALUE_IS_SECRET", { field: "the row" }, place));
    if (sumAbove !== undefined) problems.push(this.notTheTotal(row, line, sumAbove));
    const isRead = reason === undefined && sumAbove === undefined;
    const read = isRead ? this.read(row, line, amount, problems, warnings) : undefined;
    this.checkUnread(row, line, problems);
    if (line.isHidden) problems.push(problem("ROW_HIDDEN", {}, place));
    const fields = read && this.applyRules(row, line, read, problems, warnings);
    return {
      row,
      line,
      reference: read?.values.reference,
      assumesCurrency: read !== undefined && this.assumesCurrency(read.values),
      draft: fields === undefined || problems.length > 0 ? undefined : { row, fields },
      problems,
      warnings,
    };
  }

  /** A problem at a column of a row, with the cell's text. */
  placed(row: number, line: Line, column: ColumnName, what: Problem): Problem {
    const position = this.columns.positions.get(column);
    const text = textOf(line.cells[position ?? -1] ?? "");
    const excerpt = UNREPEATED_CODES.has(what.code) || text.trim() === "" ? {} : { excerpt: shownText(text) };
    return { ...what, ...this.place(row, line, position, column), ...excerpt };
  }

  private label(column: ColumnName): string {
    return this.labels.get(column) ?? column;
  }

  private read(
    row: number,
    line: Line,
    amount: PaymentDraft["amount"],
    problems: Problem[],
    warnings: Problem[],
  ): ReadRow {
    // All value objects get the same shape: objects that grow member by member are several times slower.
    const values: Record<ColumnName, unknown> = { ...NO_VALUES };
    let unreadable: Set<ColumnName> | undefined;
    for (const { name, position, read } of this.readers) {
      const cell = line.cells[position] ?? "";
      const result = name === "amount" && isPlain(cell) ? amount : read(cell);
      if (isProblem(result)) {
        unreadable ??= new Set<ColumnName>();
        unreadable.add(name);
        problems.push(this.placed(row, line, name, result));
      } else values[name] = result;
      const isResult = typeof cell === "object" && cell.kind === "formula" && textOf(cell) !== "";
      if (isResult && !this.calculated.has(name)) {
        this.calculated.add(name);
        const isAmount = name === "amount" && amount !== undefined && !isProblem(amount);
        const text = shownText(isAmount ? amount.text : textOf(cell));
        warnings.push(this.placed(row, line, name, problem("FORMULA_RESULT_USED", { text })));
      }
    }
    return { values: values as RowValues, unreadable: unreadable ?? NOTHING_UNREADABLE };
  }

  private applyRules(row: number, line: Line, read: ReadRow, problems: Problem[], warnings: Problem[]) {
    return applyRowRules({
      row: read,
      policy: this.policy,
      label: (column) => this.label(column),
      hasColumn: (column) => this.columns.positions.has(column),
      amountCurrency: this.columns.amountCurrency,
      report: (column, what) => problems.push(this.placed(row, line, column, what)),
      warn: (column, what) => warnings.push(this.placed(row, line, column, what)),
    });
  }

  private assumesCurrency({ currency, amount }: RowValues): boolean {
    return namedCurrency(currency, this.columns.amountCurrency, amount?.unit) === undefined;
  }

  /** Why a CSV row has not exactly the cells that are read. */
  private whyNotWhole({ cells }: Line): string | undefined {
    const { header, read } = this.columns;
    const isShort = read.some(({ position }) => position >= cells.length);
    const isLong = cells.slice(header.length).some((cell) => cell !== "");
    return this.grid.format !== "csv" || !(isShort || isLong)
      ? undefined
      : `the row has ${cells.length} cells, the line of column names ${header.length}, so cells may have slipped into other columns`;
  }

  /** An amount without a destination below payments may be meant as their total. */
  private notTheTotal(row: number, line: Line, found: string): Problem {
    const position = this.columns.positions.get("amount");
    const declared = shownText(textOf(line.cells[position ?? -1] ?? ""));
    return problem("CONTROL_TOTAL_DIFFERS", { declared, found }, this.place(row, line, position));
  }

  /** Private keys and struck-out values in the columns that are not read. */
  private checkUnread(row: number, line: Line, problems: Problem[]): void {
    const { header } = this.columns;
    for (const position of this.unread) {
      const cell = line.cells[position] ?? "";
      if (cell === "" || (typeof cell === "string" && cell.length < KEY_LENGTH_MIN)) continue;
      const field = header[position] ?? "the cell";
      const plain = resultOf(cell);
      const isStruckOut = typeof plain === "object" && "flaw" in plain && plain.flaw === "struck out";
      if (holdsPrivateKey(textOf(cell), header[position]))
        problems.push(problem("VALUE_IS_SECRET", { field }, this.place(row, line, position)));
      if (isStruckOut)
        problems.push({ ...flawed(plain.text, "struck out", field), ...this.place(row, line, position) });
    }
  }

  private place(row: number, { line }: Pick<Line, "line">, position?: number, name = ""): Where {
    const { sheet } = this.grid;
    const column = this.columns.header[position ?? -1] ?? name;
    const cell =
      sheet === undefined || position === undefined ? undefined : `${columnLetters(position)}${line}`;
    return { ...present({ sheet }), row, line, ...(column === "" ? {} : { column }), ...present({ cell }) };
  }
}

/** No shorter text is a private key. */
const KEY_LENGTH_MIN = 22;

const NO_VALUES = Object.fromEntries(columnNames.map((name) => [name, undefined])) as RowValues;
const NOTHING_UNREADABLE: ReadonlySet<ColumnName> = new Set();

function isPlain(cell: Cell): boolean {
  const plain = resultOf(cell);
  return typeof plain === "string"
    ? plain !== "" && !isErrorText(plain) && !looksLikePrivateKey(plain)
    : plain.kind === "number" && plain.flaw === undefined;
}

/** A problem instead of the reader's for an error, a flaw or a secret; undefined for an empty cell. */
function cellReader(label: string, reader: Reader<unknown>, column: ColumnName): ReadCell {
  const readText = (text: string): unknown => {
    if (isErrorText(text)) return problem("CELL_IS_ERROR", { text: shownText(text) });
    if (holdsPrivateKey(text, label)) return secret(column, label);
    const result = reader(text, label);
    const isSecret = isProblem(result) && !FREE_TEXTS.has(column) && looksLikePrivateKey(text);
    return isSecret ? secret(column, label) : result;
  };
  return (cell) => {
    if (cell === "") return undefined;
    const plain = resultOf(cell);
    if (plain === "") return problem("FORMULA_WITHOUT_VALUE", {});
    if (typeof plain === "string") return readText(plain);
    if (plain.kind === "error") return problem("CELL_IS_ERROR", { text: shownText(plain.text) });
    if (plain.kind === "text") return flawed(plain.text, plain.flaw, label, plain.parts);
    return plain.flaw === undefined ? reader(plain, label) : flawed(plain.text, plain.flaw, label);
  };
}

function secret(column: ColumnName, field: string): Problem {
  return column === "destinationAddress"
    ? problem("ADDRESS_IS_SECRET", {})
    : problem("VALUE_IS_SECRET", { field });
}

function flawed(text: string, flaw: Flaw, field: string, parts: readonly string[] = []): Problem {
  const shown = parts.map((part) => JSON.stringify(shownText(part))).join(" and ");
  const how = flaw === "in parts" && parts.length > 0 ? `${FLAWS[flaw]}: ${shown}` : FLAWS[flaw];
  return problem("VALUE_SHOWN_OTHERWISE", { field, text: shownText(text), how });
}

const FLAWS: Readonly<Record<Flaw, string>> = {
  "struck out": "it is struck out",
  "in parts": "parts of it are struck out, raised, lowered or set apart",
  merged: "the cell is merged with others, so it is unclear which row the value belongs to",
  "shown otherwise": "its number format shows another value, or none",
};

/**
 * How spreadsheet programs export error cells and numbers too wide for their column: #REF! is #BEZUG! in German and
 * #¡REF! in Spanish, #N/A is #NV and #N/D. LibreOffice also writes numbered errors: Err:502.
 */
const ERROR_TEXT = /^(?:#(?:[¡¿]?[\p{L}_/0]+[!?]|\p{L}\/\p{L}|NV|#+)|Err:\d{3})$/u;

function isErrorText(text: string): boolean {
  return (text.startsWith("#") || text.startsWith("Err:")) && ERROR_TEXT.test(text);
}

/** Columns that may hold a hash or a sentence; in others unreadable text like a key is treated as one. */
const FREE_TEXTS: ReadonlySet<ColumnName> = new Set<ColumnName>([
  "reference",
  "customerId",
  "username",
  "orderCodeName",
  "generalLedgerName",
  "generalLedgerProject",
  "generalLedgerDistribution",
]);
