/**
 * Parses CSV text (RFC 4180 with any delimiter and line ending) into records, each with the line it begins on. A record
 * with misplaced quotes is reported as broken, and reading resumes on the line below the quote. Written for Paydrop,
 * because csv-parse stops at a broken quote or swallows lines until the next one, and takes five times as long. After a
 * broken quote, a line of a multi-line cell could be mistaken for a row only if it had all columns of one, and such a
 * file has problems in any case. The caller must detect a row that two stray quotes turned into a cell.
 */
import { type FileLimits, tooMany } from "../file-limits.ts";
import { countLineBreaks, endOfLine, type QuotedCell, quotedCellAt } from "./quoted-cell.ts";

export interface CsvRecord {
  /** The line it begins on, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Whether a cell spans several lines. */
  readonly hasLineBreaks?: true;
  /** The text ends within its last cell: neither a quote nor a line break shows that the cell is complete. */
  readonly endsWithoutLineBreak?: true;
  /** How the record is malformed, and on which line; its cells are then only a guess to show. */
  readonly broken?: { readonly line: number; readonly reason: string };
}

/**
 * Yields the records that end in each chunk, as a lazy iterable that must be exhausted before the next chunk is
 * requested. Fault: FILE_TOO_LARGE for a row that does not end.
 */
export async function* csvRecords(
  chunks: AsyncIterable<string>,
  delimiter: string,
  limits: FileLimits,
): AsyncGenerator<Iterable<CsvRecord>> {
  const reader = new RecordReader(delimiter, limits);
  for await (const chunk of chunks) yield reader.read(chunk, false);
  yield reader.read("", true);
}

class RecordReader {
  private readonly delimiter: string;
  private readonly limits: FileLimits;
  private text = "";
  /** Offset in `text` and line of the next record. */
  private start = 0;
  private line = 1;
  private isLast = false;

  constructor(delimiter: string, limits: FileLimits) {
    this.delimiter = delimiter;
    this.limits = limits;
  }

  *read(chunk: string, isLast: boolean): Generator<CsvRecord> {
    this.text = this.text.slice(this.start) + chunk;
    this.start = 0;
    this.isLast = isLast;
    for (let record = this.next(); record !== undefined; record = this.next()) yield record;
    if (this.text.length - this.start > this.limits.rowCharactersMax) throw this.rowTooLong();
  }

  /** The next complete record; undefined if more text is needed, or there is none. */
  private next(): CsvRecord | undefined {
    const { text, delimiter, start } = this;
    const delimiterCode = delimiter.charCodeAt(0);
    const cells: string[] = [];
    let lineBreaks = 0;
    let cellStart = start;
    for (let index = start; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (code === delimiterCode && (delimiter.length === 1 || text.startsWith(delimiter, index))) {
        cells.push(text.slice(cellStart, index));
        cellStart = index + delimiter.length;
        index = cellStart - 1;
      } else if (code === LINE_FEED || code === CARRIAGE_RETURN) {
        cells.push(text.slice(cellStart, index));
        return this.endedBy(index, cells, lineBreaks);
      } else if (code === QUOTE) {
        const before = text.slice(cellStart, index);
        const close = before === "=" ? this.closeOfForcedText(index) : NO_CLOSE;
        if (close === undefined) return undefined;
        if (close !== NO_CLOSE) {
          index = close;
          continue;
        }
        if (before !== "") return this.broken(index, strayQuote(before));
        const cell = this.quotedCell(index);
        if (cell === undefined) return undefined;
        if (typeof cell === "string") return this.broken(index, cell);
        cells.push(cell.text);
        lineBreaks += cell.lineBreaks;
        if (!text.startsWith(delimiter, cell.end)) return this.endedBy(cell.end, cells, lineBreaks);
        cellStart = cell.end + delimiter.length;
        index = cellStart - 1;
      }
    }
    if (!this.isLast || start === text.length) return undefined;
    const last = text.slice(cellStart);
    cells.push(last);
    const record = this.endedBy(text.length, cells, lineBreaks);
    // A quote closes a cell written as `="0123"`.
    return record && (last.endsWith('"') ? record : { ...record, endsWithoutLineBreak: true });
  }

  /** The cell whose quote opens at `open`, or what is wrong with it; undefined if more text is needed to tell. */
  private quotedCell(open: number): QuotedCell | string | undefined {
    const { text, start, isLast } = this;
    const { rowCharactersMax } = this.limits;
    const cell = quotedCellAt(text, open, isLast);
    if (cell === undefined || cell.end - start > rowCharactersMax) {
      if (!isLast && text.length - start <= rowCharactersMax) return undefined;
      return "a quote is opened and never closed";
    }
    const next = text.charCodeAt(cell.end);
    const isEnded = cell.end === text.length || next === LINE_FEED || next === CARRIAGE_RETURN;
    if (isEnded || text.startsWith(this.delimiter, cell.end)) return cell;
    return "a quoted cell continues after its closing quote, or was never closed";
  }

  /**
   * Offset of the quote that closes a cell written as `="0123"`, by which many programs keep Excel from making a number
   * of it; NO_CLOSE if the cell is another; undefined if more text is needed to tell.
   */
  private closeOfForcedText(open: number): number | undefined {
    const { text, delimiter } = this;
    FORCED_TEXT.lastIndex = open;
    const found = FORCED_TEXT.exec(text)?.[0] ?? "";
    const end = open + found.length;
    if (end === text.length && !this.isLast) return undefined;
    const isEnd = end === text.length || /[\r\n]/.test(text.charAt(end)) || text.startsWith(delimiter, end);
    return isEnd && found.length > 1 && found.endsWith('"') && !found.includes(delimiter)
      ? end - 1
      : NO_CLOSE;
  }

  /** The record that ends with the line break at `index`, or with the text. */
  private endedBy(index: number, cells: readonly string[], lineBreaks: number): CsvRecord | undefined {
    const end = endOfLine(this.text, index, this.isLast);
    if (end === undefined) return undefined;
    if (end - this.start > this.limits.rowCharactersMax) throw this.rowTooLong();
    const record =
      lineBreaks === 0
        ? { line: this.line, cells }
        : { line: this.line, cells, hasLineBreaks: true as const };
    return this.taken(record, end, lineBreaks + 1);
  }

  /** Skips a malformed record, down to the line of the quote that breaks it. */
  private broken(quote: number, reason: string): CsvRecord | undefined {
    const end = endOfLine(this.text, quote, this.isLast);
    if (end === undefined) return undefined;
    const text = this.text.slice(this.start, end);
    const lineBreaks = countLineBreaks(this.text.slice(this.start, quote));
    const cells = text.trimEnd().split(this.delimiter);
    const broken = { line: this.line + lineBreaks, reason };
    return this.taken({ line: this.line, cells, broken }, end, lineBreaks + 1);
  }

  private taken(record: CsvRecord, end: number, lines: number): CsvRecord {
    this.start = end;
    this.line += lines;
    return record;
  }

  private rowTooLong(): Error {
    return tooMany("characters in one row", this.limits.rowCharactersMax, { line: this.line });
  }
}

/** Explains a quote inside a cell; `, "0123"` and `="01,23"` are texts only for some programs. */
function strayQuote(before: string): string {
  if (before.trim() === "") return "there is a space before the opening quote of a cell";
  return before.trim() === "="
    ? 'a cell is written as ="...", which is no CSV; write the text in plain quotes'
    : "there is a quote inside a cell that is not quoted";
}

const FORCED_TEXT = /"[^"\r\n]*"?/y;
const NO_CLOSE = -1;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const QUOTE = 34;
