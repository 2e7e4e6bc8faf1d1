import { describe, expect, test } from "vitest";
import type { Cell } from "../../src/model/row.ts";
import { read, refusal } from "./reading.ts";
import { HEADER_ROW, sheetOf, workbook, workbookParts } from "./workbook-fixture.ts";
import { zip } from "./zip-writer.ts";

const ROW = '<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c></row>';
const NOTES = { name: "Notes", rows: '<row r="1"><c r="A1"><v>1</v></c></row>' };

function textCell(reference: string, text: string): string {
  return `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`;
}

describe("which sheet is read", () => {
  test("the only visible one with a header, wherever it stands", async () => {
    const { table, texts } = await read(
      workbook({ sheets: [NOTES, sheetOf(ROW), { name: "Empty", rows: "" }] }),
    );
    expect(table).toMatchObject({
      format: "xlsx",
      sheet: "Payouts",
      headerLine: 1,
      header: ["reference", "amount"],
    });
    expect(texts).toEqual([["1", "2"]]);
  });

  test("not the first of several that fit: the sender is asked", async () => {
    const sheets = [sheetOf(ROW), sheetOf(ROW, { name: "More" })];
    const problem = await refusal(read(workbook({ sheets })));
    expect(problem).toMatchObject({ code: "SHEET_AMBIGUOUS" });
    expect(problem.message).toContain("Payouts, More");
    expect((await read(workbook({ sheets }), { sheet: "more" })).table.sheet).toBe("More");
  });

  test("the one that has rows, where the others have no more than the header", async () => {
    const sheets = [sheetOf("", { name: "December" }), sheetOf(ROW), sheetOf("", { name: "Template" })];
    expect((await read(workbook({ sheets }))).table.sheet).toBe("Payouts");
    const empty = await refusal(read(workbook({ sheets: [sheetOf(""), sheetOf("", { name: "Template" })] })));
    expect(empty).toMatchObject({ code: "SHEET_AMBIGUOUS" });
  });

  test("the one with destinations, where another lists invoices, unless those go somewhere too", async () => {
    const payouts = sheetOf(ROW.replace("</row>", '<c r="C2"><v>3</v></c></row>'));
    const withAddress = {
      ...payouts,
      rows: payouts.rows.replace("</row>", `${textCell("C1", "address")}</row>`),
    };
    const hasDestination = (names: readonly string[]) => names.includes("address");
    for (const more of [{}, { state: "hidden" as const }]) {
      const sheets = [sheetOf(ROW, { name: "Invoices", ...more }), withAddress];
      expect((await read(workbook({ sheets }), { hasDestination })).table.sheet).toBe("Payouts");
      const mayBePayout = () => true;
      expect(await refusal(read(workbook({ sheets }), { hasDestination, mayBePayout }))).toMatchObject({
        code: "state" in more ? "SHEET_HIDDEN" : "SHEET_AMBIGUOUS",
      });
    }
    const alone = [sheetOf(ROW, { name: "Invoices" })];
    expect((await read(workbook({ sheets: alone }), { hasDestination })).table.sheet).toBe("Invoices");
  });

  test("the named one, or none", async () => {
    const bytes = workbook({ sheets: [NOTES, sheetOf(ROW)] });
    expect(await refusal(read(bytes, { sheet: "Notes" }))).toMatchObject({ code: "HEADER_NOT_FOUND" });
    const problem = await refusal(read(bytes, { sheet: "May" }));
    expect(problem).toMatchObject({ code: "SHEET_NOT_FOUND" });
    expect(problem.message).toContain("Notes, Payouts");
  });

  test.each(["hidden", "veryHidden"] as const)(
    "never a %s one, and not in silence if it holds payouts",
    async (state) => {
      const hidden = sheetOf(ROW, { name: "Old", state });
      expect(await refusal(read(workbook({ sheets: [sheetOf(ROW), hidden] })))).toMatchObject({
        code: "SHEET_HIDDEN",
        sheet: "Old",
      });
      expect(await refusal(read(workbook({ sheets: [hidden] }), { sheet: "Old" }))).toMatchObject({
        code: "SHEET_HIDDEN",
      });
      const lists = { ...NOTES, state };
      expect((await read(workbook({ sheets: [sheetOf(ROW), lists] }))).texts).toEqual([["1", "2"]]);
    },
  );
});

test("names the visible sheets without a header on which payouts may go on", async () => {
  const page = (name: string, text: string, state?: "hidden") => {
    const rows = `<row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>`;
    return { name, rows, ...(state === undefined ? {} : { state }) };
  };
  const sheets = [
    sheetOf(ROW),
    page("Page 2", "an address"),
    page("Notes", "call them"),
    page("List", "an address", "hidden"),
  ];
  const layout = { mayBePayout: ([first]: readonly Cell[]) => first?.text === "an address" };
  const { table } = await read(workbook({ sheets }), layout);
  expect(table.unreadSheets).toEqual(["Page 2"]);
});

test("refuses a workbook with two sheets of one name", async () => {
  const sheets = [sheetOf(ROW), { ...NOTES, name: "PAYOUTS" }];
  expect(await refusal(read(workbook({ sheets })))).toMatchObject({ code: "XLSX_MALFORMED" });
});

test("a row with a value that is struck out is none that people see as one to pay", async () => {
  const styles =
    '<fonts><font/><font><strike/></font><font><strike val="0"/></font></fonts>' +
    '<cellXfs><xf fontId="0"/><xf fontId="1"/><xf fontId="2"/></cellXfs>';
  const cells = (line: number, style: number) =>
    `<row r="${line}"><c r="A${line}" s="${style}" t="s"><v>0</v></c><c r="B${line}"><v>1</v></c></row>`;
  const rows = `${cells(2, 0)}${cells(3, 1)}${cells(4, 2)}<row r="5"><c r="A5" s="1"/><c r="B5"><v>1</v></c></row>`;
  const { problems } = await read(
    workbook({ sheets: [sheetOf(rows)], sharedStrings: "<si><t>a</t></si>", styles }),
  );
  expect(problems).toMatchObject([{ code: "ROW_STRUCK_OUT", line: 3 }]);
});

test("so is a row in which a part of a text is struck out: it would be read as if it were not", async () => {
  const rich = (run: string) => `<r><t>0.1</t></r><r><rPr>${run}</rPr><t>5</t></r>`;
  const row = (line: number, amount: string) =>
    `<row r="${line}"><c r="A${line}"><v>${line}</v></c>${amount}</row>`;
  const inline = (line: number, run: string) =>
    row(line, `<c r="B${line}" t="inlineStr"><is>${rich(run)}</is></c>`);
  const shared = (line: number, index: number) => row(line, `<c r="B${line}" t="s"><v>${index}</v></c>`);
  const withFormula = row(7, '<c r="B7" t="s"><f>A1</f><v>1</v></c>');
  const rows = [inline(2, "<b/>"), inline(3, "<strike/>"), inline(4, '<strike val="0"/>')];
  const { problems } = await read(
    workbook({
      sheets: [sheetOf(rows.join("") + shared(5, 0) + shared(6, 1) + withFormula + shared(8, 2))],
      sharedStrings: `<si>${rich("<b/>")}</si><si>${rich("<strike/>")}</si><si><t>0.15</t></si>`,
    }),
  );
  expect(problems).toMatchObject([3, 6, 7].map((line) => ({ code: "ROW_STRUCK_OUT", line })));
});

describe("what programs show differently is not read in one of the ways", () => {
  test.each([
    ["a cell with two values", '<row r="2"><c r="A2"><v>1</v><v>2</v></c></row>'],
    ["a number that is a text", '<row r="2"><c r="A2"><is><t>1</t></is></c></row>'],
    [
      "a formula's text in the place of a typed one",
      '<row r="2"><c r="A2" t="str"><is><t>1</t></is></c></row>',
    ],
    ["a typed text in the place of a formula's", '<row r="2"><c r="A2" t="inlineStr"><v>1</v></c></row>'],
    ["a cell of another row", '<row r="2"><c r="A7"><v>1</v></c></row>'],
    ["a cell of a row that ends alike", '<row r="2"><c r="A12"><v>1</v></c></row>'],
    ["two tables of rows", `${ROW}</sheetData><sheetData><row r="3"><c r="A3"><v>1</v></c></row>`],
    ["alternative rows", `<mc:AlternateContent><mc:Choice>${ROW}</mc:Choice></mc:AlternateContent>`],
    ["a row of another namespace", `<e:row xmlns:e="urn:e" r="2"><c r="A2"><v>1</v></c></e:row>`],
    ["a row in a namespace of its own", `${ROW}<row xmlns="urn:e" r="3"><c r="A3"><v>1</v></c></row>`],
    [
      "a text of another namespace",
      '<row r="2"><c r="A2" t="inlineStr"><is><e:t xmlns:e="urn:e">9</e:t><t>1</t></is></c></row>',
    ],
    ["a text beside its element", '<row r="2"><c r="A2" t="inlineStr"><is><t>0</t></is><t>.5</t></c></row>'],
    ["two texts", '<row r="2"><c r="A2" t="inlineStr"><is><t>1</t></is><is><t>9</t></is></c></row>'],
    ["an element in a value", '<row r="2"><c r="A2"><v>0.<b>1</b>5</v></c></row>'],
    ["a row in an extension", `<row r="2"><c r="A2"><extLst><ext>${ROW}</ext></extLst></c></row>`],
  ])("%s", async (_, rows) => {
    expect(await refusal(read(workbook({ sheets: [sheetOf(rows)] })))).toMatchObject({
      code: "XLSX_MALFORMED",
    });
  });

  test.each([
    [
      "sheets of an alternative",
      "xl/workbook.xml",
      "<sheets>",
      '<sheets><mc:Choice xmlns:mc="urn:c">',
      "</mc:Choice></sheets>",
    ],
    [
      "texts of another namespace",
      "xl/sharedStrings.xml",
      "<si>",
      '<e:si xmlns:e="urn:e"/><si>',
      "</sheets>",
    ],
    [
      "a text among a run's properties",
      "xl/sharedStrings.xml",
      "<si>",
      "<si><rPr><t>b</t></rPr>",
      "</sheets>",
    ],
    [
      "a text in an extension",
      "xl/sharedStrings.xml",
      "</si>",
      "<extLst><t>b</t></extLst></si>",
      "</sheets>",
    ],
    ["a shared text in another", "xl/sharedStrings.xml", "<si>", "<si><si/>", "</sheets>"],
    [
      "two workbooks",
      "_rels/.rels",
      "<Relationship ",
      '<Relationship Id="r2" Target="b.xml" Type="x/officeDocument"/><Relationship ',
      "</sheets>",
    ],
    [
      "a sheet of two ids",
      "xl/workbook.xml",
      'r:id="rId1"',
      'q:id="rId1" xmlns:q="urn:q" r:id="rId1"',
      "</sheets>",
    ],
    [
      "two parts with shared texts",
      "xl/_rels/workbook.xml.rels",
      'Id="rS"',
      'Id="r2" Target="a.xml" Type="x/sharedStrings"/><Relationship Id="rS"',
      "</sheets>",
    ],
    [
      "two parts of one id",
      "xl/_rels/workbook.xml.rels",
      'Id="rS"',
      'Id="rId1" Target="a.xml" Type="x/worksheet"/><Relationship Id="rS"',
      "</sheets>",
    ],
  ])("%s", async (_, name, from, to, close) => {
    const parts = workbookParts({ sheets: [sheetOf(ROW)], sharedStrings: "<si><t>a</t></si>" }).map((part) =>
      part.name === name
        ? { name, data: String(part.data).replace(from, to).replace("</sheets>", close) }
        : part,
    );
    expect(await refusal(read(zip(parts)))).toMatchObject({ code: "XLSX_MALFORMED" });
  });

  test("rows and columns of a button are none of the sheet", async () => {
    const after =
      "<controls><anchor><xdr:from><xdr:col>0</xdr:col><xdr:row>7</xdr:row></xdr:from></anchor>" +
      '<row r="3"><c r="A3"><v>9</v></c></row></controls>';
    expect((await read(workbook({ sheets: [sheetOf(ROW, { after })] }))).texts).toEqual([["1", "2"]]);
  });
});

describe("how workbooks differ", () => {
  test.each([
    ["strict", { isStrict: true, sheets: [sheetOf(ROW)] }],
    ["with an absolute target", { sheets: [sheetOf(ROW, { target: "/xl/sheets/payouts.xml" })] }],
    ["with parts in another case", { sheets: [sheetOf(ROW, { target: "worksheets/Sheet1.XML" })] }],
  ])("reads a workbook %s", async (_, fixture) => {
    expect((await read(workbook(fixture))).texts).toEqual([["1", "2"]]);
  });

  test("reads elements that carry a namespace prefix, and UTF-16", async () => {
    const parts = workbookParts({ sheets: [sheetOf(ROW)] }).map((part) =>
      part.name.includes("sheet1") || part.name === "xl/workbook.xml"
        ? {
            name: part.name,
            data: Buffer.from(
              `\ufeff<?xml version="1.0" encoding="UTF-16"?>${String(part.data)
                .replace(/<(\/?)(?=[a-zA-Z])/g, "<$1x:")
                .replace("xmlns=", "xmlns:x=")}`,
              "utf16le",
            ),
          }
        : part,
    );
    expect((await read(zip(parts))).texts).toEqual([["1", "2"]]);
  });

  test("reads UTF-8 that is declared as UTF-16 and ASCII that is declared as anything, and refuses other encodings by their name", async () => {
    const declared = (encoding: string, text: string) =>
      zip(
        workbookParts({ sheets: [sheetOf(ROW)] }).map((part) => ({
          name: part.name,
          data: Buffer.from(
            `<?xml version="1.0" encoding="${encoding}"?>${String(part.data).replace("<v>1</v>", `<v>1</v><!--${text}-->`)}`,
            "latin1",
          ),
        })),
      );
    for (const encoding of ["utf-16", "ISO-8859-1"])
      expect((await read(declared(encoding, "Zoe"))).texts).toEqual([["1", "2"]]);
    const problem = await refusal(read(declared("ISO-8859-1", "Zo\u00eb")));
    expect(problem).toMatchObject({ code: "XLSX_MALFORMED" });
    expect(problem.message).toContain("is written in ISO-8859-1");
  });

  test("reads the header below a title, a merged one too", async () => {
    const title = '<row r="1"><c r="A1" t="inlineStr"><is><t>Payroll</t></is></c></row>';
    const header = HEADER_ROW.replace(/r="(\w?)1"/g, 'r="$14"');
    const rows = `${title}${header}<row r="5"><c r="A5"><v>1</v></c></row>`;
    const after = '<mergeCells count="2"><mergeCell ref="A1:B3"/><mergeCell ref="A9:B9"/></mergeCells>';
    const { table, texts } = await read(workbook({ sheets: [{ name: "S", rows, after }] }));
    expect(table.headerLine).toBe(4);
    expect(texts).toEqual([["1", ""]]);
  });
});

describe("what people cannot see is not paid in silence", () => {
  test.each([
    'hidden="1"',
    'hidden="true"',
    'hidden=" 1 "',
    'hidden="on"',
    'hidden="1" outlineLevel="1" collapsed="1"',
    'ht="0" customHeight="1"',
    'ht="0.2" customHeight="1"',
  ])("a row with %s", async (attribute) => {
    const rows = `${ROW}<row r="3" ${attribute}><c r="A3"><v>3</v></c></row><row r="4" ${attribute}/>`;
    const reading = await read(workbook({ sheets: [sheetOf(rows)] }));
    expect(reading.problems).toMatchObject([{ code: "ROW_HIDDEN", row: 2, line: 3, sheet: "Payouts" }]);
    expect(reading.rows).toHaveLength(2);
  });

  test.each(['hidden="1"', 'width="0"', 'width="0.05" customWidth="1"'])(
    "a column with %s",
    async (attribute) => {
      const before = `<cols><col min="2" max="2" ${attribute}/></cols>`;
      const problem = await refusal(read(workbook({ sheets: [sheetOf(ROW, { before })] })));
      expect(problem).toMatchObject({ code: "COLUMN_HIDDEN", column: "amount" });
      const beside = `<cols><col min="3" max="16384" ${attribute}/></cols>`;
      expect((await read(workbook({ sheets: [sheetOf(ROW, { before: beside })] }))).problems).toEqual([]);
    },
  );

  test("but a hidden column that is not read is the sender's own affair", async () => {
    const before = '<cols><col min="2" max="2" hidden="1"/></cols>';
    const hidden = workbook({ sheets: [sheetOf(ROW, { before })] });
    const { rows, problems } = await read(hidden, { isRead: (name) => name !== "amount" });
    expect(problems).toEqual([]);
    expect(rows).toHaveLength(1);
    expect(await refusal(read(hidden, { isRead: (name) => name === "amount" }))).toMatchObject({
      code: "COLUMN_HIDDEN",
    });
  });

  test.each([
    "",
    '<cols><col min="1" max="1" width="9"/></cols>',
    '<cols><col min="1" max="2" style="1"/></cols>',
  ])("a column without a width, where the sheet hides those: %s", async (columns) => {
    const before = `<sheetFormatPr defaultColWidth="0" defaultRowHeight="15"/>${columns}`;
    const problem = await refusal(read(workbook({ sheets: [sheetOf(ROW, { before })] })));
    expect(problem).toMatchObject({ code: "COLUMN_HIDDEN" });
    const shown = '<sheetFormatPr defaultColWidth="0"/><cols><col min="1" max="2" width="9"/></cols>';
    const { problems } = await read(workbook({ sheets: [sheetOf(ROW, { before: shown })] }));
    expect(problems).toEqual([]);
  });

  test("but a row with data is shown where only the empty ones are hidden", async () => {
    const before = '<sheetFormatPr defaultRowHeight="15" zeroHeight="1"/>';
    expect((await read(workbook({ sheets: [sheetOf(ROW, { before })] }))).problems).toEqual([]);
  });

  test.each(["A2:A3", "B1:B2", "A2:B2", "B3:A2"])("merged cells %s", async (range) => {
    const after = `<mergeCells count="1"><mergeCell ref="${range}"/></mergeCells>`;
    const rows = `${ROW}<row r="3"><c r="A3"><v>3</v></c></row>`;
    expect(await refusal(read(workbook({ sheets: [sheetOf(rows, { after })] })))).toMatchObject({
      code: "CELLS_MERGED",
    });
    const before = after;
    expect(await refusal(read(workbook({ sheets: [sheetOf(rows, { before })] })))).toMatchObject({
      code: "CELLS_MERGED",
    });
  });

  test.each(["A:B", "a2:a3", "$A$2:$A$3", ""])("merged cells %j, which are no plain range", async (range) => {
    const after = `<mergeCells><mergeCell ref="${range}"/></mergeCells>`;
    expect(await refusal(read(workbook({ sheets: [sheetOf(ROW, { after })] })))).toMatchObject({
      code: "CELLS_MERGED",
    });
  });

  test("merged cells far below, in the last rows of a long sheet", async () => {
    const rows = Array.from(
      { length: 5000 },
      (_, index) => `<row r="${index + 2}"><c r="A${index + 2}"><v>1</v></c></row>`,
    );
    const after = '<mergeCells count="1"><mergeCell ref="A5000:A5001"/></mergeCells>';
    const problem = await refusal(read(workbook({ sheets: [sheetOf(rows.join(""), { after })] })));
    expect(problem).toMatchObject({ code: "CELLS_MERGED", cell: "A5000", line: 5000 });
  });
});
