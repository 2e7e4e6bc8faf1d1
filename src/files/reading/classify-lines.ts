/**
 * Distinguishes the lines of a sheet by their structure: totals, notes, sections, repeated headers; all others are
 * payments. Words play no part. An amount without a destination is a total if it equals the sum of the payments
 * that it covers.
 */
import { isProblem, type Problem, problem } from "../../faults/index.ts";
import type { ColumnName } from "../../model/columns.ts";
import { type Cell, type Grid, type Line, resultOf, textOf } from "../../model/grid.ts";
import { type ControlTotal, findCustodyAccount, RunningTotals } from "../../model/index.ts";
import { cellAt, someCell } from "../../model/lines.ts";
import { present } from "../../model/present.ts";
import type { Note, Section, TotalLine } from "../../model/sheet-reading.ts";
import { shownWhole } from "../../model/shown-text.ts";
import { wordOf } from "../../model/words.ts";
import type { Amount } from "../../money/index.ts";
import { isAddressCell } from "../../readers/address.ts";
import {
  type AmountFormat,
  type AmountReading,
  amountFormatOf,
  amountShape,
  readAmount,
  valueAt,
} from "./column-format.ts";
import type { FoundColumns } from "./find-columns.ts";
import { type ColumnWords, filledCount, isHeaderByName } from "./find-header.ts";
import type { InitiationPolicy } from "./policy.ts";
import { chooseCustodyAccount, namedCurrency, onlyCurrency } from "./row-rules.ts";

export interface ClassifiedLines {
  /** The one format of the amounts, inferred from all cells of their column. */
  readonly format: AmountFormat;
  /** The lines with an amount or a destination that are not totals. */
  readonly payments: readonly Line[];
  /** For payments that may be meant as the total of the payments above: the sum of those payments. */
  readonly sumsAbove: ReadonlyMap<Line, string>;
  /** The sums of the payments, good or bad, and the first payment whose amount is not known. */
  readonly sums: { readonly totals: readonly ControlTotal[]; readonly unread?: number };
  readonly notes: readonly Note[];
  readonly sections: readonly Section[];
  readonly totals: readonly TotalLine[];
  /** Totals of lines that another total covers as well. */
  readonly secondTotals: readonly TotalLine[];
  /** The first line that may be a total of payments whose amounts are not all known. */
  readonly unproven?: { readonly line: number; readonly unread: number };
  /** The lines whose texts are notes, because they may name currencies. */
  readonly noteLines: readonly Line[];
  /** The lines below an empty one that repeat the header's names. */
  readonly repeatedNames: readonly number[];
  /** Problems of the file as a whole. */
  readonly problems: readonly Problem[];
}

export function classifyLines(
  { lines, csv, sheet }: Grid,
  header: Line,
  columns: FoundColumns,
  words: ColumnWords,
  policy: InitiationPolicy,
): ClassifiedLines {
  const start = lines.indexOf(header);
  const below = lines.slice(start + 1);
  const cells = below.map((line) => cellOf(line, columns, "amount"));
  const { format, doubt } = amountFormatOf(cells, policy.numberFormat, csv?.delimiter === ";");
  const classifier = new LineClassifier(columns, format, policy, csv !== undefined);
  const problems: Problem[] = [];
  const report = (what: Problem, line = 0) => problems.push({ ...what, ...present({ sheet }), line });
  for (const line of lines.slice(0, start)) {
    classifier.note(line, "above the columns");
    const amount = classifier.amountOf(line);
    if (line.cells.some(isAddressCell) && amount !== undefined && !isProblem(amount))
      report(problem("PAYOUT_ABOVE_HEADER", {}), line.line);
  }
  const headings = header.cells.map((cell) => wordOf(textOf(cell)));
  const repeatedNames: number[] = [];
  let next = 0;
  for (const line of below) {
    next += 1;
    // A cell with a line break takes a line of the file more.
    const mayHoldBreaks = csv !== undefined && below[next]?.line !== line.line + 1;
    if (mayHoldBreaks && isRowSwallowed(line, csv.delimiter, headings.length)) {
      const reason = "a cell of this row holds another row, perhaps after a quote too many";
      report(problem("CSV_MALFORMED", { reason }), line.line);
    }
    if (isOfZeros(line)) continue;
    if (!isRepeatedHeader(line, headings, words)) classifier.take(line);
    else if (!isSameHeader(line, headings)) report(problem("HEADER_REPEATED", {}), line.line);
    else if ((below[next - 2] ?? header).line < line.line - 1) repeatedNames.push(line.line);
  }
  if (doubt !== undefined) report(doubt.what, below[doubt.index]?.line);
  return { ...classifier.result(), format, repeatedNames, problems };
}

function cellOf(line: Line, { positions }: FoundColumns, column: ColumnName): Cell {
  return cellAt(line, positions.get(column) ?? -1);
}

/**
 * Whether a line has only zeros and formulas without a result: formulas that were filled down below the rows give
 * such lines.
 */
function isOfZeros(line: Line): boolean {
  return !someCell(line, isMoreThanZero);
}

function isMoreThanZero(cell: Cell): boolean {
  const plain = resultOf(cell);
  if (typeof plain === "string") return plain !== "" && !ZERO.test(plain.trim());
  return plain.kind !== "number" || plain.flaw !== undefined || !ZERO.test(plain.text);
}

/** A zero, also as an accounting format shows it. */
const ZERO = /^(?:[+-]?0+(?:[.,]0*)?(?:e[+-]?\d+)?|[-–—])$/i;

function isRepeatedHeader(line: Line, headings: readonly string[], words: ColumnWords): boolean {
  // True for nearly every payment.
  if (someCell(line, isNoName)) return false;
  const filled = line.cells.filter((cell) => cell !== "");
  if (filled.length < 2) return false;
  const texts = filled.map((cell) => wordOf(textOf(cell)));
  const known = texts.filter((word) => word !== "" && headings.includes(word));
  return 2 * known.length > filled.length || isHeaderByName(line, words);
}

function isNoName(cell: Cell): boolean {
  return typeof cell !== "string" || cell.length > 60 || /\d[.,]?\d/.test(cell);
}

/** Whether nothing is added to the names either, such as "paid" beside them. */
function isSameHeader(line: Line, headings: readonly string[]): boolean {
  const width = Math.max(headings.length, line.cells.length);
  const isSame = (position: number) => (headings[position] ?? "") === wordOf(textOf(cellAt(line, position)));
  return Array.from({ length: width }, (_, position) => position).every(isSame);
}

/**
 * Whether a cell with line breaks contains a line with as many delimiters as the header: a surplus quote has
 * swallowed a row.
 */
function isRowSwallowed(line: Line, delimiter: string, width: number): boolean {
  const isRow = (part: string) => part.split(delimiter).length >= width;
  return someCell(line, (cell) => {
    const text = textOf(cell);
    if (width < 2 || text.length < 2 * width || !/[\r\n]/.test(text)) return false;
    return text.split(/[\r\n]+/).some(isRow);
  });
}

/** Sums of payments, kept apart: those with a destination, and the others. */
class Scope {
  readonly sure = new RunningTotals();
  readonly others = new RunningTotals();
  count = 0;
  firstLine = 0;
  /** The first line whose amount is not known. */
  unread: number | undefined;
}

/** An amount without a destination, which may be a total instead of a payment. */
interface PossibleTotal {
  readonly line: Line;
  readonly amount: AmountReading;
  readonly asPayment: Amount;
  /** If it names no currency, it has the only currency of the payments that it covers. */
  readonly asSum: Amount;
  /** The first line of the payments above whose sum it is; absent if it may only be the sum of the whole file. */
  readonly covered?: number;
  /** The only payment of its group, whose amount it repeats. It is a total only if a total of the file proves it. */
  readonly ofOne?: number;
  readonly sumAbove?: string;
}

/** A calculated sum is exact up to these decimals; more are noise of binary numbers. */
const SCALE_OF_SUMS = 8;

class LineClassifier {
  private readonly columns: FoundColumns;
  private readonly format: AmountFormat;
  private readonly policy: InitiationPolicy;
  private readonly isCsv: boolean;
  private readonly usualCurrency: string;
  /** In file order. */
  private readonly entries: Line[] = [];
  private readonly possible = new Map<Line, PossibleTotal>();
  private readonly notes: Note[] = [];
  private readonly noteLines: Line[] = [];
  /** Notes since the last payment. */
  private pending: Line[] = [];
  private readonly headings: (readonly [Line, Scope])[] = [];
  private readonly file = new Scope();
  /** The same as `file` until there is a total, or a heading. */
  private sinceTotal = this.file;
  private sinceHeading = this.file;
  private scopes: readonly Scope[] = [this.file];
  /** The first and last words of the labels of all lines that may be totals. */
  private labelWords: ReadonlyMap<string, readonly string[]> | undefined;
  /** The forms of the references, and the payees, of all payments. */
  private names:
    | { readonly references: ReadonlySet<string>; readonly payees: ReadonlySet<string> }
    | undefined;

  constructor(columns: FoundColumns, format: AmountFormat, policy: InitiationPolicy, isCsv: boolean) {
    this.columns = columns;
    this.format = format;
    this.policy = policy;
    this.isCsv = isCsv;
    const account = chooseCustodyAccount(undefined, undefined, policy);
    this.usualCurrency = isProblem(account) ? onlyCurrency(policy.custodyAccounts) : account.currency;
  }

  amountOf(line: Line): AmountReading | Problem | undefined {
    const cell = cellOf(line, this.columns, "amount");
    return cell === "" ? undefined : readAmount(cell, this.format);
  }

  take(line: Line): void {
    const amount = this.amountOf(line);
    const goesSomewhere = this.hasDestination(line);
    const isText = isProblem(amount) && !isFigure(cellOf(line, this.columns, "amount"));
    const mayBeNote = !goesSomewhere && (amount === undefined || isText);
    if (mayBeNote && !(this.isCsv && hasSlipped(line, this.columns))) {
      this.pending.push(line);
      return;
    }
    this.endNotes();
    if (amount === undefined || isProblem(amount)) this.add(line, undefined, goesSomewhere);
    else if (goesSomewhere) this.add(line, this.paid(line, amount), true);
    else this.takeSum(line, amount);
  }

  note(line: Line, place: string): void {
    this.noteLines.push(line);
    const where = line.isHidden ? `${place}, hidden` : place;
    this.notes.push({ line: line.line, place: where, text: textsOf(line) });
  }

  result(): Omit<ClassifiedLines, "problems" | "format" | "repeatedNames"> {
    for (const line of this.pending) this.note(line, "below the rows");
    const { entries, file } = this;
    const payments: Line[] = [];
    const sums = new RunningTotals();
    for (const total of file.sure.totals()) sums.addTotal(total);
    const sumsAbove = new Map<Line, string>();
    const totals: TotalLine[] = [];
    let unproven: ClassifiedLines["unproven"];
    const isProven = this.isProvenTotal();
    for (const [index, line] of entries.entries()) {
      const possible = this.possible.get(line);
      if (possible === undefined) {
        payments.push(line);
        continue;
      }
      const isOfFile = isSum(possible.asSum, file);
      const isOfOne = possible.ofOne !== undefined && isProven;
      if (isOfFile || isOfOne || possible.covered !== undefined)
        totals.push(this.totalLine(possible, isOfFile, payments.at(-1)));
      else if (file.unread === undefined || this.isPayment(entries[index + 1])) {
        payments.push(line);
        sums.add(possible.asPayment);
        if (possible.sumAbove !== undefined) sumsAbove.set(line, possible.sumAbove);
      } else unproven ??= { line: line.line, unread: file.unread };
    }
    const known = new Set<string>();
    const isSecond = ({ covers, firstLine, lastLine }: TotalLine) =>
      known.size === known.add(`${covers} ${firstLine} ${lastLine}`).size;
    return {
      payments,
      sumsAbove,
      sums: { totals: sums.totals(), ...present({ unread: file.unread }) },
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
    const text = textOf(cellOf(line, this.columns, "accountId")).trim();
    const account = text === "" ? undefined : findCustodyAccount(text, this.policy.custodyAccounts);
    const currency = this.named(line, amount) ?? account?.currency ?? this.usualCurrency;
    return { currency, value: valueAt(amount, this.policy.scales.scaleOf(currency) ?? SCALE_OF_SUMS) };
  }

  private takeSum(line: Line, amount: AmountReading): void {
    const { file, sinceTotal, sinceHeading } = this;
    const { value, fromNumberCell } = amount;
    const currency = this.named(line, amount) ?? "";
    const scale = this.policy.scales.scaleOf(currency) ?? SCALE_OF_SUMS;
    const isNoisy = (fromNumberCell || amount.withoutNoise !== undefined) && value.scale > scale;
    const asSum = { currency, value: isNoisy ? value.rounded(scale) : value };
    const asPayment = this.paid(line, amount);
    const covered = [file, sinceTotal, sinceHeading].find((scope) => isSum(asSum, scope));
    if (covered !== undefined) {
      this.entries.push(line);
      this.possible.set(line, { line, amount, asPayment, asSum, covered: covered.firstLine });
      this.beginAfterTotal();
      return;
    }
    const only = [sinceTotal, sinceHeading].find((scope) => isOnly(asSum, scope));
    const above = sinceTotal.count > 0 ? sinceTotal : file;
    const found = `${sumOf(above.sure, currency)?.amount.normalized() ?? 0}`;
    const sumAbove = above.count < 2 ? undefined : found;
    const optional = present({ ofOne: only?.firstLine, sumAbove });
    this.possible.set(line, { line, amount, asPayment, asSum, ...optional });
    this.add(line, asPayment, false);
    if (only !== undefined) this.beginAfterTotal();
  }

  private beginAfterTotal(): void {
    this.sinceTotal = new Scope();
    this.scopes = [...new Set([this.file, this.sinceTotal, this.sinceHeading])];
  }

  /** Whether some line is the sum of the payments with a destination, without any amount that lacks one. */
  private isProvenTotal(): boolean {
    const { sure, count, unread } = this.file;
    if (count < 2 || unread !== undefined) return false;
    return [...this.possible.values()].some(
      ({ asSum: { currency, value }, ofOne }) =>
        ofOne === undefined && sumOf(sure, currency)?.amount.equals(value) === true,
    );
  }

  /** `isSure`: whether the line has a destination. */
  private add(line: Line, paid: Amount | undefined, isSure: boolean): void {
    this.entries.push(line);
    for (const scope of this.scopes) {
      scope.firstLine ||= line.line;
      if (isSure) scope.count += 1;
      if (paid === undefined) scope.unread ??= line.line;
      else if (isSure) scope.sure.add(paid);
      else scope.others.add(paid);
    }
  }

  /** Ends notes between payments: the last of them begins a section. */
  private endNotes(): void {
    const heading = this.pending.pop();
    for (const line of this.pending) this.note(line, "between the rows");
    this.pending = [];
    if (heading === undefined) return;
    this.noteLines.push(heading);
    this.sinceHeading = new Scope();
    this.scopes = [...new Set([this.file, this.sinceTotal, this.sinceHeading])];
    this.headings.push([heading, this.sinceHeading]);
  }

  private totalLine(
    { line, amount, covered, ofOne }: PossibleTotal,
    isOfFile: boolean,
    above: Line | undefined,
  ): TotalLine {
    const own = this.columns.positions.get("amount");
    const others = line.cells.filter((cell, position) => cell !== "" && position !== own);
    const last = (isOfFile ? this.entries.findLast((entry) => this.isPayment(entry)) : undefined) ?? above;
    return {
      line: line.line,
      covers: isOfFile ? "file" : "section",
      firstLine: isOfFile ? this.file.firstLine : (covered ?? ofOne ?? 0),
      lastLine: last?.line ?? 0,
      amount: `${amount.value.normalized()}`,
      text: shownWhole(others.map(textOf).join(", ")),
      ...present({ own: this.ownName(line) ?? (ofOne === undefined ? undefined : this.ownLabel(line)) }),
    };
  }

  /** A total's reference or payee, if it looks like those of payments. */
  private ownName(line: Line): string | undefined {
    const [reference, payee] = [this.textIn(line, "reference"), this.textIn(line, "customerId")];
    const paid = this.paidNames();
    const isName = /^(?=\S*\p{L})(?=\S*\d)\S+$/u.test(reference);
    if (/\d/.test(reference) && (isName || paid.references.has(skeletonOf(reference)))) return reference;
    const isPayee = paid.payees.has(wordOf(payee));
    return payee !== "" && (isPayee || (reference !== "" && wordOf(payee) !== wordOf(reference)))
      ? payee
      : undefined;
  }

  /** The label of a line that may be a total, if it begins and ends with other words than those of all others. */
  private ownLabel(line: Line): string | undefined {
    this.labelWords ??= Map.groupBy([...this.possible.keys()].flatMap(labelEnds), (word) => word);
    const words = this.labelWords;
    const isOwn = (word: string) => (words.get(word)?.length ?? 0) < 2;
    return labelEnds(line).length > 0 && labelEnds(line).every(isOwn) ? labelOf(line) : undefined;
  }

  /** Of all lines that are payments, so only once these were taken. */
  private paidNames(): NonNullable<typeof this.names> {
    const paid = this.names === undefined ? this.entries.filter((entry) => this.isPayment(entry)) : [];
    this.names ??= {
      references: new Set(paid.map((each) => skeletonOf(this.textIn(each, "reference")))),
      payees: new Set(paid.map((each) => wordOf(this.textIn(each, "customerId")))),
    };
    return this.names;
  }

  private textIn(line: Line, column: ColumnName): string {
    return textOf(cellOf(line, this.columns, column)).trim();
  }

  private isPayment(entry: Line | undefined): boolean {
    return entry !== undefined && !this.possible.has(entry);
  }

  /** A word in the place of a destination, such as "Total", does not count. */
  private hasDestination(line: Line): boolean {
    return (["destinationAddress", "destinationAccountId"] as const).some((column) => {
      const cell = cellOf(line, this.columns, column);
      return cell !== "" && !isLabel(textOf(cell));
    });
  }
}

/**
 * Whether a line without a readable destination and amount has both in other columns, and as many cells as a payment:
 * in a CSV, a name with a comma that nobody quoted has moved them.
 */
export function hasSlipped(line: Line, { positions }: Pick<FoundColumns, "positions">): boolean {
  const isAmount = (cell: Cell) => amountShape(cell) === "fraction";
  return filledCount(line) >= positions.size && line.cells.some(isAddressCell) && line.cells.some(isAmount);
}

/** The first text of a line that has letters. */
function labelOf({ cells }: Line): string {
  return cells.map(textOf).find((text) => /\p{L}/u.test(text)) ?? "";
}

/** The first and the last word of its label, once if they are the same. */
function labelEnds(line: Line): readonly string[] {
  const words =
    labelOf(line)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  return [...new Set([words.at(0), words.at(-1)])].filter((word) => word !== undefined);
}

/** Equal for "INV-9" and "inv-10". */
export function skeletonOf(text: string): string {
  return text.toLowerCase().replace(/\d+/g, "9");
}

/** Whether the amount is the sum of at least two payments, all with known amounts. */
function isSum({ currency, value }: Amount, { sure, others, count, unread }: Scope): boolean {
  if (count < 2 || unread !== undefined) return false;
  const all = new RunningTotals();
  for (const total of [...sure.totals(), ...others.totals()]) all.addTotal(total);
  // `all` includes this line, so require a second one.
  const ofAll = sumOf(all, currency);
  const totals = [sumOf(sure, currency), ofAll !== undefined && ofAll.count > 1 ? ofAll : undefined];
  return totals.some((total) => total?.amount.equals(value));
}

/** Whether the amount is that of the only payment. */
function isOnly({ currency, value }: Amount, { sure, others, count, unread }: Scope): boolean {
  const isAlone = count === 1 && unread === undefined && others.totals().length === 0;
  return isAlone && sumOf(sure, currency)?.amount.equals(value) === true;
}

/** The sum in a currency; "" stands for the only currency. */
function sumOf(sums: RunningTotals, currency: string): Omit<ControlTotal, "currency"> | undefined {
  if (currency !== "") return sums.of(currency);
  const [only, another] = sums.totals();
  return another === undefined ? only : undefined;
}

/** Whether the cell of an amount is written like a number, not like the text or the day of a note. */
function isFigure(cell: Cell): boolean {
  const plain = resultOf(cell);
  if (typeof plain !== "string") return plain.kind === "number";
  return /\d/.test(plain) && !/\p{L}{2}/u.test(plain) && !DAY.test(plain.trim());
}

/** "29/11/2026", beside "Date:". */
const DAY = /^\d{1,4}([./-])\d{1,2}\1\d{1,4}$/;

/** Whether a text is words or a number, not a destination of any kind, such as a link. No word is that long. */
function isLabel(text: string): boolean {
  return text.length <= 40 && !/[@:/]\S|\.\p{L}|\p{N}\p{L}|\p{L}\p{N}|\S{25}/u.test(text);
}

function textsOf({ cells }: Line): string {
  const texts = cells.map((cell) => textOf(cell).trim());
  return shownWhole(texts.filter((text) => text !== "").join(", "));
}
