/**
 * The records of a CSV text (RFC 4180 with any delimiter and line ending), each with the line it begins on. A record whose
 * quotes break the format is given as broken, and reading resumes on the line below the broken quote.
 *
 * csv-parse gives up at a broken quote, or swallows lines until the next one fits; so it is started anew behind it. A line
 * of a multi-line cell could only be mistaken for a row if it had all columns of one, and such a file is not free of
 * problems either way.
 */
import { type CsvError, type Parser, parse } from "csv-parse";
import { fault } from "../../faults/index.ts";
import type { FileLimits } from "../file-limits.ts";
import { type BrokenQuote, countLineBreaks, findBrokenQuote } from "./broken-quote.ts";

export interface CsvRecord {
  /** Where it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** What breaks the format, and on which line; the cells are then only a guess to show. */
  readonly broken?: { readonly line: number; readonly reason: string };
}

/** Yields the records of each chunk of UTF-8 together. Fault: FILE_TOO_LARGE for a row without end. */
export async function* csvRecords(
  chunks: AsyncIterable<Buffer>,
  delimiter: string,
  limits: FileLimits,
): AsyncGenerator<readonly CsvRecord[]> {
  const reader = new RecordReader(delimiter, limits);
  for await (const chunk of chunks) yield await reader.read(chunk);
  yield await reader.finish();
}

class RecordReader {
  private readonly delimiter: string;
  private readonly limits: FileLimits;
  private parser: Parser;
  private records: CsvRecord[] = [];
  /** Bytes from the end of the last record on. */
  private held: Buffer = Buffer.alloc(0);
  /** Where `held` begins, counted in bytes given to the present parser. */
  private heldFrom = 0;
  /** The line on which `held` begins. */
  private line = 1;
  private parserLines = 0;
  private brokenBy: CsvError | undefined;

  constructor(delimiter: string, limits: FileLimits) {
    this.delimiter = delimiter;
    this.limits = limits;
    this.parser = this.startParser();
  }

  async read(chunk: Buffer): Promise<readonly CsvRecord[]> {
    this.held = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]);
    if (this.brokenBy === undefined) await this.write(chunk);
    await this.resume(false);
    // The size limit of csv-parse does not see cells that are empty.
    if (this.held.length > HELD_BYTES_PER_CHARACTER * this.limits.rowCharactersMax) throw this.rowTooLong();
    return this.taken();
  }

  async finish(): Promise<readonly CsvRecord[]> {
    if (this.brokenBy === undefined) await this.end();
    await this.resume(true);
    return this.taken();
  }

  private taken(): readonly CsvRecord[] {
    const { records } = this;
    this.records = [];
    return records;
  }

  /** Gives up the broken record and reads on below it, as long as the line of its quote has come in whole. */
  private async resume(isLast: boolean): Promise<void> {
    while (this.brokenBy !== undefined) {
      const quote = findBrokenQuote(this.held, this.delimiter, isLast);
      if (quote === "none") throw this.rowTooLong();
      if (quote === "line goes on") return;
      this.giveUp(quote);
      await this.write(this.held);
      if (isLast && this.brokenBy === undefined) await this.end();
    }
  }

  private giveUp({ textToLineEnd, offset, reason }: BrokenQuote): void {
    this.records.push({
      line: this.line,
      cells: textToLineEnd.trimEnd().split(this.delimiter),
      broken: { line: this.line + countLineBreaks(textToLineEnd.slice(0, offset)), reason },
    });
    this.held = this.held.subarray(Buffer.byteLength(textToLineEnd));
    this.heldFrom = 0;
    this.line += countLineBreaks(textToLineEnd);
    this.parserLines = 0;
    this.brokenBy = undefined;
    this.parser = this.startParser();
  }

  private startParser(): Parser {
    const parser = parse({
      delimiter: this.delimiter,
      record_delimiter: ["\r\n", "\n", "\r"],
      max_record_size: this.limits.rowCharactersMax,
      // The header need not be the first record, so the table checks the number of columns itself.
      relax_column_count: true,
      relax_quotes: false,
      // Called at once for each record; a stream would lose the records that stand before an error.
      on_record: (cells: string[], info) => {
        this.take(cells, info.bytes, info.lines);
        return null;
      },
    });
    // The same error also reaches the callback of write or end, where it is handled.
    parser.on("error", () => undefined);
    return parser.resume();
  }

  private take(cells: readonly string[], endByte: number, parserLines: number): void {
    this.records.push({ line: this.line, cells });
    const length = endByte - this.heldFrom;
    // csv-parse counts a CRLF in quotes twice, so records of several lines are counted here.
    this.line +=
      parserLines - this.parserLines === 1
        ? 1
        : countLineBreaks(this.held.subarray(0, length).toString("latin1"));
    this.parserLines = parserLines;
    this.held = this.held.subarray(length);
    this.heldFrom = endByte;
  }

  private write(chunk: Buffer): Promise<void> {
    return this.settle((done) => this.parser.write(chunk, done));
  }

  private end(): Promise<void> {
    return this.settle((done) => this.parser.end(done));
  }

  private settle(start: (done: (error?: Error | null) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      start((error) => {
        if (error === undefined || error === null) return resolve();
        if (!isCsvError(error)) return reject(error);
        this.brokenBy = error;
        resolve();
      });
    });
  }

  private rowTooLong(): Error {
    const limit = this.limits.rowCharactersMax;
    return fault(
      "FILE_TOO_LARGE",
      { found: `more than ${limit}`, unit: "characters in one row", limit },
      { line: this.line },
    );
  }
}

// UTF-8 takes at most four bytes for a character.
const HELD_BYTES_PER_CHARACTER = 4;

function isCsvError(error: Error): error is CsvError {
  return "code" in error && typeof error.code === "string" && /^(CSV_|INVALID_)/.test(error.code);
}
