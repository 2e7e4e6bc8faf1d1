/** A file that another program writes in any supported dialect is read back equal, for all texts. */
import { stringify } from "csv-stringify/sync";
import ExcelJS from "exceljs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { guardFormula } from "../../src/model/formula-guard.ts";
import { runsOf } from "../slice.ts";
import { read } from "./reading.ts";

const WINDOWS_1252_TEXT = fc.string({
  unit: fc.constantFrom(..."aB1 ,;|\t\"'=-éÜß\r\n"),
  maxLength: 12,
});
const ANY_TEXT = fc.oneof(
  WINDOWS_1252_TEXT,
  fc.string({ unit: "grapheme", maxLength: 12 }).filter((text) => !text.includes("\0")),
);

function tables(text: fc.Arbitrary<string>) {
  return fc.array(fc.tuple(text, text, text), { maxLength: 12 });
}

/** Cells with only white space count as empty, and a row of empty cells is no row. */
function expected(table: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const shown = table.map((cells) => cells.map((cell) => (cell.trim() === "" ? "" : cell)));
  return shown.filter((cells) => cells.some((cell) => cell !== ""));
}

const ENCODERS = {
  "UTF-8": (text: string) => Buffer.from(text),
  "UTF-8 with BOM": (text: string) => Buffer.from(`\ufeff${text}`),
  "UTF-16 LE": (text: string) => Buffer.from(`\ufeff${text}`, "utf16le"),
  "UTF-16 BE": (text: string) => Buffer.from(`\ufeff${text}`, "utf16le").swap16(),
} as const;

const dialects = fc.record({
  delimiter: fc.constantFrom(",", ";", "\t", "|"),
  lineEnding: fc.constantFrom("\n", "\r\n", "\r"),
  isQuoted: fc.boolean(),
  isDeclared: fc.boolean(),
  title: fc.constantFrom("", "Payroll of May", "\n\nMay\n"),
});

function write(
  table: readonly (readonly string[])[],
  dialect: typeof dialects extends fc.Arbitrary<infer D> ? D : never,
) {
  const lines = [["reference", "amount", "note"], ...table.map((cells) => cells.map(guardFormula))];
  const csv = stringify(lines, {
    delimiter: dialect.delimiter,
    record_delimiter: dialect.lineEnding,
    quoted: dialect.isQuoted,
    // csv-stringify quotes only its own line ending, and a reader cannot know that one.
    quoted_match: /[\r\n]/,
  });
  const declaration = dialect.isDeclared ? `sep=${dialect.delimiter}${dialect.lineEnding}` : "";
  const title = dialect.title === "" ? "" : `${dialect.title}${dialect.lineEnding}`;
  return declaration + title + csv;
}

test("any table of texts written as CSV reads back equal, in every dialect", async () => {
  const encodings = fc.constantFrom(...(Object.keys(ENCODERS) as (keyof typeof ENCODERS)[]));
  await fc.assert(
    fc.asyncProperty(tables(ANY_TEXT), dialects, encodings, async (table, dialect, encoding) => {
      const { grid, texts } = await read(ENCODERS[encoding](write(table, dialect)));
      expect(grid.dialect.startsWith(`${encoding}, `)).toBe(true);
      expect(texts).toEqual(expected(table));
    }),
    runsOf(50, 200),
  );
});

test("any table of Windows-1252 texts reads back equal", async () => {
  await fc.assert(
    fc.asyncProperty(tables(WINDOWS_1252_TEXT), dialects, async (table, dialect) => {
      const { texts } = await read(Buffer.from(write([...table, ["é", "1", "x"]], dialect), "latin1"));
      expect(texts).toEqual(expected([...table, ["é", "1", "x"]]));
    }),
    runsOf(20, 50),
  );
});

// exceljs drops characters that XML cannot hold and writes carriage returns that XML turns into newlines.
const XLSX_TEXT = ANY_TEXT.map((text) => text.replace(/\r/g, "\n")).filter(
  (text) => !/_x[0-9A-Fa-f]{4}_|\p{Cc}|\p{Cn}/u.test(text.replace(/[\n\t]/g, "")),
);

test("any table of texts written by exceljs reads back equal", async () => {
  await fc.assert(
    fc.asyncProperty(tables(XLSX_TEXT), async (table) => {
      const book = new ExcelJS.Workbook();
      const sheet = book.addWorksheet("Payouts");
      sheet.addRows([["reference", "amount", "note"], ...table]);
      const { texts } = await read(Buffer.from(await book.xlsx.writeBuffer()));
      expect(texts).toEqual(expected(table));
    }),
    runsOf(20, 50),
  );
});
