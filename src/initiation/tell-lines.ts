/**
 * Tells the lines of a sheet apart by their structure: totals, notes, sections, repeated headers; everything else is a
 * payment. No word decides. An amount without a destination is a total if it equals the sum of what it covers.
 */
import { isProblem, type Problem, problem } from "../faults/index.ts";
import { type Cell, type Grid, type Line, resultOf, textOf } from "../model/grid.ts";
import { type ControlTotal, findCustodyAccount, RunningTotals } from "../model/index.ts";
import { present } from "../model/present.ts";
import type { Note, Section, TotalLine } from "../model/sheet-reading.ts";
import { shownWhole } from "../model/shown-text.ts";
import { wordOf } from "../model/words.ts";
import type { Amount } from "../money/index.ts";
import { type AmountFormat, type AmountReading, amountFormatOf, readAmount } from "./column-format.ts";
import type { FoundColumns } from "./find-columns.ts";
import type { ColumnWords } from "./find-header.ts";
import { isAddressCell, isHeaderByName } from "./find-header.ts";
import type { InitiationPolicy } from "./policy.ts";
import { chooseCustodyAccount, namedCurrency, onlyCurrency } from "./row-rules.ts";

/** A line with an amount or a destination. */
export interface PaymentDraft {
  readonly line: Line;
  /** Undefined if the amount cell is empty. */
  readonly amount: AmountReading | Problem | undefined;
  /** Undefined if its amount is not known. */
  readonly asked: Amount | undefined;
  /** What the payments above come to, if this may be meant as their total. */
  readonly sumAbove?: string;
}

export interface ToldLines {
  /** The one format of the column of amounts, which all its cells decide. */
  readonly format: AmountFormat;
  readonly payments: readonly PaymentDraft[];
  readonly notes: readonly Note[];
  readonly sections: readonly Section[];
  readonly totals: readonly TotalLine[];
  /** Totals of lines that another total covers already. */
  readonly secondTotals: readonly TotalLine[];
  /** The first line that may be a total of payments whose amounts are not all known. */
  readonly unproven?: { readonly line: number; readonly unread: number };
  /** The lines whose texts are notes, for what they say about currencies. */
  readonly noteLines: readonly Line[];
  /** Of the file as a whole. */
  readonly problems: readonly Problem[];
}

export function tellLines(
  grid: Grid,
  headerLine: Line,
  columns: FoundColumns,
  words: ColumnWords,
  policy: InitiationPolicy,
): ToldLines {
  const start = grid.lines.indexOf(headerLine);
  const below = grid.lines.slice(start + 1);
  const cells = below.map((line) => cellOf(line, columns, "amount"));
  const { format, doubt } = amountFormatOf(cells, policy.numberFormat, grid.csv?.delimiter === ";");
  const told = new LineTeller(columns, format, policy);
  const place = present({ sheet: grid.sheet });
  const problems: Problem[] = [];
  for (const line of grid.lines.slice(0, start)) {
    told.note(line, "above the columns");
    const amount = told.amountOf(line);
    if (line.cells.some(isAddressCell) && amount !== undefined && !isProblem(amount))
      problems.push(problem("PAYOUT_ABOVE_HEADER", {}, { line: line.line }));
  }
  const headings = headerLine.cells.map((cell) => wordOf(textOf(cell)));
  for (const line of below) {
    if (grid.csv !== undefined && isRowSwallowed(line, grid.csv.delimiter, headings.length)) {
      const reason = "a cell of this row holds another row, perhaps after a quote too many";
      problems.push(problem("CSV_MALFORMED", { reason }, { line: line.line }));
    }
    if (!isRepeatedHeader(line, headings, words)) told.take(line);
    else if (headings.some((word, position) => word !== wordOf(textOf(line.cells[position] ?? ""))))
      problems.push(problem("HEADER_REPEATED", {}, { ...place, line: line.line }));
  }
  if (doubt !== undefined) problems.push({ ...doubt.what, ...place, line: below[doubt.index]?.line ?? 0 });
  return { ...told.result(), format, problems };
}

function cellOf(
  { cells }: Line,
  { positions }: FoundColumns,
  column: "amount" | "currency" | "accountId" | "destinationAddress" | "destinationAccountId",
): Cell {
  return cells[positions.get(column) ?? -1] ?? "";
}

function isRepeatedHeader(line: Line, headings: readonly string[], words: ColumnWords): boolean {
  const filled = line.cells.filter((cell) => cell !== "");
  const isNoName = (cell: Cell) => typeof cell !== "string" || cell.length > 60 || /\d[.,]?\d/.test(cell);
  if (filled.length < 2 || filled.some(isNoName)) return false;
  const texts = filled.map((cell) => wordOf(textOf(cell)));
  const known = texts.filter((word) => word !== "" && headings.includes(word));
  return 2 * known.length > filled.length || isHeaderByName(line, words);
}

/** Whether one line of a cell with line breaks has as many delimiters as the header: a row, after a quote too many. */
function isRowSwallowed({ cells }: Line, delimiter: string, width: number): boolean {
  const isRow = (part: string) => part.split(delimiter).length >= width;
  return cells.some((cell) => {
    const text = textOf(cell);
    if (width < 2 || text.length < 2 * width || !/[\r\n]/.test(text)) return false;
    return text.split(/[\r\n]+/).some(isRow);
  });
}

/** Sums of payments; those that lack a destination are not sure. */
interface Scope {
  readonly sure: RunningTotals;
  readonly all: RunningTotals;
  count: number;
  firstLine: number;
  /** The first line whose amount is not known. */
  unread: number | undefined;
}

/** An amount without a destination: a total, or a payment with its problem. */
interface Candidate extends PaymentDraft {
  readonly amount: AmountReading;
  readonly asked: Amount;
  /** The first line of what it is the sum of, as far as known when it was met. */
  readonly covered: number | undefined;
  readonly unread: number | undefined;
}

/** A calculated sum carries the noise of binary numbers after these decimals. */
const SCALE_OF_SUMS = 8;

class LineTeller {
  private readonly columns: FoundColumns;
  private readonly format: AmountFormat;
  private readonly policy: InitiationPolicy;
  /** In file order. */
  private readonly entries: (PaymentDraft | Candidate)[] = [];
  private readonly notes: Note[] = [];
  private readonly noteLines: Line[] = [];
  /** Notes since the last payment. */
  private pending: Line[] = [];
  private readonly headings: (readonly [Line, Scope])[] = [];
  private readonly file = newScope();
  private sinceTotal = newScope();
  private sinceHeading = newScope();

  constructor(columns: FoundColumns, format: AmountFormat, policy: InitiationPolicy) {
    this.columns = columns;
    this.format = format;
    this.policy = policy;
  }

  amountOf(line: Line): AmountReading | Problem | undefined {
    const cell = cellOf(line, this.columns, "amount");
    return cell === "" ? undefined : readAmount(cell, this.format);
  }

  take(line: Line): void {
    const amount = this.amountOf(line);
    const goesSomewhere = this.hasDestination(line);
    const isText = isProblem(amount) && !isFigure(cellOf(line, this.columns, "amount"));
    if (!goesSomewhere && (amount === undefined || isText)) {
      this.pending.push(line);
      return;
    }
    this.endNotes();
    if (amount === undefined || isProblem(amount)) {
      this.entries.push({ line, amount, asked: undefined });
      this.add(line, undefined, goesSomewhere);
    } else if (goesSomewhere) {
      const asked = this.paid(line, amount);
      this.entries.push({ line, amount, asked });
      this.add(line, asked, true);
    } else this.takeCandidate(line, amount);
  }

  note(line: Line, place: string): void {
    this.noteLines.push(line);
    const where = line.isHidden ? `${place}, hidden` : place;
    this.notes.push({ line: line.line, place: where, text: textsOf(line) });
  }

  result(): Omit<ToldLines, "problems" | "format"> {
    for (const line of this.pending) this.note(line, "below the rows");
    const payments: PaymentDraft[] = [];
    const totals: TotalLine[] = [];
    let unproven: ToldLines["unproven"];
    for (const [index, entry] of this.entries.entries()) {
      const next = this.entries[index + 1];
      const isLast = next === undefined || "covered" in next;
      if (!("covered" in entry)) payments.push(entry);
      else if (entry.covered !== undefined || this.isSumOfFile(entry))
        totals.push(this.totalLine(entry, payments.at(-1)));
      else if (entry.unread !== undefined && isLast)
        unproven ??= { line: entry.line.line, unread: entry.unread };
      else {
        const { line, amount, sumAbove } = entry;
        payments.push({ line, amount, asked: this.paid(line, amount), ...present({ sumAbove }) });
      }
    }
    const covered = new Set<string>();
    const isSecond = ({ covers, firstLine, lastLine }: TotalLine) =>
      covered.size === covered.add(`${covers} ${firstLine} ${lastLine}`).size;
    return {
      payments,
      totals,
      secondTotals: totals.filter(isSecond),
      sections: this.headings.map(([line, { sure }]) => {
        return { line: line.line, heading: textsOf(line), totals: sure.totals() };
      }),
      notes: this.notes.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)),
      noteLines: this.noteLines,
      ...present({ unproven }),
    };
  }

  /** The currency that the line or the header names. */
  private named(line: Line, { unit }: AmountReading): string | undefined {
    const text = textOf(cellOf(line, this.columns, "currency")).trim();
    return namedCurrency(text === "" ? undefined : text, this.columns.amountCurrency, unit);
  }

  /** The amount of a payment, by default in the currency of its custody account. */
  private paid(line: Line, amount: AmountReading): Amount {
    const { custodyAccounts } = this.policy;
    const text = textOf(cellOf(line, this.columns, "accountId")).trim();
    const account =
      (text === "" ? undefined : findCustodyAccount(text, custodyAccounts)) ??
      chooseCustodyAccount(undefined, undefined, this.policy);
    const ofAccount = isProblem(account) ? onlyCurrency(custodyAccounts) : account.currency;
    return { currency: this.named(line, amount) ?? ofAccount, value: amount.value };
  }

  /** The amount of what may be a total: without a currency of its own, one of the only currency that it covers. */
  private summed(line: Line, amount: AmountReading): Amount {
    const { value, fromNumberCell } = amount;
    const currency = this.named(line, amount) ?? "";
    const scale = this.policy.scales.scaleOf(currency) ?? SCALE_OF_SUMS;
    return { currency, value: fromNumberCell && value.scale > scale ? value.rounded(scale) : value };
  }

  private takeCandidate(line: Line, amount: AmountReading): void {
    const { file, sinceTotal, sinceHeading } = this;
    const asked = this.summed(line, amount);
    const covered = [file, sinceTotal, sinceHeading].find((scope) => isSum(asked, scope));
    const above = sinceTotal.count > 0 ? sinceTotal : file;
    const found = `${sumOf(above.sure, asked.currency)?.amount.normalized() ?? 0}`;
    const sumAbove = above.count < 2 ? {} : { sumAbove: found };
    const { unread } = file;
    this.entries.push({ line, amount, asked, covered: covered?.firstLine, ...sumAbove, unread });
    if (covered === undefined) this.add(line, this.paid(line, amount), false);
    else this.sinceTotal = newScope();
  }

  private add(line: Line, asked: Amount | undefined, isSure: boolean): void {
    for (const scope of [this.file, this.sinceTotal, this.sinceHeading]) {
      scope.firstLine ||= line.line;
      if (isSure) scope.count += 1;
      if (asked === undefined) scope.unread ??= line.line;
      else {
        scope.all.add(asked);
        if (isSure) scope.sure.add(asked);
      }
    }
  }

  /** Notes between payments: the last of them begins a section. */
  private endNotes(): void {
    const heading = this.pending.pop();
    for (const line of this.pending) this.note(line, "between the rows");
    this.pending = [];
    if (heading === undefined) return;
    this.noteLines.push(heading);
    this.sinceHeading = newScope();
    this.headings.push([heading, this.sinceHeading]);
  }

  /** Whether a line among or above the payments is the sum of all of them. */
  private isSumOfFile({ asked }: Candidate): boolean {
    return isSum(asked, this.file);
  }

  private totalLine({ line, amount, asked, covered }: Candidate, above: PaymentDraft | undefined): TotalLine {
    const isOfFile = isSum(asked, this.file);
    const own = this.columns.positions.get("amount");
    const others = line.cells.filter((cell, position) => cell !== "" && position !== own);
    const last = isOfFile ? this.entries.findLast((entry) => !("covered" in entry)) : above;
    return {
      line: line.line,
      covers: isOfFile ? "file" : "section",
      firstLine: isOfFile ? this.file.firstLine : (covered ?? this.file.firstLine),
      lastLine: (last ?? above)?.line.line ?? 0,
      amount: amount.value.normalized().toString(),
      text: shownWhole(others.map(textOf).join(", ")),
    };
  }

  /** A word in the place of a destination, such as "Total", is none. */
  private hasDestination(line: Line): boolean {
    return (["destinationAddress", "destinationAccountId"] as const).some((column) => {
      const cell = cellOf(line, this.columns, column);
      return cell !== "" && !isLabel(textOf(cell));
    });
  }
}

function newScope(): Scope {
  return { sure: new RunningTotals(), all: new RunningTotals(), count: 0, firstLine: 0, unread: undefined };
}

/** Of at least two payments, whose amounts are all known. */
function isSum({ currency, value }: Amount, { sure, all, count, unread }: Scope): boolean {
  if (count < 2 || unread !== undefined) return false;
  // Among all, a line that may be a payment would be the sum of itself.
  const ofAll = sumOf(all, currency);
  const totals = [sumOf(sure, currency), ofAll !== undefined && ofAll.count > 1 ? ofAll : undefined];
  return totals.some((total) => total?.amount.equals(value));
}

/** The sum in a currency; a line that names none is one of the only currency. */
function sumOf(sums: RunningTotals, currency: string): Omit<ControlTotal, "currency"> | undefined {
  if (currency !== "") return sums.of(currency);
  const [only, another] = sums.totals();
  return another === undefined ? only : undefined;
}

/** Whether the cell of an amount is written like one, rather than the text of a note. */
function isFigure(cell: Cell): boolean {
  const plain = resultOf(cell);
  return typeof plain === "string" ? /\d/.test(plain) && !/\p{L}{2}/u.test(plain) : plain.kind === "number";
}

/** Whether a text is a word or a figure, rather than a destination of any kind, such as a link or a name. */
function isLabel(text: string): boolean {
  return text.length <= 40 && !/[@:/]\S|\.\p{L}|\p{N}\p{L}|\p{L}\p{N}/u.test(text);
}

function textsOf({ cells }: Line): string {
  const texts = cells.map((cell) => textOf(cell).trim());
  return shownWhole(texts.filter((text) => text !== "").join(", "));
}
