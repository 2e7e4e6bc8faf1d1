import { mkdirSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { fileOf, read, readPath, refusal } from "./reading.ts";
import { HEADER_ROW, sheetOf, workbook, workbookParts } from "./workbook-fixture.ts";
import { type ZipPart, zip } from "./zip-writer.ts";

const ROW = '<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c></row>';
const FIXTURE = { sheets: [sheetOf(ROW)] };
const SHEET = "xl/worksheets/sheet1.xml";

/** A sound workbook with one part changed. */
function withSheetPart(change: Partial<ZipPart>): Buffer {
  return zip(workbookParts(FIXTURE).map((part) => (part.name === SHEET ? { ...part, ...change } : part)));
}

test("reads the sound workbook that the others are made from", async () => {
  expect((await read(withSheetPart({}))).texts).toEqual([["1", "2"]]);
  expect((await read(withSheetPart({ isStored: true }))).texts).toEqual([["1", "2"]]);
});

describe("files of other formats are refused by what they are, whatever their name", () => {
  const ole = (stream: string) =>
    Buffer.concat([
      Buffer.from("d0cf11e0a1b11ae1", "hex"),
      Buffer.alloc(70_000),
      Buffer.from(`${stream}\0`, "utf16le"),
      Buffer.alloc(100),
    ]);
  test.each([
    ["an .xls", ole("Workbook"), "Excel workbook of 97-2003"],
    ["a .doc", ole("WordDocument"), "Word document"],
    [
      "an .ods",
      zip([{ name: "mimetype", data: "application/vnd.oasis.opendocument.spreadsheet", isStored: true }]),
      ".ods",
    ],
    ["an .xlsb", zip([{ name: "xl/workbook.bin", data: "x" }]), ".xlsb"],
    ["a .docx", zip([{ name: "word/document.xml", data: "<a/>" }]), "Word document"],
    [
      "a zip of files",
      zip([{ name: "payouts.csv", data: "reference,amount" }]),
      "zip archive without a workbook",
    ],
    ["a PDF", Buffer.from("%PDF-1.7\n"), "PDF"],
    ["a gzip", gzipSync("reference,amount\n"), "gzip"],
    ["a bzip2", Buffer.from("BZh91AY&SY\xd1", "latin1"), "bzip2"],
    ["a web page", Buffer.from("\ufeff \n<html><table><tr><td>reference"), "web page"],
    ["an XML spreadsheet", Buffer.from('<?xml version="1.0"?><Workbook/>'), "XML"],
  ])("%s", async (_, bytes, found) => {
    const problem = await refusal(read(bytes));
    expect(problem).toMatchObject({ code: "FILE_FORMAT_UNKNOWN" });
    expect(problem.message).toContain(found);
  });

  test.each(["BZh Bank AG", "Rar! 2026"])("but no text that begins like one: %s", async (title) => {
    expect((await read(Buffer.from(`${title},\nreference,amount\nINV-1,1\n`))).texts).toEqual([
      ["INV-1", "1"],
    ]);
  });

  test("an encrypted workbook, which is told apart from one of another format", async () => {
    const problem = await refusal(read(ole("EncryptedPackage")));
    expect(problem).toMatchObject({ code: "FILE_ENCRYPTED", fix: expect.stringContaining("password") });
  });

  test("a workbook with macros, unless the configuration lets it be read", async () => {
    const types =
      '<Types><Override PartName="/xl/workbook.xml" ContentType="application/vnd.ms-excel.sheet.macroEnabled.main+xml"/></Types>';
    for (const part of [
      { name: "[Content_Types].xml", data: types },
      { name: "xl/vbaProject.bin", data: "x" },
    ]) {
      const bytes = workbook({ ...FIXTURE, parts: [part] });
      expect(await refusal(read(bytes))).toMatchObject({ code: "WORKBOOK_HAS_MACROS" });
      expect((await read(bytes, { macros: "read" })).texts).toEqual([["1", "2"]]);
    }
  });

  test("but not by the types of parts that are not there, which some programs list in every workbook", async () => {
    const types =
      '<Types><Default Extension="xml" ContentType="application/xml"/>' +
      '<Default Extension="bin" ContentType="application/vnd.ms-excel.sheet.binary.macroEnabled.main"/>' +
      '<Override PartName="/xl/vbaProject.xml" ContentType="application/vnd.ms-office.vbaProject"/></Types>';
    const parts = [{ name: "[Content_Types].xml", data: types }];
    expect((await read(workbook({ ...FIXTURE, parts }))).texts).toEqual([["1", "2"]]);
    const withBin = [...parts, { name: "xl/book.BIN", data: "x" }];
    expect(await refusal(read(workbook({ ...FIXTURE, parts: withBin })))).toMatchObject({
      code: "FILE_FORMAT_UNKNOWN",
    });
  });

  test("what is no file", async () => {
    const path = fileOf("");
    expect(await refusal(readPath(`${path}.not-there`))).toMatchObject({ code: "FILE_NOT_FOUND" });
    expect(await refusal(readPath(`${path}/below`))).toMatchObject({ code: "FILE_NOT_FOUND" });
    mkdirSync(`${path}.folder`);
    expect(await refusal(readPath(`${path}.folder`))).toMatchObject({ code: "FILE_IS_FOLDER" });
    expect(await refusal(readPath("/dev/null"))).toMatchObject({ code: "FILE_UNREADABLE" });
  });
});

describe("damaged archives", () => {
  const whole = workbook(FIXTURE);
  test.each([0.2, 0.5, 0.9, 0.99])("cut off at %d of its length", async (share) => {
    const problem = await refusal(read(whole.subarray(0, Math.floor(whole.length * share))));
    expect(problem).toMatchObject({ code: "XLSX_MALFORMED" });
  });

  test.each([
    ["a wrong checksum", { declaredCrc: 1 }, "XLSX_MALFORMED"],
    ["more bytes than declared", { declaredBytes: 100 }, "XLSX_MALFORMED"],
    ["fewer bytes than declared", { declaredBytes: 10_000 }, "XLSX_MALFORMED"],
    ["XML that is not closed", { data: "<worksheet><sheetData>" }, "XLSX_MALFORMED"],
    [
      "bytes that are no UTF-8",
      { data: Buffer.from("<worksheet>\xff</worksheet>", "latin1") },
      "XLSX_MALFORMED",
    ],
    ["an encrypted part", { flags: 1 }, "FILE_ENCRYPTED"],
    ["another compression", { method: 12 }, "XLSX_REFUSED"],
    ["two names for one part", { localName: "xl/worksheets/sheet2.xml" }, "XLSX_REFUSED"],
    [
      "a document type",
      { data: '<!DOCTYPE x [<!ENTITY a "aaaa">]><worksheet>&a;</worksheet>' },
      "XLSX_REFUSED",
    ],
    ["an entity of its own", { data: "<worksheet>&payload;</worksheet>" }, "XLSX_MALFORMED"],
    ["elements a thousand deep", { data: "<a>".repeat(1000) }, "XLSX_REFUSED"],
    ["a comment without end", { data: `<a><!--${"x".repeat(3_000_000)}`, isStored: true }, "XLSX_REFUSED"],
    [
      "a cell without end",
      {
        data: `<worksheet><sheetData><row><c t="inlineStr"><is>${"<t>0123456789</t>".repeat(200_000)}`,
        isStored: true,
      },
      "XLSX_REFUSED",
    ],
  ] as const)("with %s", async (_, change, code) => {
    expect(await refusal(read(withSheetPart(change)))).toMatchObject({ code });
  });

  test.each([
    ["the same part twice", { name: "XL/worksheets/SHEET1.xml", data: "<a/>" }, "XLSX_REFUSED"],
    ["a path out of the archive", { name: "../../etc/passwd", data: "x" }, "XLSX_MALFORMED"],
    ["an absolute path", { name: "/etc/passwd", data: "x" }, "XLSX_MALFORMED"],
  ] as const)("with %s", async (_, part, code) => {
    expect(await refusal(read(zip([...workbookParts(FIXTURE), part])))).toMatchObject({ code });
  });

  test("that holds another one, which some programs show instead: before it, or in its comment", async () => {
    const data = String(workbookParts(FIXTURE).find(({ name }) => name === SHEET)?.data);
    // As long as the other, so that the offsets of its directory fit.
    const [one, other] = ["<v>2", "<v>9"].map((value) =>
      withSheetPart({ data: data.replace("<v>2", value), isStored: true }),
    ) as [Buffer, Buffer];
    const withComment = (comment: Buffer) => {
      const bytes = Buffer.concat([one, comment]);
      bytes.writeUInt16LE(comment.length, one.length - 2);
      return bytes;
    };
    for (const bytes of [Buffer.concat([other, one]), withComment(other)])
      expect(await refusal(read(bytes))).toMatchObject({ code: "XLSX_REFUSED" });
    for (const bytes of [withComment(Buffer.from("by hand")), zip(workbookParts(FIXTURE), { isZip64: true })])
      expect((await read(bytes)).texts).toEqual([["1", "2"]]);
  });

  test("with a sheet that is not there, or lies elsewhere", async () => {
    const parts = workbookParts(FIXTURE);
    const without = zip(parts.filter(({ name }) => name !== SHEET));
    expect(await refusal(read(without))).toMatchObject({ code: "XLSX_MALFORMED" });
    const elsewhere = parts.map((part) => ({
      ...part,
      data: String(part.data).replace(
        'Target="worksheets/sheet1.xml"',
        'Target="http://x.example/s.xml" TargetMode="External"',
      ),
    }));
    expect(await refusal(read(zip(elsewhere)))).toMatchObject({ code: "XLSX_REFUSED" });
  });
});

describe("files that lie about their size", () => {
  const spaces = Buffer.alloc(8 * 1024 * 1024, " ");

  test("a part that unpacks to a thousand times its size", async () => {
    const problem = await refusal(read(withSheetPart({ data: spaces })));
    expect(problem).toMatchObject({ code: "XLSX_REFUSED" });
    expect(problem.message).toContain("times its size");
  });

  test("one that declares little and inflates to much more", async () => {
    const bytes = withSheetPart({
      data: Buffer.concat([Buffer.from("<worksheet>"), spaces]),
      declaredBytes: 900_000,
    });
    expect(await refusal(read(bytes))).toMatchObject({ code: "XLSX_MALFORMED" });
  });

  test("one that declares a gigabyte", async () => {
    expect(await refusal(read(withSheetPart({ declaredBytes: 1024 ** 3 })))).toMatchObject({
      code: "FILE_TOO_LARGE",
    });
  });

  test("a sheet of forty megabytes without a value", async () => {
    const row = `<row>${`<c s='1'${" ".repeat(90)}/>`.repeat(16_384)}</row>`;
    const bytes = withSheetPart({
      data: `<worksheet><sheetData>${HEADER_ROW}${row.repeat(25)}`,
      isStored: true,
    });
    const problem = await refusal(read(bytes));
    expect(problem).toMatchObject({ code: "XLSX_REFUSED" });
    expect(problem.message).toContain("hardly any value");
  });

  test("rows that all end in the last column take no more memory than the limit of columns", async () => {
    const lines = Array.from({ length: 2_000 }, (_, index) => {
      const line = index + 2;
      return `<row r="${line}"><c r="XFD${line}"><v>1</v></c></row>`;
    });
    const wide = sheetOf(lines.join(""));
    const problem = await refusal(read(workbook({ sheets: [wide] })));
    expect(problem).toMatchObject({ code: "FILE_TOO_LARGE", sheet: "Payouts", line: 2 });
    expect(problem.message).toContain("columns");
    const notes = { ...wide, name: "Notes", rows: lines.join("") };
    expect((await read(workbook({ sheets: [notes, sheetOf(ROW)] }))).texts).toEqual([["1", "2"]]);
  });

  test("a thousand lines more than the limit of rows, so that titles and notes do not count", async () => {
    const lines = (count: number) =>
      sheetOf(
        Array.from(
          { length: count },
          (_, at) => `<row r="${at + 2}"><c r="A${at + 2}"><v>1</v></c></row>`,
        ).join(""),
      );
    const problem = await refusal(read(workbook({ sheets: [lines(1_010)] }), { rowsMax: 10 }));
    expect(problem).toMatchObject({ code: "FILE_TOO_LARGE", sheet: "Payouts", line: 1011 });
    expect((await read(workbook({ sheets: [lines(1_009)] }), { rowsMax: 10 })).rows).toHaveLength(1_009);
  });

  test("numbers of a million digits, which are none", async () => {
    const digits = "1".repeat(1_000_000);
    for (const text of [digits, `${digits}x`]) {
      const bytes = withSheetPart({
        data: `<worksheet><sheetData>${HEADER_ROW}<row><c><v>1</v></c><c><v>${text}</v></c></row></sheetData></worksheet>`,
        isStored: true,
      });
      const { rows } = await read(bytes);
      expect(rows[0]?.cells[1]).toMatchObject({ kind: "error" });
    }
  });

  test("relations to more parts than an archive may have", async () => {
    const each = Array.from({ length: 3_000 }, (_, index) => `<Relationship Id="a${index}" Target="b"/>`);
    const relations = `<Relationships>${each.join("")}</Relationships>`;
    const bytes = workbook({ ...FIXTURE, parts: [{ name: "xl/_rels/workbook.xml.rels", data: relations }] });
    expect(await refusal(read(bytes))).toMatchObject({ code: "XLSX_REFUSED" });
  });

  test("more merged cells than anybody makes, which would wait in memory for the last row", async () => {
    const cells = Array.from({ length: 10_001 }, (_, index) => `<mergeCell ref="X${index}:Y${index}"/>`);
    const sheet = sheetOf(ROW, { after: `<mergeCells>${cells.join("")}</mergeCells>` });
    const problem = await refusal(read(workbook({ sheets: [sheet] })));
    expect(problem).toMatchObject({ code: "XLSX_REFUSED" });
    expect(problem.message).toContain("more than 10000 merged ranges");
  });

  test("widths of more columns than a sheet has", async () => {
    const columns = '<col min="1" max="1" width="9"/>'.repeat(20_000);
    const bytes = workbook({ sheets: [sheetOf(ROW, { before: `<cols>${columns}</cols>` })] });
    expect(await refusal(read(bytes))).toMatchObject({ code: "XLSX_MALFORMED" });
  });

  test("a million columns", async () => {
    const cells = "<c/>".repeat(1_000_000);
    const bytes = withSheetPart({
      data: `<worksheet><sheetData>${HEADER_ROW}<row>${cells}</row></sheetData></worksheet>`,
      isStored: true,
    });
    expect(await refusal(read(bytes))).toMatchObject({ code: "XLSX_MALFORMED" });
  });

  test.each([
    ["parts", { zipEntriesMax: 3 }, "XLSX_REFUSED"],
    ["bytes when unpacked", { inflatedBytesMax: 500 }, "FILE_TOO_LARGE"],
    ["shared texts", { sharedStringsBytesMax: 10 }, "FILE_TOO_LARGE"],
    ["bytes in a small part", { smallPartBytesMax: 200 }, "FILE_TOO_LARGE"],
    ["columns", { columnsMax: 1 }, "FILE_TOO_LARGE"],
    ["levels", { xmlDepthMax: 4 }, "XLSX_REFUSED"],
  ] as const)("more %s than the limit", async (_, limits, code) => {
    const sheets = [sheetOf(`${ROW}<row r="3"><c r="A3"><v>1</v></c></row>`)];
    const bytes = workbook({ sheets, sharedStrings: "<si><t>text</t></si>" });
    expect(await refusal(read(bytes, limits))).toMatchObject({ code });
    expect((await read(bytes)).rows).toHaveLength(2);
  });
});
