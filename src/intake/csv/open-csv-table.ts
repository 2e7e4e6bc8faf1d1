/** Opens a CSV file as a table: detects encoding and delimiter, finds the header, and reads rows lazily. */
import { fault, problem } from "../../faults/index.ts";
import { forcedText, unguardFormula } from "../../model/formula-guard.ts";
import { type Cell, EMPTY_CELL, type Row, type Table, type TitleLine } from "../../model/row.ts";
import type { SingleByteEncoding } from "../../model/text-encoding.ts";
import { type FileLimits, tooMany } from "../file-limits.ts";
import { HEADER_LINE_MAX, headerNames, type TableLayout } from "../table-layout.ts";
import {
  cellProblems,
  fitted,
  isBlank,
  secretOfBrokenRow,
  WINDOW_ROWS,
  withoutAnswers,
} from "../table-rows.ts";
import { type CsvRecord, csvRecords } from "./csv-records.ts";
import { type Delimiter, detectDelimiter } from "./delimiter.ts";
import { detectEncoding, type Encoding, textChunks } from "./encoding.ts";

/** Faults: FILE_EMPTY, ENCODING_INVALID, FILE_FORMAT_UNKNOWN, HEADER_NOT_FOUND, FILE_TOO_LARGE. */
export async function openCsvTable(path: string, layout: TableLayout): Promise<Table> {
  const isHeader = (cells: readonly string[]) => layout.isHeader(namesIn(cells));
  const source = await openCsvSource(path, layout.limits, isHeader, layout.encoding);
  const { header, titleLines } = await findHeader(source, layout);
  return {
    format: "csv",
    dialect: source.dialect,
    headerLine: header.line,
    header: namesIn(header.cells),
    titleLines,
    source: { format: "csv", path, encoding: source.encoding, delimiter: source.delimiter.character },
    windows: () => windowsOf(source, header, layout),
  };
}

/** A CSV file whose encoding and delimiter are known; its records can be read any number of times. */
export interface OpenCsv {
  readonly path: string;
  readonly encoding: Encoding;
  readonly delimiter: Delimiter;
  readonly dialect: string;
  /** The records without the `sep=` line, grouped by the piece of the file in which they end. */
  records(): AsyncGenerator<Iterable<CsvRecord>>;
}

export async function openCsvSource(
  path: string,
  limits: FileLimits,
  isHeader?: (cells: readonly string[]) => boolean,
  otherEncoding?: SingleByteEncoding,
): Promise<OpenCsv> {
  const encoding = await detectEncoding(path, otherEncoding);
  const delimiter = await detectDelimiter(await beginning(path, encoding), limits, isHeader);
  return {
    path,
    encoding,
    delimiter,
    dialect: `${encoding.name}, ${delimiter.name}${delimiter.isDeclared ? " (declared by sep=)" : ""}`,
    records: () => recordsOf(path, encoding, delimiter, limits),
  };
}

async function* recordsOf(
  file: string,
  encoding: Encoding,
  delimiter: Delimiter,
  limits: FileLimits,
): AsyncGenerator<Iterable<CsvRecord>> {
  let brokenCount = 0;
  let blankCount = 0;
  const withinLimits = function* (records: Iterable<CsvRecord>): Generator<CsvRecord> {
    for (const record of records) {
      if (delimiter.isDeclared && record.line === 1) continue;
      const where = { file, line: record.line };
      if (record.cells.length > limits.columnsMax) throw tooMany("columns", limits.columnsMax, where);
      if (record.broken !== undefined) brokenCount += 1;
      else if (record.cells.every((cell) => cell === "")) blankCount += 1;
      if (brokenCount > limits.brokenRowsMax) {
        throw fault("CSV_MALFORMED", { reason: `more than ${limits.brokenRowsMax} rows break it` }, where);
      }
      if (blankCount > BLANK_LINES_MAX) throw tooMany("blank lines", BLANK_LINES_MAX, where);
      yield record;
    }
  };
  for await (const records of csvRecords(textChunks(file, encoding), delimiter.character, limits))
    yield withinLimits(records);
}

/** A spreadsheet program writes at most as many lines as its sheets have, however few contain anything. */
const BLANK_LINES_MAX = 1_048_576;

/** The cell for a CSV text: what is meant by it, except that white space alone is empty. */
export function csvCell(text: string): Cell {
  if (text === "") return EMPTY_CELL;
  const meant = meantText(text);
  return meant.trim() === "" ? EMPTY_CELL : { kind: "text", text: meant };
}

/** Without the `'` which our own outputs put before a text that a spreadsheet would run as a formula; 0123 for `="0123"`. */
function meantText(text: string): string {
  return forcedText(text) ?? unguardFormula(text);
}

function namesIn(cells: readonly string[]): readonly string[] {
  return headerNames(cells.map(meantText));
}

async function beginning(path: string, encoding: Encoding): Promise<string> {
  let text = "";
  for await (const chunk of textChunks(path, encoding)) {
    text += chunk;
    if (text.length >= BEGINNING_CHARACTERS) break;
  }
  return text;
}

/** Enough for the lines that may contain the header. */
const BEGINNING_CHARACTERS = 64 * 1024;

async function findHeader(
  source: OpenCsv,
  layout: TableLayout,
): Promise<{ readonly header: CsvRecord; readonly titleLines: readonly TitleLine[] }> {
  const titleLines: TitleLine[] = [];
  let unreadable: CsvRecord["broken"];
  for await (const records of source.records()) {
    for (const record of records) {
      if (record.line > HEADER_LINE_MAX) throw headerNotFound(source, titleLines, layout, unreadable);
      if (layout.isHeader(namesIn(record.cells))) {
        if (record.broken === undefined) return { header: record, titleLines };
        unreadable ??= record.broken;
      }
      const cells = record.cells.map(csvCell);
      if (!isBlank(cells)) titleLines.push({ line: record.line, cells });
    }
  }
  throw headerNotFound(source, titleLines, layout, unreadable);
}

/** `unreadable`: how the format of a line is broken that has the names of a header. */
function headerNotFound(
  { path: file, delimiter }: OpenCsv,
  titleLines: readonly TitleLine[],
  layout: TableLayout,
  unreadable: CsvRecord["broken"],
): Error {
  if (titleLines.length === 0) return fault("FILE_EMPTY", {}, { file });
  if (unreadable !== undefined)
    return fault("CSV_MALFORMED", { reason: unreadable.reason }, { file, line: unreadable.line });
  const { needed = "the payout columns", closestHeader } = layout;
  const closest = headerInOneCell(titleLines, delimiter, layout) ?? closestHeader?.(titleLines) ?? "";
  return fault("HEADER_NOT_FOUND", { needed, closest }, { file });
}

/** Names the line that would be the header, were it divided by other marks, or not quoted as a whole. */
function headerInOneCell(
  titleLines: readonly TitleLine[],
  { character, isDeclared }: Delimiter,
  { isHeader }: TableLayout,
): string | undefined {
  for (const { line, cells } of titleLines) {
    const [{ text = "" } = {}, ...others] = cells;
    const mark = [...USUAL_MARKS, ...UNUSUAL_MARKS].find((candidate) =>
      isHeader(namesIn(text.split(candidate))),
    );
    if (mark === undefined || others.length > 0) continue;
    const separated = `its cells are separated by ${mark === "\t" ? "tabs" : `\`${mark}\``}`;
    const undeclared = USUAL_MARKS.includes(mark) ? "the whole line is in quotes" : separated;
    const how = isDeclared ? `${separated}, but the file begins with \`sep=${character}\`` : undeclared;
    return `; line ${line} has them in one cell: ${how}`;
  }
  return undefined;
}

const USUAL_MARKS = ",;\t|";
const UNUSUAL_MARKS = "^~:";

async function* windowsOf(
  source: OpenCsv,
  header: CsvRecord,
  layout: TableLayout,
): AsyncGenerator<readonly Row[]> {
  const { limits } = layout;
  const names = namesIn(header.cells);
  const sent = withoutAnswers(names);
  const widthMin = leastWidth(names, layout);
  const cellsOf = repeatingCells();
  const window: Row[] = [];
  let row = 0;
  for await (const records of source.records()) {
    for (const record of records) {
      if (record.line <= header.line) continue;
      const cells = sent(cellsOf(record.cells));
      if (record.broken === undefined && isBlank(cells)) continue;
      row += 1;
      if (row > limits.rowsMax) throw tooMany("rows", limits.rowsMax, { file: source.path });
      const where = { file: source.path, row, line: record.line };
      const wrong =
        record.broken ??
        swallowedPayout(record, cells, source, layout) ??
        wrongWidth(
          record,
          cells.length,
          mayBeShort(record, cells[widthMin - 1]) ? widthMin : names.length,
          header.cells.length,
        );
      window.push({
        row,
        line: record.line,
        cells: fitted(cells, names.length),
        problems:
          wrong === undefined
            ? cellProblems(cells, names, where, limits)
            : [
                problem("CSV_MALFORMED", { reason: wrong.reason }, { ...where, line: wrong.line }),
                ...secretOfBrokenRow(cells, where),
              ],
        ...(record.broken === undefined && cells.length < names.length ? { isShort: true } : {}),
        ...(record.endsWithoutLineBreak === true ? { endsWithoutLineBreak: true } : {}),
      });
      if (window.length === WINDOW_ROWS) yield window.splice(0);
    }
    if (window.length > 0) yield window.splice(0);
  }
}

/** Cells for the texts of one row after another: a text that repeats the one above gets its cell, which is then read once. */
function repeatingCells(): (texts: readonly string[]) => readonly Cell[] {
  let textsAbove: readonly string[] = [];
  let cellsAbove: readonly Cell[] = [];
  return (texts) => {
    const cells = texts.map((text, at) => (text === textsAbove[at] && cellsAbove[at]) || csvCell(text));
    textsAbove = texts;
    cellsAbove = cells;
    return cells;
  };
}

type Malformed = CsvRecord["broken"];

/**
 * Detects a row hidden in a cell: two stray quotes turn everything between them into one cell, as every program shows
 * it, and nobody notices the missing row.
 */
function swallowedPayout(
  { line, hasLineBreaks }: CsvRecord,
  cells: readonly Cell[],
  { delimiter }: OpenCsv,
  { mayBePayout }: TableLayout,
): Malformed {
  if (hasLineBreaks !== true) return undefined;
  const lines = cells.flatMap(({ text }) => (LINE_BREAK.test(text) ? text.split(LINE_BREAK) : []));
  const isPayout = (text: string) => mayBePayout?.(text.split(delimiter.character).map(csvCell)) === true;
  if (!lines.some(isPayout)) return undefined;
  const reason =
    "a quoted cell holds a line that may be a payout of its own; perhaps a quote was never closed";
  return { line, reason };
}

const LINE_BREAK = /\r\n|\n|\r/;

/** Whether a line may end early: an empty last cell does not show whether another one is missing before it. */
function mayBeShort({ endsWithoutLineBreak }: CsvRecord, last: Cell = EMPTY_CELL): boolean {
  return endsWithoutLineBreak !== true && last.text.trim() !== "";
}

/** How many cells a line must have that may be short. */
function leastWidth(names: readonly string[], { isRead, mayEndAt }: TableLayout): number {
  const last = names.findLastIndex((name) => isRead?.(name) !== false);
  return mayEndAt?.(names[last] ?? "") === true ? last + 1 : names.length;
}

/** Unnamed columns count only up to the last value: programs omit empty cells at the end of a row. */
function wrongWidth({ line }: CsvRecord, width: number, widthMin: number, widthMax: number): Malformed {
  if (width >= widthMin && width <= widthMax) return undefined;
  const reason =
    width === 1
      ? `the line has 1 cell, the header has ${widthMax}; perhaps it is a note, which does not belong among the payouts, or it is separated by another character than the header`
      : `the line has ${width} cells, the header has ${widthMax}${width < widthMin ? SHORT_HINT : LONG_HINT}`;
  return { line, reason };
}

/** From line 17 on, Excel writes no separators for last columns that are empty in all of 16 lines; saving again repeats it. */
const SHORT_HINT =
  "; if its last cells are empty, the program may have left them out, as Excel does: send the workbook itself (.xlsx), or move a column that is always filled to the end";

const LONG_HINT =
  "; if the program ends every line with a separator but that of the column names, add one there; a separator within a text needs quotes around it";
