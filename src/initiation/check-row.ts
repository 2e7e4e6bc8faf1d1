/** Turns one payment's cells into a draft instruction, or into all its problems. Ignores other rows. */
import { isProblem, type Problem, problem, UNREPEATED_CODES, type Where } from "../faults/index.ts";
import { type ColumnName, columnNames } from "../model/columns.ts";
import {
  type Cell,
  type Flaw,
  type FlawedText,
  type Grid,
  type Line,
  type PlainCell,
  resultOf,
  textOf,
} from "../model/grid.ts";
import { columnLetters, type DraftInstruction } from "../model/index.ts";
import { present } from "../model/present.ts";
import { holdsPrivateKey, looksLikePrivateKey } from "../model/private-key.ts";
import { shownText } from "../model/shown-text.ts";
import { columnReaders, type Reader } from "./cell-readers.ts";
import { lineHoldsKey } from "./check-file.ts";
import { type AmountFormat, dayOrderOf } from "./column-format.ts";
import type { FoundColumns } from "./find-columns.ts";
import type { InitiationPolicy } from "./policy.ts";
import { remembered } from "./remembered.ts";
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
  private readonly readers: readonly {
    readonly name: ColumnName;
    readonly position: number;
    readonly read: ReadCell;
  }[];
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
    const payOn = columns.positions.get("payOn");
    const days = payOn === undefined ? [] : lines.map(({ cells }) => resultOf(cells[payOn] ?? ""));
    const readers: Readonly<Record<ColumnName, Reader<unknown>>> = columnReaders(
      policy,
      format,
      dayOrderOf(days, policy.dateFormat),
    );
    this.readers = columns.read.map(({ name, position }) => ({
      name,
      position,
      read: cellReader(this.label(name), readers[name], name),
    }));
  }

  check(row: number, { line, amount, sumAbove }: PaymentDraft): CheckedRow {
    const problems: Problem[] = [];
    const warnings: Problem[] = [];
    const isWhole = this.isWhole(row, line, sumAbove !== undefined, problems);
    const read = isWhole ? this.read(row, line, amount, problems, warnings) : undefined;
    this.checkUnread(row, line, problems);
    if (line.isHidden) problems.push(problem("ROW_HIDDEN", {}, this.place(row, line, undefined)));
    const fields = read && this.applyRules(row, line, read, problems, warnings);
    if (sumAbove !== undefined) this.explainTotal(row, line, sumAbove, problems);
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
      if (
        typeof cell === "object" &&
        cell.kind === "formula" &&
        textOf(cell) !== "" &&
        !this.calculated.has(name)
      ) {
        this.calculated.add(name);
        const text = shownText(
          name === "amount" && amount !== undefined && !isProblem(amount) ? amount.text : textOf(cell),
        );
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

  /** Whether a CSV row has the cells that are read, and none beside; otherwise its cells may have slipped. */
  private isWhole(row: number, line: Line, mayBeShort: boolean, problems: Problem[]): boolean {
    if (this.grid.format !== "csv") return true;
    const { header, read } = this.columns;
    const isShort = !mayBeShort && read.some(({ position }) => position >= line.cells.length);
    const isLong =
      line.cells.length > header.length && line.cells.slice(header.length).some((cell) => cell !== "");
    if (!isShort && !isLong) return true;
    const cells = line.cells.length;
    const reason = `the row has ${cells} cells, the line of column names ${header.length}, so cells may have slipped into other columns`;
    problems.push(problem("CSV_MALFORMED", { reason }, this.place(row, line, undefined)));
    if (lineHoldsKey(line))
      problems.push(problem("VALUE_IS_SECRET", { field: "the row" }, this.place(row, line, undefined)));
    return false;
  }

  /** An amount without a destination below payments may be meant as their total. */
  private explainTotal(row: number, line: Line, found: string, problems: Problem[]): void {
    if (!problems.some(({ code }) => code === "DESTINATION_MISSING")) return;
    const position = this.columns.positions.get("amount");
    const declared = shownText(textOf(line.cells[position ?? -1] ?? ""));
    const others = problems.filter(({ code }) => code !== "DESTINATION_MISSING" && code !== "VALUE_MISSING");
    const what = problem("CONTROL_TOTAL_DIFFERS", { declared, found }, this.place(row, line, position));
    problems.splice(0, problems.length, ...others, what);
  }

  /** Private keys and struck-out values in the columns that are not read. */
  private checkUnread(row: number, line: Line, problems: Problem[]): void {
    const { header } = this.columns;
    for (const position of this.unread) {
      const cell = line.cells[position] ?? "";
      if (cell === "" || (typeof cell === "string" && cell.length < KEY_LENGTH_MIN)) continue;
      const place = () => this.place(row, line, position);
      if (holdsPrivateKey(textOf(cell), header[position]))
        problems.push(problem("VALUE_IS_SECRET", { field: header[position] ?? "the cell" }, place()));
      const plain = resultOf(cell);
      if (typeof plain === "object" && "flaw" in plain && plain.flaw === "struck out")
        problems.push({
          ...flawed({ ...plain, kind: "text", flaw: plain.flaw }, header[position] ?? "the cell"),
          ...place(),
        });
    }
  }

  private place(row: number, { line }: Pick<Line, "line">, position: number | undefined, name = ""): Where {
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
  const read = (plain: PlainCell): unknown => {
    if (typeof plain === "string") {
      if (isErrorText(plain)) return problem("CELL_IS_ERROR", { text: shownText(plain) });
      if (holdsPrivateKey(plain, label)) return secret(column, label);
      const result = reader(plain, label);
      const isSecret = isProblem(result) && !FREE_TEXTS.has(column) && looksLikePrivateKey(plain);
      return isSecret ? secret(column, label) : result;
    }
    if (plain.kind === "error") return problem("CELL_IS_ERROR", { text: shownText(plain.text) });
    if (plain.kind === "text") return flawed(plain, label);
    return plain.flaw === undefined
      ? reader(plain, label)
      : flawed({ ...plain, kind: "text", flaw: plain.flaw }, label);
  };
  const readText = MOSTLY_DIFFERENT.has(column) ? read : remembered(read);
  return (cell) => {
    if (cell === "") return undefined;
    if (typeof cell === "string") return readText(cell);
    const plain = resultOf(cell);
    if (cell.kind === "formula" && textOf(plain) === "") return problem("FORMULA_WITHOUT_VALUE", {});
    return read(plain);
  };
}

function secret(column: ColumnName, field: string): Problem {
  return column === "destinationAddress"
    ? problem("ADDRESS_IS_SECRET", {})
    : problem("VALUE_IS_SECRET", { field });
}

function flawed({ text, flaw, parts = [] }: FlawedText, field: string): Problem {
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

/** Columns in which texts rarely repeat. */
const MOSTLY_DIFFERENT: ReadonlySet<ColumnName> = new Set(["reference", "amount", "destinationAddress"]);

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
