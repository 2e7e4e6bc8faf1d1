/** Turns one payment's cells into a draft instruction, or into all its problems. Ignores other rows. */
import {
  isProblem,
  type Problem,
  problem,
  SECRET_CODES,
  UNREPEATED_CODES,
  type Where,
} from "../../faults/index.ts";
import type { ColumnName } from "../../model/columns.ts";
import { DraftColumns, type PlainField } from "../../model/draft-columns.ts";
import { type Cell, type Flaw, type Grid, type Line, resultOf, textOf } from "../../model/grid.ts";
import { columnLetters, type DraftInstruction, type InstructionFields } from "../../model/index.ts";
import { cellAt, widthOf } from "../../model/lines.ts";
import { present } from "../../model/present.ts";
import { cellHoldsKey, holdsPrivateKey, looksLikePrivateKey } from "../../model/private-key.ts";
import type { PaymentLine, ReadColumn } from "../../model/sheet-reading.ts";
import { shownText } from "../../model/shown-text.ts";
import type { Amount } from "../../money/index.ts";
import { columnReaders, type Reader } from "./cell-readers.ts";
import { hasSlipped } from "./classify-lines.ts";
import { type AmountFormat, dayOrderOf, readAmount } from "./column-format.ts";
import type { FoundColumns } from "./find-columns.ts";
import type { InitiationPolicy } from "./policy.ts";
import { applyRowRules, namedCurrency, type RowContext, type RowValues } from "./row-rules.ts";

/**
 * A payment that is checked, as it is reported: later checks add problems and warnings. Its draft is stored by
 * columns, and built when it is read.
 */
export class CheckedRow implements PaymentLine {
  readonly row: number;
  /** Its line in the file. */
  readonly sent: Line;
  /** The reference if it could be read, even if the row has other problems; or an assigned one. */
  reference: string | undefined;
  /** Whether neither the row nor its header names the currency. */
  readonly assumesCurrency: boolean;
  problems: readonly Problem[];
  warnings: readonly Problem[];
  private readonly drafts: DraftColumns;
  private readonly index: number | undefined;

  /** `read`: the readable parts of the row; may lack the reference and the draft. */
  constructor(open: OpenRow, drafts: DraftColumns, read: ReadRow) {
    const { row, sent, problems, warnings } = open;
    this.row = row;
    this.sent = sent;
    this.reference = read.reference;
    this.assumesCurrency = read.assumesCurrency;
    // Most rows have none and share one list.
    this.problems = problems.length === 0 ? NOTHING_FOUND : problems;
    this.warnings = warnings.length === 0 ? NOTHING_FOUND : warnings;
    this.drafts = drafts;
    this.index = read.fields && drafts.add(read.fields);
  }

  report(what: Problem): void {
    this.problems = [...this.problems, what];
  }

  warn(what: Problem): void {
    this.warnings = [...this.warnings, what];
  }

  get line(): number {
    return this.sent.line;
  }

  /** Whether its cells could be read; another row or an earlier file may still speak against it. */
  get hasFields(): boolean {
    return this.index !== undefined;
  }

  get fields(): InstructionFields | undefined {
    if (this.index === undefined) return undefined;
    const fields = this.drafts.at(this.index);
    const { reference = fields.reference } = this;
    return reference === fields.reference ? fields : { ...fields, reference };
  }

  /** Its reference, if it was assigned because no column holds references. */
  get ownReference(): string | undefined {
    return this.field("reference") === "" ? this.reference : undefined;
  }

  get draft(): DraftInstruction | undefined {
    const fields = this.problems.length === 0 ? this.fields : undefined;
    return fields && { row: this.row, fields };
  }

  get amount(): Amount | undefined {
    return this.index === undefined ? undefined : this.drafts.amount(this.index);
  }

  /** The currency of its amount. */
  get currency(): string | undefined {
    return this.index === undefined ? undefined : this.drafts.currency(this.index);
  }

  /** One field as it was read: the reference that was assigned is a separate member. */
  field<Name extends PlainField>(name: Name): InstructionFields[Name] | undefined {
    return this.index === undefined ? undefined : this.drafts.field(name, this.index);
  }

  /** Without the cells of the row, because they may hold a private key. */
  toJSON(): PaymentLine {
    const { row, line, problems, warnings, draft, ownReference } = this;
    return { row, line, problems, warnings, ...present({ draft, ownReference }) };
  }
}

/** The currencies in which the rows that have a draft are paid. */
export function currenciesOf(rows: readonly CheckedRow[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { currency } of rows) if (currency !== undefined) found.add(currency);
  return found;
}

const NOTHING_FOUND: readonly Problem[] = [];

/** The readable parts of a row. */
interface ReadRow extends Pick<CheckedRow, "reference" | "assumesCurrency"> {
  readonly fields: InstructionFields | undefined;
}

/** A row while it is checked. */
interface OpenRow extends Pick<CheckedRow, "row" | "sent"> {
  readonly problems: Problem[];
  readonly warnings: Problem[];
}

type ReadCell = (cell: Cell) => unknown;

/** Checks the payments of one grid, whose columns are known. */
export class RowChecker {
  private readonly grid: Grid;
  private readonly columns: FoundColumns;
  private readonly format: AmountFormat;
  private readonly policy: InitiationPolicy;
  private readonly readers: readonly (ReadColumn & { readonly read: ReadCell })[];
  private readonly labels: ReadonlyMap<ColumnName, string>;
  /** The positions of all columns that are not read, including those of our own answers. */
  private readonly unread: readonly number[];
  /** The last position that is read; -1 without one. */
  private readonly lastRead: number;
  private readonly drafts = new DraftColumns();
  private readonly label = (column: ColumnName): string => this.labels.get(column) ?? column;

  constructor(
    grid: Grid,
    columns: FoundColumns,
    lines: readonly Line[],
    format: AmountFormat,
    policy: InitiationPolicy,
  ) {
    this.grid = grid;
    this.columns = columns;
    this.format = format;
    this.policy = policy;
    this.labels = new Map(columns.read.map(({ name, heading }) => [name, shownText(heading || name)]));
    this.lastRead = columns.read.reduce((last, { position }) => Math.max(last, position), -1);
    const used = new Set(columns.positions.values());
    const width = lines.reduce((most, line) => Math.max(most, widthOf(line)), columns.header.length);
    this.unread = Array.from({ length: width }, (_, position) => position).filter((each) => !used.has(each));
    const payOn = columns.positions.get("payOn");
    const days = payOn === undefined ? [] : lines.map((line) => resultOf(cellAt(line, payOn)));
    const dayOrder = dayOrderOf(days, policy.dateFormat);
    const readers: Readonly<Record<ColumnName, Reader<unknown>>> = columnReaders(policy, format, dayOrder);
    this.readers = columns.read.map((column) => {
      const { name } = column;
      return { ...column, read: cellReader(this.label(name), readers[name], name) };
    });
  }

  /** `sumAbove`: the sum of the payments above, if the row may be meant as their total. */
  check(row: number, sent: Line, sumAbove: string | undefined): CheckedRow {
    const open: OpenRow = { row, sent, problems: [], warnings: [] };
    const { problems } = open;
    const reason = this.whyNotWhole(sent);
    // An amount without a destination below payments may be meant as their total.
    if (sumAbove !== undefined) {
      const at = this.columns.positions.get("amount") ?? -1;
      const declared = shownText(textOf(cellAt(sent, at)));
      problems.push(problem("CONTROL_TOTAL_DIFFERS", { declared, found: sumAbove }, this.place(open, at)));
    } else if (reason !== undefined) problems.push(problem("CSV_MALFORMED", { reason }, this.place(open)));
    const read = problems.length === 0 ? this.read(open) : undefined;
    this.checkUnread(open);
    const isKeyNamed = problems.some(({ code }) => SECRET_CODES.has(code));
    if (read === undefined && !isKeyNamed && lineHoldsKey(sent))
      problems.push(problem("VALUE_IS_SECRET", { field: "the row" }, this.place(open)));
    if (sent.isHidden) problems.push(problem("ROW_HIDDEN", {}, this.place(open)));
    const fields = read && applyRowRules(read);
    if (problems.length > 1 && this.isSlipped(open)) problems.splice(0, problems.length, this.slipped(open));
    const { reference, currency, amount: value } = read?.values ?? NO_VALUES;
    const named = namedCurrency(currency, this.columns.amountCurrency, value?.unit);
    return new CheckedRow(open, this.drafts, {
      reference,
      assumesCurrency: read !== undefined && named === undefined,
      fields: problems.length > 0 ? undefined : fields,
    });
  }

  /** A problem at a column of a row, with the cell's text. */
  placed(open: Pick<OpenRow, "row" | "sent">, column: ColumnName, what: Problem): Problem {
    const position = this.columns.positions.get(column);
    const text = textOf(cellAt(open.sent, position ?? -1));
    const excerpt = UNREPEATED_CODES.has(what.code) || text.trim() === "" ? {} : { excerpt: shownText(text) };
    return { ...what, ...this.place(open, position, column), ...excerpt };
  }

  private read(open: OpenRow): RowContext {
    const values: Record<ColumnName, unknown> = noValues();
    let unreadable: Set<ColumnName> | undefined;
    // By index: an iterator makes an object for each of the cells.
    for (let at = 0; at < this.readers.length; at += 1) {
      const reader = this.readers[at];
      if (reader === undefined) continue;
      const { name, position, read } = reader;
      const cell = cellAt(open.sent, position);
      const result = name === "amount" && isCalculated(cell) ? readAmount(cell, this.format) : read(cell);
      if (!isProblem(result)) values[name] = result;
      else {
        unreadable ??= new Set<ColumnName>();
        unreadable.add(name);
        open.problems.push(this.placed(open, name, result));
      }
    }
    return {
      values: values as RowValues,
      unreadable: unreadable ?? NOTHING_UNREADABLE,
      policy: this.policy,
      columns: this.columns,
      label: this.label,
      report: (column, what) => open.problems.push(this.placed(open, column, what)),
      warn: (column, what) => open.warnings.push(this.placed(open, column, what)),
    };
  }

  /** Each cell's own fix would mislead. */
  private isSlipped({ sent, problems }: OpenRow): boolean {
    const codes = new Set(problems.map(({ code }) => code));
    const areUnreadable = codes.has("AMOUNT_UNREADABLE") && codes.has("ADDRESS_MALFORMED");
    const isKeyNamed = [...codes].some((code) => SECRET_CODES.has(code));
    return this.grid.format === "csv" && areUnreadable && !isKeyNamed && hasSlipped(sent, this.columns);
  }

  private slipped(open: OpenRow): Problem {
    const reason = "its address and amount are in other columns than those of the other rows";
    return problem("CSV_MALFORMED", { reason }, this.place(open));
  }

  /** Why a CSV row has more or fewer cells than are read; undefined if the number is right. */
  private whyNotWhole(line: Line): string | undefined {
    if (this.grid.format !== "csv") return undefined;
    const { header } = this.columns;
    const width = widthOf(line);
    const isShort = this.lastRead >= width;
    const isLong = width > header.length && line.cells.slice(header.length).some((cell) => cell !== "");
    if (!isShort && !isLong) return undefined;
    return (
      `the row has ${width} cells, the line of column names ${header.length}, so cells may have slipped into ` +
      `other columns`
    );
  }

  /** Checks the columns that are not read for private keys and struck-out values. */
  private checkUnread(open: OpenRow): void {
    for (const position of this.unread) {
      const cell = cellAt(open.sent, position);
      if (cell === "" || (typeof cell === "string" && cell.length < KEY_LENGTH_MIN)) continue;
      const heading = this.columns.header[position];
      const field = heading ?? "the cell";
      const plain = resultOf(cell);
      if (holdsPrivateKey(textOf(cell), heading))
        open.problems.push(problem("VALUE_IS_SECRET", { field }, this.place(open, position)));
      if (typeof plain === "object" && "flaw" in plain && plain.flaw === "struck out")
        open.problems.push({ ...flawed(plain.text, plain.flaw, field), ...this.place(open, position) });
    }
  }

  private place({ row, sent: { line } }: Pick<OpenRow, "row" | "sent">, position?: number, name = ""): Where {
    const { sheet } = this.grid;
    const column = this.columns.header[position ?? -1] ?? name;
    const cell =
      sheet === undefined || position === undefined ? undefined : `${columnLetters(position)}${line}`;
    return { ...present({ sheet }), row, line, ...(column === "" ? {} : { column }), ...present({ cell }) };
  }
}

/** A shorter text cannot be a private key. */
const KEY_LENGTH_MIN = 22;

const NO_VALUES = noValues() as RowValues;
const NOTHING_UNREADABLE: ReadonlySet<ColumnName> = new Set();

/**
 * All value objects get the same shape: objects that grow member by member, and copies of an object that did, are
 * several times slower.
 */
function noValues(): Record<ColumnName, unknown> {
  return {
    reference: undefined,
    amount: undefined,
    currency: undefined,
    destinationAddress: undefined,
    destinationAccountId: undefined,
    accountId: undefined,
    username: undefined,
    customerId: undefined,
    callbackUrl: undefined,
    feePolicy: undefined,
    customFeeRate: undefined,
    subtractFee: undefined,
    verifyBalance: undefined,
    useCoinConsolidation: undefined,
    batchingAllowed: undefined,
    orderCodeName: undefined,
    generalLedgerName: undefined,
    generalLedgerProject: undefined,
    generalLedgerDistribution: undefined,
    payOn: undefined,
  };
}

/** Whether a formula gave the amount. */
function isCalculated(cell: Cell): boolean {
  const plain = resultOf(cell);
  return cell !== plain && typeof plain === "object" && plain.kind === "number" && plain.flaw === undefined;
}

/** A seed phrase may be spread over cells. */
export function lineHoldsKey({ cells }: Line): boolean {
  return cells.some(cellHoldsKey) || holdsPrivateKey(cells.map(textOf).join(" "));
}

const REMEMBERED_MAX = 1000;

/**
 * Reads a cell. An error, a flaw or a secret gives its own problem instead of the reader's; an empty cell gives
 * undefined.
 */
export function cellReader(label: string, reader: Reader<unknown>, column: ColumnName): ReadCell {
  const readText = (plain: string): unknown => {
    const text = /^\t|\t$/.test(plain) ? plain.replace(TABS_AROUND, "") : plain;
    if (text === "") return undefined;
    if (isErrorText(text)) return problem("CELL_IS_ERROR", { text: shownText(text) });
    if (holdsPrivateKey(text, label)) return secret(column, label);
    const result = reader(text, label);
    const isSecret = isProblem(result) && !FREE_TEXTS.has(column) && looksLikePrivateKey(text);
    return isSecret ? secret(column, label) : result;
  };
  const known = new Map<string, unknown>();
  // A column repeats its texts in many rows.
  const remembered = (text: string): unknown => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const result = readText(text);
    if (known.size < REMEMBERED_MAX) known.set(text, result);
    return result;
  };
  // Many columns have one value in all rows.
  let lastText = "";
  let lastResult: unknown;
  return (cell) => {
    if (cell === "") return undefined;
    const plain = resultOf(cell);
    if (plain === "") return problem("FORMULA_WITHOUT_VALUE", {});
    if (typeof plain === "string") {
      if (plain !== lastText) {
        lastResult = remembered(plain);
        lastText = plain;
      }
      return lastResult;
    }
    if (plain.kind === "error") return problem("CELL_IS_ERROR", { text: shownText(plain.text) });
    if (plain.kind === "text") return flawed(plain.text, plain.flaw, label, plain.parts);
    return plain.flaw === undefined ? reader(plain, label) : flawed(plain.text, plain.flaw, label);
  };
}

/** Programs put a tab beside a text, so that spreadsheets keep it as text. */
const TABS_AROUND = /^\t+|\t+$/g;

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

/**
 * Columns that may hold a hash or a sentence. In other columns an unreadable text that looks like a key counts as
 * one.
 */
const FREE_TEXTS: ReadonlySet<ColumnName> = new Set<ColumnName>([
  "reference",
  "customerId",
  "username",
  "orderCodeName",
  "generalLedgerName",
  "generalLedgerProject",
  "generalLedgerDistribution",
]);
