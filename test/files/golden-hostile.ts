/**
 * Packages that lie about themselves and cannot be kept as they are: small ones of `bench/hostile.ts` and its
 * tests.
 */
import { gzipSync } from "node:zlib";
import { HEADER_ROW, sheetOf, workbookParts } from "./workbook-fixture.ts";
import { type ZipPart, zip } from "./zip-writer.ts";

export const SHEET = "xl/worksheets/sheet1.xml";
const HEAD = "<worksheet><sheetData>";
const MEBIBYTE = 1024 * 1024;

/** Bytes by name. */
export function hostilePackages(): Readonly<Record<string, string | Buffer>> {
  return {
    "hostile/archives-in-archives.xlsx": nested(3),
    "hostile/unpacks-to-a-thousand-times-its-size.xlsx": sheet(Buffer.alloc(16 * MEBIBYTE, " ")),
    "hostile/declares-little-and-inflates-to-more.xlsx": sheet(Buffer.alloc(8 * MEBIBYTE, " "), {
      declaredBytes: 100_000,
    }),
    "hostile/declares-4-gb.xlsx": sheet("<a/>", { declaredBytes: 0xfffffffe }),
    "hostile/declares-1-gb.xlsx": sheet("<a/>", { declaredBytes: 1024 ** 3 }),
    "hostile/a-hundred-thousand-columns.xlsx": sheet(`${HEAD}<row>${"<c/>".repeat(100_000)}`, {
      isStored: true,
    }),
    "hostile/a-hundred-thousand-columns.csv": `reference,amount\n${",".repeat(100_000)}\n`,
    "hostile/a-hundred-thousand-elements-deep.xlsx": sheet("<a>".repeat(100_000), { isStored: true }),
    "hostile/one-open-quote.csv": `reference,amount,destinationAddress\n"${"x,y\n".repeat(5_000)}`,
    "hostile/a-quote-in-each-line.csv": `reference,amount,destinationAddress\n${'"x"y,z\n'.repeat(2_000)}`,
    "hostile/line-ends-without-end.csv": `reference,amount,destinationAddress\n${"\n".repeat(200_000)}`,
    "hostile/a-comment-without-end.xlsx": sheet(`<a><!--${"x".repeat(3_000_000)}`, { isStored: true }),
    "hostile/a-cell-without-end.xlsx": sheet(
      `${HEAD}<row><c t="inlineStr"><is>${"<t>0123456789</t>".repeat(200_000)}`,
      { isStored: true },
    ),
    "hostile/a-number-of-a-million-digits.xlsx": sheet(
      `${HEAD}${HEADER_ROW}<row><c><v>1</v></c><c><v>${"1".repeat(1_000_000)}</v></c></row></sheetData></worksheet>`,
      { isStored: true },
    ),
    "hostile/rows-that-end-in-the-last-column.xlsx": sheet(
      `${HEAD}${HEADER_ROW}${Array.from({ length: 500 }, (_, index) => `<row r="${index + 2}"><c r="XFD${index + 2}"><v>1</v></c></row>`).join("")}</sheetData></worksheet>`,
    ),
    "hostile/more-merged-cells-than-anybody-makes.xlsx": sheet(
      `${HEAD}${HEADER_ROW}</sheetData><mergeCells>${Array.from({ length: 100_001 }, (_, index) => `<mergeCell ref="X${index}:Y${index}"/>`).join("")}</mergeCells></worksheet>`,
    ),
    "hostile/a-million-shared-texts.xlsx": texts(1_000_000),
    "hostile/gzip.csv": gzipSync("reference,amount\n"),
    "hostile/empty.csv": "",
  };
}

/** A workbook whose only sheet is this XML. */
export function sheet(data: string | Buffer, change: Partial<ZipPart> = {}): Buffer {
  const parts = workbookParts({ sheets: [sheetOf("")] });
  return zip(parts.map((part) => (part.name === SHEET ? { ...part, data, ...change } : part)));
}

/** A workbook with so many shared texts, which are stored uncompressed. */
export function texts(count: number): Buffer {
  const sharedStrings = Array.from({ length: count }, (_, index) => `<si><t>${index % 9}</t></si>`).join("");
  const parts = workbookParts({ sheets: [sheetOf("")], sharedStrings });
  return zip(parts.map((part) => ({ ...part, isStored: part.name.includes("shared") })));
}

function nested(levels: number): Buffer {
  let inner = zip([{ name: SHEET, data: Buffer.alloc(MEBIBYTE, "0") }]);
  for (let level = 0; level < levels; level += 1) {
    inner = zip(Array.from({ length: 16 }, (_, index) => ({ name: `${index}.zip`, data: inner })));
  }
  return inner;
}
