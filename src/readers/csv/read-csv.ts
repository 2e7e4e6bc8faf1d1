/**
 * Reads a CSV file (RFC 4180 with any delimiter and line ending) by csv-parse. If csv-parse cannot read a record,
 * the whole file is refused: after a broken quote csv-parse could continue in the middle of a cell, or swallow rows
 * without an error.
 */
import { readFile } from "node:fs/promises";
import { CsvError, type Parser, parse } from "csv-parse";
import { parse as parseSync } from "csv-parse/sync";
import { Fault, fault } from "../../faults/index.ts";
import { unguardFormula } from "../../model/formula-guard.ts";
import type { Grid, Line } from "../../model/grid.ts";
import { LineTable } from "../../model/lines.ts";
import type { SingleByteEncoding } from "../../model/text-encoding.ts";
import { type FileLimits, LINES_ABOVE_MAX, tooMany } from "../file-limits.ts";
import { asUnreadable } from "../open-file.ts";
import { detectEncoding, textPieces } from "./encoding.ts";

type KnownNames = (cells: readonly string[]) => number;

export interface CsvOptions {
  readonly limits: FileLimits;
  /** For a file that is not UTF-8. */
  readonly encoding?: SingleByteEncoding;
  /** How many cells of a line have the names of known columns; by default no names are known. */
  readonly knownNames?: KnownNames;
  /** One character; detected if left out. */
  readonly delimiter?: string;
}

/** Faults: FILE_EMPTY, FILE_FORMAT_UNKNOWN, ENCODING_INVALID, CSV_MALFORMED, FILE_TOO_LARGE. */
export async function readCsv(path: string, options: CsvOptions): Promise<Grid> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw asUnreadable(error, path);
  });
  const encoding = detectEncoding(bytes, path, options.encoding);
  const beginning = new TextDecoder(encoding.label).decode(bytes.subarray(0, BEGINNING_BYTES));
  const delimiter = detectDelimiter(beginning, options.knownNames, options.delimiter);
  const lines = await linesOf(textPieces(bytes, encoding, path), delimiter, path, options.limits);
  if (lines.length === 0) throw fault("FILE_EMPTY", {}, { file: path });
  return {
    format: "csv",
    dialect: `${encoding.name}, ${delimiter.name}${delimiter.isDeclared ? " (declared by sep=)" : ""}`,
    csv: {
      encoding: encoding.label,
      hasByteOrderMark: encoding.skipBytes > 0,
      isEncodingGuessed: encoding.isGuessed === true,
      delimiter: delimiter.character,
      ...(!/[\r\n]/.test(bytes.subarray(-2).toString("latin1")) && { endsOpen: true }),
    },
    lines,
    hiddenColumns: new Set(),
    columnWidths: new Map(),
    outside: [],
    pictureCount: 0,
  };
}

/** Enough for the lines that may contain the names of columns. */
const BEGINNING_BYTES = 64 * 1024;

async function linesOf(
  pieces: Iterable<Buffer | string>,
  delimiter: Delimiter,
  file: string,
  limits: FileLimits,
): Promise<Line[]> {
  const lines: Line[] = [];
  const table = new LineTable();
  let next = 1;
  let cellCount = 0;
  // Writes into csv-parse's own list, because a second list for each line would soon be garbage.
  const take = (cells: string[]) => {
    const line = next;
    next += 1;
    if (line > limits.linesMax) throw tooMany("lines", limits.linesMax, { file, line });
    if (cells.length > limits.columnsMax) throw tooMany("columns", limits.columnsMax, { file, line });
    cellCount += cells.length;
    if (cellCount > CELLS_MAX) throw tooMany("cells", CELLS_MAX, { file, line });
    let isBlank = true;
    for (let at = 0; at < cells.length; at += 1) {
      const text = cells[at] ?? "";
      if (NOT_PLAIN.test(text)) {
        next += lineBreaksIn(text);
        cells[at] = meantText(text);
      }
      if (cells[at] !== "") isBlank = false;
    }
    if (isBlank || (delimiter.isDeclared && line === 1)) return null;
    lines.push(table.add({ line, cells }));
    if (lines.length > limits.rowsMax + LINES_ABOVE_MAX)
      throw tooMany("rows", limits.rowsMax, { file, line });
    return null;
  };
  const parser = parse({
    bom: true,
    delimiter: delimiter.character,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    max_record_size: limits.rowCharactersMax,
    on_record: take,
  });
  allowAnyLength(parser);
  const ended = Promise.withResolvers<void>();
  parser.on("end", ended.resolve);
  parser.on("error", (error) => ended.reject(asFault(error, file, next, limits)));
  parser.resume();
  let recordCount = 0;
  let unfinished = 0;
  // Other work of the process runs between the pieces.
  for (const piece of pieces) {
    parser.write(piece);
    await Promise.race([ended.promise, new Promise(setImmediate)]);
    // csv-parse counts the characters of a record, but not its cells.
    unfinished = parser.info.records === recordCount ? unfinished + piece.length : 0;
    recordCount = parser.info.records;
    if (unfinished > limits.rowCharactersMax * BYTES_PER_CHARACTER_MAX) throw tooLongRow(file, next, limits);
  }
  parser.end();
  await ended.promise;
  return lines;
}

/** A hundred columns in each of 100,000 rows. Empty cells count, because they take as long to read. */
const CELLS_MAX = 10_000_000;

/** Whether a text has line breaks, or may mean another text. */
const NOT_PLAIN = /^\s|^=|['\r\n]/;

/**
 * The meaning of a text: without the `'` that our own files put before formulas, and without the formula `="0123"`
 * with which programs keep a text a text. A cell with only white space is empty.
 */
function meantText(text: string): string {
  if (text.trim() === "") return "";
  const kept = text.startsWith('="') ? TEXT_FORMULA.exec(text)?.[1] : undefined;
  if (kept !== undefined) return kept.trim() === "" ? "" : kept;
  return text.includes("'") ? unguardFormula(text) : text;
}

const TEXT_FORMULA = /^="([^"]*)"$/;

/**
 * csv-parse creates an error object, stack and all, for each record whose length differs from the first one's, even
 * if that is allowed.
 */
function allowAnyLength(parser: Parser): void {
  const { api } = parser as unknown as { readonly api: ParserCore };
  const onRecord = api.__onRecord.bind(api);
  api.__onRecord = (push) => {
    api.state.expectedRecordLength = api.state.record.length;
    return onRecord(push);
  };
}

/** The method that csv-parse 7 calls for each record; its types leave it out. */
interface ParserCore {
  readonly state: { expectedRecordLength: number; readonly record: readonly string[] };
  __onRecord(push: unknown): unknown;
}

function lineBreaksIn(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}

/** `line`: where the unreadable record begins; csv-parse names the line on which it gave up. */
function asFault(error: unknown, file: string, line: number, limits: FileLimits): unknown {
  if (error instanceof Fault || !(error instanceof CsvError)) return error;
  if (error.code === "CSV_MAX_RECORD_SIZE") return tooLongRow(file, line, limits);
  const reason = REASONS[error.code] ?? error.message;
  return fault("CSV_MALFORMED", { reason }, { file, line }, { cause: error });
}

function tooLongRow(file: string, line: number, limits: FileLimits): Fault {
  return tooMany("characters in one row", limits.rowCharactersMax, { file, line });
}

const BYTES_PER_CHARACTER_MAX = 4;

const REASONS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: "a quote is opened in this row and never closed",
  CSV_INVALID_CLOSING_QUOTE:
    "a quoted cell of this row continues after its closing quote, or was never closed",
  INVALID_OPENING_QUOTE:
    'a cell of this row has a quote inside but is not quoted; a text with quotes is written "a ""b"" c", and ' +
    '="0123" as "0123"',
};

interface Delimiter {
  readonly character: string;
  /** For people: "semicolons". */
  readonly name: string;
  /** Declared by a first line `sep=;`, which is not a row. */
  readonly isDeclared: boolean;
}

/**
 * The declared delimiter; otherwise the `known` one; otherwise the one with which some line has the most known
 * names. Among equals, the one that splits most lines into the same number of cells.
 */
function detectDelimiter(beginning: string, knownNames: KnownNames = () => 0, known?: string): Delimiter {
  const declared = /^"?sep=([^\p{L}\p{N}"\s]|\t)"?[ \t]*(?:[\r\n]|$)/iu.exec(beginning)?.[1];
  if (declared !== undefined)
    return { character: declared, name: NAMES[declared] ?? declared, isDeclared: true };
  if (known !== undefined) return { character: known, name: NAMES[known] ?? known, isDeclared: false };
  const scored = Object.keys(NAMES).map((character) => {
    const lines = firstLines(beginning, character);
    const known = Math.max(0, ...lines.map(knownNames));
    return { character, score: known * NAMES_WEIGHT + regularity(lines) };
  });
  const { character } = scored.reduce((left, right) => (right.score > left.score ? right : left));
  return { character, name: NAMES[character] ?? character, isDeclared: false };
}

const NAMES: Readonly<Record<string, string>> = {
  ",": "commas",
  ";": "semicolons",
  "\t": "tabs",
  "|": "pipes",
};

const NAMES_WEIGHT = 1_000_000;
const LINES_MAX = 60;

/** The beginning may break off within a quoted cell; the lines before that are enough to compare. */
function firstLines(beginning: string, delimiter: string): readonly string[][] {
  const lines: string[][] = [];
  try {
    parseSync(beginning, {
      delimiter,
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to: LINES_MAX,
      on_record: (cells: string[]) => {
        lines.push(cells.map((cell) => cell.trim()));
        return null;
      },
    });
  } catch {
    return lines;
  }
  return lines;
}

/** Number of lines times cells, for the commonest width above one. */
function regularity(lines: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>();
  for (const { length } of lines) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1);
  return Math.max(0, ...[...counts].map(([width, count]) => count * count * width));
}
