/** Payouts as CSV in every dialect that intake supports. */
import { stringify } from "csv-stringify/sync";
import fc from "fast-check";
import { guardFormula, unguardFormula } from "../../src/model/formula-guard.ts";
import { markedAmount, numberFormats, type PayoutSheet } from "./payout-sheet.ts";

export const csvDialects = fc.record({
  encoding: fc.constantFrom("UTF-8", "UTF-8 with BOM", "UTF-16 LE", "UTF-16 BE", "Windows-1252"),
  delimiter: fc.constantFrom(",", ";", "\t", "|"),
  lineEndings: fc.constantFrom(["\n"], ["\r\n"], ["\r"], ["\n", "\r\n", "\r"]),
  isQuoted: fc.boolean(),
  isDeclared: fc.boolean(),
  isGuarded: fc.boolean(),
  above: fc.constantFrom([], ["Payroll of May"], ["", "", "May", ""]),
  hasBlankLines: fc.boolean(),
  endsWithLineEnding: fc.boolean(),
  numberFormat: numberFormats,
});

export type CsvDialect = typeof csvDialects extends fc.Arbitrary<infer Dialect> ? Dialect : never;

export function csvFile(sheet: PayoutSheet, dialect: CsvDialect): Buffer {
  const { delimiter, isQuoted, hasBlankLines } = dialect;
  const isAmount = sheet.columns.map(({ name }) => name === "amount");
  const header = sheet.columns.map((column) => column.header);
  const rows = sheet.rows.map((row) =>
    row.map((text, index) => (isAmount[index] === true ? amountIn(text, dialect) : asWritten(text, dialect))),
  );
  // csv-stringify quotes only its own line ending, and a reader cannot know which one that was.
  const lineOf = (cells: readonly string[]) =>
    stringify([[...cells]], {
      delimiter,
      quoted: isQuoted,
      quoted_match: /[\r\n]/,
      record_delimiter: "\n",
    }).slice(0, -1);
  const blank = hasBlankLines ? ["", delimiter.repeat(header.length - 1)] : [];
  const lines = [
    ...(dialect.isDeclared ? [`sep=${delimiter}`] : []),
    ...dialect.above,
    lineOf(header),
    ...rows.flatMap((row) => [lineOf(row), ...blank]),
  ];
  return encoded(joined(lines, dialect), dialect.encoding);
}

/** Between semicolons a lone "1.234" could mean 1234, and is refused: written as that refusal asks for. */
function amountIn(text: string, { delimiter, numberFormat }: CsvDialect): string {
  const isUnclear = delimiter === ";" && numberFormat === "auto" && /\.\d{3}$/.test(text);
  return markedAmount(isUnclear ? `${text}0` : text, numberFormat);
}

/**
 * A text with an apostrophe before what may begin a formula needs a guard of its own: nobody could tell the two
 * apart.
 */
function asWritten(text: string, { isGuarded }: CsvDialect): string {
  return isGuarded || unguardFormula(text) !== text ? guardFormula(text) : text;
}

function joined(lines: readonly string[], { lineEndings, endsWithLineEnding }: CsvDialect): string {
  const last = lines.length - 1;
  return lines
    .map(
      (line, index) =>
        line + (index < last || endsWithLineEnding ? lineEndings[index % lineEndings.length] : ""),
    )
    .join("");
}

/** UTF-8 if Windows-1252 cannot represent the table, or if its bytes could be read as UTF-8. */
function encoded(text: string, encoding: CsvDialect["encoding"]): Buffer {
  switch (encoding) {
    case "UTF-8":
      return Buffer.from(text);
    case "UTF-8 with BOM":
      return Buffer.from(`\ufeff${text}`);
    case "UTF-16 LE":
      return Buffer.from(`\ufeff${text}`, "utf16le");
    case "UTF-16 BE":
      return Buffer.from(`\ufeff${text}`, "utf16le").swap16();
    case "Windows-1252": {
      const bytes = Buffer.from(
        text.replace(/[€“]/g, (mark) => (mark === "€" ? "\x80" : "\x93")),
        "latin1",
      );
      const isSure = new TextDecoder("windows-1252").decode(bytes) === text && /é[^\x80-\xff]/.test(text);
      return isSure ? bytes : Buffer.from(text);
    }
  }
}
