/**
 * Tells the lines of a sheet apart by their structure: totals, notes, sections, repeated headers; everything else is a
 * payment. No word decides. An amount without a destination is a total if it equals the sum of what it covers.
 */
import { isProblem, type Problem, problem } from "../faults/index.ts";
import { type Cell, type Grid, type Line, resultOf, textOf } from "../model/grid.ts";
import { type ControlTotal, RunningTotals } from "../model/index.ts";
import { present } from "../model/present.ts";
import type { Note, Section, TotalLine } from "../model/sheet-reading.ts";
import { shownWhole } from "../model/shown-text.ts";
import { wordOf } from "../model/words.ts";
import type { Amount } from "../money/index.ts";
import type { AmountReading } from "./column-format.ts";
import type { ColumnWords } from "./column-words.ts";
import type { FoundColumns } from "./find-columns.ts";
import { isAddressCell, isHeaderByName } from "./find-header.ts";

/** A line with an amount or a destination. */
export interface PaymentDraft {
  readonly line: Line;
  /** Undefined if the amount cell is empty. */
  readonly amount: AmountReading | Problem | undefined;
  /** Undefined if its amount or currency is not known. */
  readonly asked: Amount | undefined;
  /** What the payments above come to, if this may be meant as their total. */
  readonly sumAbove?: string;
}

export interface ToldLines {
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

export interface LineReading {
  readonly amountOf: (line: Line) => AmountReading | Problem | undefined;
  /**
   * The amount in the currency that the line or the header names. Where neither does, a payment's is that of its custody
   * account, and a total's is "": the only one of what it covers.
   */
  readonly askedOf: (line: Line, amount: AmountReading, isPayment: boolean) => Amount | undefined;
}

export function tellLines(
  grid: Grid,
  headerLine: Line,
  columns: FoundColumns,
  words: ColumnWords,
  reading: LineReading,
): ToldLines {
  const start = grid.lines.indexOf(headerLine);
  const told = new LineTeller(columns, reading);
  const problems: Problem[] = [];
  for (const line of grid.lines.slice(0, start)) {
    told.note(line, "above the columns");
    if (line.cells.some(isAddressCell) && told.hasAmount(line))
      problems.push(problem("PAYOUT_ABOVE_HEADER", {}, { line: line.line }));
  }
  const headings = headerLine.cells.map((cell) => wordOf(textOf(cell)));
  for (const line of grid.lines.slice(start + 1)) {
    const swallowed =
      grid.csv === undefined ? undefined : swallowedRow(line, grid.csv.delimiter, headings.length);
    if (swallowed !== undefined) problems.push(swallowed);
    if (isRepeatedHeader(line, headings, words)) {
      const isEqual = headings.every((word, position) => word === wordOf(textOf(line.cells[position] ?? "")));
      if (!isEqual)
        problems.push(problem("HEADER_REPEATED", {}, { ...present({ sheet: grid.sheet }), line: line.line }));
    } else {
      told.take(line);
    }
  }
  return { ...told.result(), problems };
}

function isRepeatedHeader(line: Line, headings: readonly string[], words: ColumnWords): boolean {
  const filled = line.cells.filter((cell) => cell !== "");
  if (
    filled.length < 2 ||
    filled.some((cell) => typeof cell !== "string" || cell.length > 60 || /\d[.,]?\d/.test(cell))
  )
    return false;
  const known = filled
    .map((cell) => wordOf(textOf(cell)))
    .filter((word) => word !== "" && headings.includes(word));
  return 2 * known.length > filled.length || isHeaderByName(line, words);
}

/** A cell with line breaks, one line of which has as many delimiters as the header: a row, after a quote too many. */
function swallowedRow({ line, cells }: Line, delimiter: string, width: number): Problem | undefined {
  for (const cell of cells) {
    const text = textOf(cell);
    if (width < 2 || text.length < 2 * width || !(text.includes("\n") || text.includes("\r"))) continue;
    if (text.split(/[\r\n]+/).some((part) => part.split(delimiter).length >= width))
      return problem(
        "CSV_MALFORMED",
        { reason: "a cell of this row holds another row, perhaps after a quote too many" },
        { line },
      );
  }
  return undefined;
}

/** Sums of payments; those that lack a destination are `doubtful`. */
interface Scope {
  readonly sure: RunningTotals;
  readonly all: RunningTotals;
  count: number;
  firstLine: number;
  /** The first line whose amount is not known. */
  unread: number | undefined;
}

interface Candidate {
  readonly line: Line;
  readonly amount: AmountReading;
  readonly asked: Amount | undefined;
  /** The first line of what it is the sum of, as far as known when it was met. */
  readonly covered: number | undefined;
  /** What the payments above come to, of which there are at least two. */
  readonly found: string | undefined;
  readonly unread: number | undefined;
  readonly lastLine: number;
}

class LineTeller {
  private readonly columns: FoundColumns;
  private readonly reading: LineReading;
  /** In file order. */
  private readonly entries: (PaymentDraft | Candidate)[] = [];
  private readonly notes: Note[] = [];
  private readonly noteLines: Line[] = [];
  /** Notes since the last payment. */
  private pending: Line[] = [];
  private readonly headings: Line[] = [];
  private readonly file = newScope();
  private sinceTotal = newScope();
  private sinceHeading = newScope();
  private lastLine = 0;

  constructor(columns: FoundColumns, reading: LineReading) {
    this.columns = columns;
    this.reading = reading;
  }

  hasAmount(line: Line): boolean {
    const amount = this.reading.amountOf(line);
    return amount !== undefined && !isProblem(amount);
  }

  take(line: Line): void {
    const cell = this.cellOf(line, "amount");
    const amount = cell === "" ? undefined : this.reading.amountOf(line);
    const goesSomewhere = this.hasDestination(line);
    if (!goesSomewhere && (amount === undefined || (isProblem(amount) && !isFigure(cell)))) {
      this.pending.push(line);
      return;
    }
    this.endNotes();
    const asked =
      amount === undefined || isProblem(amount)
        ? undefined
        : this.reading.askedOf(line, amount, goesSomewhere);
    if (goesSomewhere || amount === undefined || isProblem(amount)) {
      this.entries.push({ line, amount, asked });
      this.add(line, asked, goesSomewhere);
    } else {
      this.takeCandidate(line, amount, asked);
    }
  }

  note(line: Line, place: string): void {
    this.noteLines.push(line);
    const where = line.isHidden ? `${place}, hidden` : place;
    this.notes.push({ line: line.line, place: where, text: textsOf(line) });
  }

  result(): Omit<ToldLines, "problems"> {
    for (const line of this.pending) this.note(line, "below the rows");
    const payments: PaymentDraft[] = [];
    const totals: TotalLine[] = [];
    let unproven: ToldLines["unproven"];
    for (const [index, entry] of this.entries.entries()) {
      if (!("covered" in entry)) payments.push(entry);
      else if (entry.covered !== undefined || this.isSumOfFile(entry)) totals.push(this.totalLine(entry));
      else if (entry.unread !== undefined && !this.isFollowedByPayment(index))
        unproven ??= { line: entry.line.line, unread: entry.unread };
      else payments.push({ ...this.asPayment(entry), ...present({ sumAbove: entry.found }) });
    }
    const covered = new Set<string>();
    const isSecond = ({ covers, firstLine, lastLine }: TotalLine) =>
      covered.size === covered.add(`${covers} ${firstLine} ${lastLine}`).size;
    return {
      payments,
      totals,
      secondTotals: totals.filter(isSecond),
      sections: sectionsOf(this.headings, payments),
      notes: this.notes.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)),
      noteLines: this.noteLines,
      ...present({ unproven }),
    };
  }

  private asPayment({ line, amount }: Candidate): PaymentDraft {
    return { line, amount, asked: this.reading.askedOf(line, amount, true) };
  }

  private takeCandidate(line: Line, amount: AmountReading, asked: Amount | undefined): void {
    const scopes = [this.file, this.sinceTotal, this.sinceHeading];
    const covered = scopes.find((scope) => scope.count >= 2 && asked !== undefined && isSum(asked, scope));
    const above = this.sinceTotal.count > 0 ? this.sinceTotal : this.file;
    const found = above.count < 2 ? undefined : sumText(above, asked);
    const { lastLine, file } = this;
    this.entries.push({
      line,
      amount,
      asked,
      covered: covered?.firstLine,
      found,
      unread: file.unread,
      lastLine,
    });
    if (covered === undefined) this.add(line, this.reading.askedOf(line, amount, true), false);
    else this.sinceTotal = newScope();
  }

  private add(line: Line, asked: Amount | undefined, isSure: boolean): void {
    this.lastLine = line.line;
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
    this.headings.push(heading);
    this.sinceHeading = newScope();
  }

  /** Whether a line among or above the payments is the sum of all of them. */
  private isSumOfFile({ asked }: Candidate): boolean {
    return asked !== undefined && this.file.count >= 2 && isSum(asked, this.file);
  }

  private totalLine({ line, amount, asked, covered, lastLine }: Candidate): TotalLine {
    const isOfFile = asked !== undefined && isSum(asked, this.file);
    const own = this.columns.positions.get("amount");
    const others = line.cells.filter((cell, position) => cell !== "" && position !== own);
    return {
      line: line.line,
      covers: isOfFile ? "file" : "section",
      firstLine: isOfFile ? this.file.firstLine : (covered ?? this.file.firstLine),
      lastLine: isOfFile ? Math.max(this.lastPayment(), lastLine) : lastLine,
      amount: amount.value.normalized().toString(),
      text: shownWhole(others.map(textOf).join(", ")),
    };
  }

  private lastPayment(): number {
    return this.entries.findLast((entry) => !("covered" in entry))?.line.line ?? 0;
  }

  private isFollowedByPayment(index: number): boolean {
    const next = this.entries[index + 1];
    return next !== undefined && !("covered" in next);
  }

  /** A word in the place of a destination, such as "Total", is none. */
  private hasDestination(line: Line): boolean {
    const cells = [this.cellOf(line, "destinationAddress"), this.cellOf(line, "destinationAccountId")];
    return cells.some((cell) => cell !== "" && !isLabel(textOf(cell)));
  }

  private cellOf({ cells }: Line, column: "amount" | "destinationAddress" | "destinationAccountId"): Cell {
    return cells[this.columns.positions.get(column) ?? -1] ?? "";
  }
}

function newScope(): Scope {
  return { sure: new RunningTotals(), all: new RunningTotals(), count: 0, firstLine: 0, unread: undefined };
}

function isSum({ currency, value }: Amount, { sure, all }: Scope): boolean {
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

function sumText({ sure }: Scope, asked: Amount | undefined): string {
  return `${sumOf(sure, asked?.currency ?? "")?.amount.normalized() ?? 0}`;
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

/** The payments below each heading, up to the next. */
function sectionsOf(headings: readonly Line[], payments: readonly PaymentDraft[]): Section[] {
  let next = 0;
  return headings.map((heading, index) => {
    const end = headings[index + 1]?.line ?? Number.POSITIVE_INFINITY;
    const sums = new RunningTotals();
    for (; next < payments.length; next += 1) {
      const { line, asked } = payments[next] ?? { line: heading, asked: undefined };
      if (line.line > end) break;
      if (line.line > heading.line && asked !== undefined) sums.add(asked);
    }
    return { line: heading.line, heading: textsOf(heading), totals: sums.totals() };
  });
}

function textsOf({ cells }: Line): string {
  const texts = cells.map((cell) => textOf(cell).trim());
  return shownWhole(texts.filter((text) => text !== "").join(", "));
}
