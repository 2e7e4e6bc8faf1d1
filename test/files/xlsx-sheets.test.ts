import { describe, expect, test } from "vitest";
import { type Cell, resultOf } from "../../src/model/grid.ts";
import { read, refusal, secondCell } from "./reading.ts";
import { HEADER_ROW, sheetOf, workbook, workbookParts } from "./workbook-fixture.ts";
import { zip } from "./zip-writer.ts";

const ROW = '<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c></row>';
const NOTES = { name: "Notes", rows: '<row r="1"><c r="A1"><v>1</v></c></row>' };

test("begins each sheet, hidden or not, so that one can be chosen", async () => {
  const { sheets } = await read(
    workbook({
      sheets: [
        NOTES,
        sheetOf(ROW),
        sheetOf(ROW, { name: "Old", state: "veryHidden" }),
        { name: "Empty", rows: "" },
      ],
    }),
  );
  expect(sheets.map(({ name, visibility, lines }) => [name, visibility, lines.length])).toEqual([
    ["Notes", "visible", 1],
    ["Payouts", "visible", 2],
    ["Old", "very hidden", 2],
    ["Empty", "visible", 0],
  ]);
});

test("refuses a workbook with two sheets of one name", async () => {
  const sheets = [sheetOf(ROW), { ...NOTES, name: "PAYOUTS" }];
  expect(await refusal(read(workbook({ sheets })))).toMatchObject({ code: "XLSX_MALFORMED" });
});

describe("a cell does not show what it holds", () => {
  const flawOf = (cell: Cell | undefined) =>
    typeof cell === "object" && "flaw" in cell ? cell.flaw : undefined;

  test("where its style strikes it out", async () => {
    const styles =
      '<fonts><font/><font><strike/></font><font><strike val="0"/></font></fonts>' +
      '<cellXfs><xf fontId="0"/><xf fontId="1"/><xf fontId="2"/></cellXfs>';
    const cells = (line: number, style: number) =>
      `<row r="${line}"><c r="A${line}" s="${style}" t="s"><v>0</v></c><c r="B${line}" s="${style}"><v>1</v></c></row>`;
    const { rows } = await read(
      workbook({
        sheets: [sheetOf(cells(2, 0) + cells(3, 1) + cells(4, 2))],
        sharedStrings: "<si><t>a</t></si>",
        styles,
      }),
    );
    const struck = "struck out";
    expect(rows.map(({ cells }) => cells.map(flawOf))).toEqual([
      [undefined, undefined],
      [struck, struck],
      [undefined, undefined],
    ]);
  });

  const rich = (run: string, behind = "5") => `<r><t>0.1</t></r><r><rPr>${run}</rPr><t>${behind}</t></r>`;
  test.each([
    ["<b/>", undefined],
    ['<color rgb="FFFFFFFF"/>', undefined],
    ['<strike val="0"/>', undefined],
    ['<vertAlign val="baseline"/>', undefined],
    ["<strike/>", "in parts"],
    ['<vertAlign val="superscript"/>', "in parts"],
    ['<vertAlign val="subscript"/>', "in parts"],
  ])("where a part of its text has %s: %s", async (run, flaw) => {
    const cells = [
      `<c r="B2" t="inlineStr"><is>${rich(run)}</is></c>`,
      '<c r="B2" t="s"><v>0</v></c>',
      '<c r="B2" t="s"><f>A1</f><v>0</v></c>',
    ];
    for (const cell of cells) {
      const row = `<row r="2"><c r="A2"><v>2</v></c>${cell}</row>`;
      const bytes = workbook({ sheets: [sheetOf(row)], sharedStrings: `<si>${rich(run)}</si>` });
      const found = resultOf(secondCell(await read(bytes)) ?? "");
      const parts = { kind: "text", text: "0.15", flaw: "in parts", parts: ["0.1", "5"] };
      expect(found).toEqual(flaw === undefined ? "0.15" : parts);
    }
  });

  test("not where only white space is struck out, and wholly where all of its parts are", async () => {
    const of = async (text: string) =>
      secondCell(
        await read(
          workbook({
            sheets: [sheetOf('<row r="2"><c r="A2"><v>2</v></c><c r="B2" t="s"><v>0</v></c></row>')],
            sharedStrings: `<si>${text}</si>`,
          }),
        ),
      );
    expect(await of(rich("<strike/>", " "))).toBe("0.1 ");
    const all = "<r><rPr><strike/></rPr><t>0.1</t></r>";
    expect(await of(all)).toEqual({ kind: "text", text: "0.1", flaw: "struck out" });
  });

  test.each([
    ["A2:A3", ["A2", "A3"]],
    ["B3:A2", ["A2", "B2", "A3", "B3"]],
    ["$A$2:$B$2", ["A2", "B2"]],
    ["A2:XFD1048576", ["A2", "B2", "A3", "B3"]],
    ["A:B", []],
    ["", []],
  ])("where it lies in the merged range %j", async (range, expected) => {
    const mergeCells = `<mergeCells count="1"><mergeCell ref="${range}"/></mergeCells>`;
    const rows = `${ROW}<row r="3"><c r="A3"><v>3</v></c><c r="B3"><v>3</v></c></row>`;
    for (const place of ["before", "after"] as const) {
      const reading = await read(workbook({ sheets: [sheetOf(rows, { [place]: mergeCells })] }));
      const merged = reading.rows.flatMap(({ line, cells }) =>
        cells.flatMap((cell, at) => (at < 2 && flawOf(cell) === "merged" ? `${"AB"[at]}${line}` : [])),
      );
      expect(merged).toEqual(expected);
    }
  });
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
    const { grid, texts } = await read(workbook({ sheets: [{ name: "S", rows, after }] }));
    expect(grid.lines.map(({ line }) => line)).toEqual([1, 4, 5]);
    expect(texts).toEqual([["1", ""]]);
  });
});

describe("rows and columns that people cannot see are known", () => {
  test.each([
    'hidden="1"',
    'hidden="true"',
    'hidden=" 1 "',
    'hidden="on"',
    'hidden="1" outlineLevel="1" collapsed="1"',
    'ht="0" customHeight="1"',
    'ht="2.5" customHeight="1"',
  ])("a row with %s", async (attribute) => {
    const rows = `${ROW}<row r="3" ${attribute}><c r="A3"><v>3</v></c></row><row r="4" ${attribute}/>`;
    const reading = await read(workbook({ sheets: [sheetOf(rows)] }));
    expect(reading.rows.map(({ isHidden }) => isHidden)).toEqual([undefined, true]);
  });

  test.each([
    [
      "zeroHeight, which hides only rows that the sheet does not list",
      'defaultRowHeight="15" zeroHeight="1"',
      undefined,
    ],
    ["a default height with no room for a letter", 'defaultRowHeight="2" customHeight="1"', true],
    ["one that is adapted to the letters", 'defaultRowHeight="2"', undefined],
  ])("rows without a height under %s", async (_, format, isHidden) => {
    const rows = '<row r="2"><c r="A2"><v>1</v></c></row><row r="3" ht="15"><c r="A3"><v>1</v></c></row>';
    const bytes = workbook({ sheets: [sheetOf(rows, { before: `<sheetFormatPr ${format}/>` })] });
    expect((await read(bytes)).rows.map((row) => row.isHidden)).toEqual([isHidden, undefined]);
  });

  test.each([
    ['<cols><col min="2" max="2" hidden="1"/></cols>', [1]],
    ['<cols><col min="2" max="2" width="0"/></cols>', [1]],
    ['<cols><col min="2" max="2" width="0.4" customWidth="1"/></cols>', [1]],
    ['<cols><col min="1" max="2" width="9"/></cols>', []],
    ['<sheetFormatPr defaultColWidth="0"/>', [0, 1]],
    ['<sheetFormatPr defaultColWidth="0"/><cols><col min="1" max="2" style="1"/></cols>', [0, 1]],
    ['<sheetFormatPr defaultColWidth="0"/><cols><col min="1" max="1" width="9"/></cols>', [1]],
  ])("columns: %s", async (before, expected) => {
    const { grid } = await read(workbook({ sheets: [sheetOf(ROW, { before })] }));
    expect([0, 1].filter((column) => grid.hiddenColumns.has(column))).toEqual(expected);
  });
});

test("what stands outside the cells is listed, and a key there refuses the workbook", async () => {
  const key = "L5EZftvrYaSudiozVRzTqLcHLNDoVn7H5HSfM9BAN6tMJX8oTWz6";
  const footer = "<headerFooter><oddFooter>&amp;LPage &amp;P of May</oddFooter></headerFooter>";
  const { grid } = await read(workbook({ sheets: [sheetOf(ROW, { after: footer })] }));
  expect(grid.outside).toEqual([
    { place: "the page's header or footer", text: expect.stringContaining("of May") },
  ]);
  const rule =
    '<extLst><ext><x14:conditionalFormattings xmlns:x14="urn:x"><x14:conditionalFormatting><x14:cfRule>' +
    "<x14:dxf><font><strike/></font></x14:dxf></x14:cfRule></x14:conditionalFormatting>" +
    "</x14:conditionalFormattings></ext></extLst>";
  const { grid: ruled } = await read(workbook({ sheets: [sheetOf(ROW, { after: rule })] }));
  expect(ruled.outside).toEqual([
    { place: "the conditional format of some cells", text: "strikes out cells" },
  ]);
  for (const after of [
    footer.replace("May", key),
    `<hyperlinks><hyperlink ref="A2" tooltip="${key}"/></hyperlinks>`,
  ])
    expect(await refusal(read(workbook({ sheets: [sheetOf(ROW, { after })] })))).toMatchObject({
      code: "VALUE_IS_SECRET",
    });
});
