import { describe, expect, test } from "vitest";
import type { Cell } from "../../src/model/grid.ts";
import { read, refusal, secondCell } from "./reading.ts";
import { HEADER_ROW, sheetOf, type WorkbookFixture, workbook, workbookParts } from "./workbook-fixture.ts";
import { zip } from "./zip-writer.ts";

/** The second cell of the only row; the first cell is a reference. Without the code of its number format. */
async function cell(xml: string, more: Partial<WorkbookFixture> = {}): Promise<Cell | null> {
  const row = `<row r="2"><c r="A2" t="inlineStr"><is><t>R1</t></is></c>${xml}</row>`;
  const found = secondCell(await read(workbook({ sheets: [sheetOf(row)], ...more })));
  return JSON.parse(JSON.stringify(found ?? null, (name, value) => (name === "format" ? undefined : value)));
}

/** The same rows in a workbook that asks to be recalculated. */
function readCalculatedAnew(rows: string): ReturnType<typeof read> {
  const parts = workbookParts({ sheets: [sheetOf(rows)] }).map((part) => ({
    ...part,
    data: String(part.data).replace("</workbook>", '<calcPr fullCalcOnLoad="1"/></workbook>'),
  }));
  return read(zip(parts));
}

describe("texts", () => {
  const sharedStrings =
    "<si><t>plain</t></si>" +
    '<si><r><rPr><b/></rPr><t xml:space="preserve">rich </t></r><r><t>text</t></r></si>' +
    '<si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/></si>' +
    "<si/>" +
    "<si><t>a_x000D_b_x005F_x000D_c_x0000_</t></si>" +
    '<si><t xml:space="preserve">  </t></si>' +
    "<si><t>&lt;&amp;&#x20AC;<![CDATA[<x>]]></t></si>";

  test.each([
    [0, "plain"],
    [1, "rich text"],
    [2, "東京"],
    [4, "a\rb_x000D_c_x0000_"],
    [6, "<&€<x>"],
  ])("reads shared text %i", async (index, text) => {
    expect(await cell(`<c r="B2" t="s"><v>${index}</v></c>`, { sharedStrings })).toBe(text);
  });

  test.each([3, 5])("takes shared text %i, which shows nothing, for empty", async (index) => {
    expect(await cell(`<c r="B2" t="s"><v>${index}</v></c>`, { sharedStrings })).toBeNull();
  });

  test.each([["7"], ["-1"], ["x"], ["1e0"]])(
    "fails the file when shared text %s does not exist",
    async (index) => {
      const row = `<row r="2"><c r="B2" t="s"><v>${index}</v></c></row>`;
      const problem = await refusal(read(workbook({ sheets: [sheetOf(row)], sharedStrings })));
      expect(problem).toMatchObject({ code: "XLSX_MALFORMED" });
      expect(problem.message).toContain("B2");
    },
  );

  test("reads inline texts, rich ones too", async () => {
    const xml =
      '<c r="B2" t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r><rPh sb="0" eb="1"><t>x</t></rPh></is></c>';
    expect(await cell(xml)).toBe("ab");
  });
});

describe("numbers", () => {
  test.each([
    "1",
    "-0.5",
    "0.30000000000000004",
    "1.0000000000000001E-5",
    "12345678901234567890",
    "1E+2",
    "0.10",
  ])("keeps the digits of %s as the file has them", async (text) => {
    expect(await cell(`<c r="B2"><v>${text}</v></c>`)).toEqual({ kind: "number", text });
    expect(await cell(`<c r="B2" t="n" s="7"><v> ${text}\n</v></c>`)).toEqual({ kind: "number", text });
  });

  test.each([
    ["007", "7"],
    ["-00.50", "-0.50"],
    ["0000", "0"],
  ])("reads %s, as a program wrote what was typed, as the %s that everybody sees", async (written, text) => {
    expect(await cell(`<c r="B2"><v>${written}</v></c>`)).toEqual({ kind: "number", text });
  });

  test.each(["NaN", "INF", "1,5", "0x10"])("shows %s as an error, not as a number", async (text) => {
    expect(await cell(`<c r="B2"><v>${text}</v></c>`)).toEqual({ kind: "error", text });
  });
});

describe("dates", () => {
  const styles =
    '<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="0.00 &quot;days&quot;"/></numFmts>' +
    '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="49"/></cellXfs>';

  test.each([
    [0, "number", "45992.5"],
    [1, "date", "2025-12-01T12:00:00"],
    [2, "date", "2025-12-01T12:00:00"],
    [3, "date", "2025-12-01T12:00:00"],
    [5, "number", "45992.5"],
    [99, "number", "45992.5"],
  ])("knows by style %i that 45992.5 is a %s", async (style, kind, text) => {
    expect(await cell(`<c r="B2" s="${style}"><v>45992.5</v></c>`, { styles })).toEqual({ kind, text });
  });

  test("knows the unit that a format shows beside a number; a format of another element is none of a cell", async () => {
    const number = { kind: "number", text: "45992.5", unit: "days" };
    const more = { styles: `<dxfs><dxf><numFmt numFmtId="165" formatCode="d"/></dxf></dxfs>${styles}` };
    expect(await cell('<c r="B2" s="4"><v>45992.5</v></c>', more)).toEqual(number);
    const padded = { styles: styles.replace('<xf numFmtId="165"/>', '<xf numFmtId="0165"/>') };
    expect(await cell('<c r="B2" s="4"><v>45992.5</v></c>', padded)).toEqual(number);
    expect(await cell('<c r="B2" s="4"><f>A2</f><v>45992.5</v></c>', more)).toEqual({
      kind: "formula",
      value: number,
    });
  });

  test.each([
    ["mmm yyyy", "shown otherwise"],
    [";yyyy-mm-dd", "shown otherwise"],
    ["d/m/yy", undefined],
  ])("knows of the format %s whether it shows the day", async (format, flaw) => {
    const styles = `<numFmts><numFmt numFmtId="164" formatCode="${format}"/></numFmts><cellXfs><xf/><xf numFmtId="164"/></cellXfs>`;
    const day = { kind: "date", text: "2025-12-01", ...(flaw === undefined ? {} : { flaw }) };
    expect(await cell('<c r="B2" s="1"><v>45992</v></c>', { styles })).toEqual(day);
  });

  test("keeps the zeros that a format shows before a whole number", async () => {
    const zeros =
      '<numFmts><numFmt numFmtId="164" formatCode="00000"/></numFmts><cellXfs><xf/><xf numFmtId="164"/></cellXfs>';
    const read = (value: string) => cell(`<c r="B2" s="1"><v>${value}</v></c>`, { styles: zeros });
    expect(await read("42")).toEqual({ kind: "number", text: "00042" });
    expect(await read("42.0")).toEqual({ kind: "number", text: "00042" });
    expect(await read("4.2E1")).toEqual({ kind: "number", text: "00042" });
    expect(await read("1234567")).toEqual({ kind: "number", text: "1234567" });
    expect(await read("4.2")).toEqual({ kind: "number", text: "4.2", decimals: 0 });
  });

  test.each<[format: string, value: string, decimals?: number]>([
    ["0.00", "0.12"],
    ["0.00", "12", 2],
    ["0.00", "12.0", 2],
    ["0", "12"],
    ["0", "1.2E1"],
    ["#,##0", "999"],
    ["#,##0", "1000", 0],
    ["0.00", "0.124", 2],
    ["0.00", "1.24E-1", 2],
    ["0.00", "0.30000000000000004", 2],
    ["General", "0.123456789"],
  ])("knows of the format %s how many decimals of %s it shows", async (format, value, decimals) => {
    const styles = `<numFmts><numFmt numFmtId="164" formatCode="${format}"/></numFmts><cellXfs><xf/><xf numFmtId="164"/></cellXfs>`;
    const number = { kind: "number", text: value, ...(decimals === undefined ? {} : { decimals }) };
    expect(await cell(`<c r="B2" s="1"><v>${value}</v></c>`, { styles })).toEqual(number);
    expect(await cell(`<c r="B2" s="1"><f>A1</f><v>${value}</v></c>`, { styles })).toMatchObject({
      value: number,
    });
  });

  test.each(["0000 0000", "0.00E+00", "0.00,", "-0.00"])(
    "knows that the format %s is no plain one",
    async (format) => {
      const styles = `<numFmts><numFmt numFmtId="164" formatCode="${format}"/></numFmts><cellXfs><xf/><xf numFmtId="164"/></cellXfs>`;
      const number = { kind: "number", text: "12", flaw: "shown otherwise" };
      expect(await cell('<c r="B2" s="1"><v>12</v></c>', { styles })).toEqual(number);
    },
  );

  test.each([
    ['<c r="B2" t="s" s="1"><v>0</v></c>'],
    ['<c r="B2" t="inlineStr" s="1"><is><t>bc1</t></is></c>'],
    ['<c r="B2" s="1" t="str"><v>bc1</v></c>'],
  ])("knows that a format shows another text than the cell %s holds", async (xml) => {
    const fixture = {
      sharedStrings: "<si><t>bc1</t></si>",
      styles:
        '<numFmts><numFmt numFmtId="164" formatCode="0;0;0;&quot;bc2&quot;"/></numFmts><cellXfs><xf/><xf numFmtId="164"/></cellXfs>',
    };
    expect(await cell(xml, fixture)).toEqual({ kind: "text", text: "bc1", flaw: "shown otherwise" });
    expect(await cell(xml.replace('s="1"', 's="0"'), fixture)).toBe("bc1");
  });

  test("refuses a number format that is longer than any program takes, before its patterns take time", async () => {
    const endless = `<numFmts><numFmt numFmtId="164" formatCode="${"[".repeat(900_000)}"/></numFmts>`;
    const problem = await refusal(read(workbook({ sheets: [sheetOf("")], styles: endless })));
    expect(problem).toMatchObject({ code: "XLSX_MALFORMED", message: expect.stringContaining("900000") });
  });

  test("counts from 1904 where the workbook says so", async () => {
    const more = { styles, workbookProperties: 'date1904="1"' };
    expect(await cell('<c r="B2" s="1"><v>44530</v></c>', more)).toEqual({
      kind: "date",
      text: "2025-12-01",
    });
  });

  test.each([
    ["2025-12-01", "date", "2025-12-01"],
    ["2025-12-01T00:00:00.000", "date", "2025-12-01"],
    ["2025-12-01T10:30Z", "date", "2025-12-01T10:30:00"],
    ["T10:30:00", "date", "10:30:00"],
    ["08:15:00.000", "date", "08:15:00"],
    ["1.12.2025", "error", "1.12.2025"],
    ["25:00:00", "error", "25:00:00"],
  ])("reads the ISO date %s", async (text, kind, shown) => {
    expect(await cell(`<c r="B2" t="d"><v>${text}</v></c>`)).toEqual({ kind, text: shown });
  });

  test.each([
    ["0.5", "date", "12:00:00"],
    ["60", "error", "60"],
    ["-1", "error", "-1"],
    ["2958466", "error", "2958466"],
  ])(
    "does not take %s for a number where people see a time, ######## or a day that never was",
    async (value, kind, text) => {
      expect(await cell(`<c r="B2" s="1"><v>${value}</v></c>`, { styles })).toEqual({ kind, text });
    },
  );
});

describe("other kinds", () => {
  test.each([
    ['<c r="B2" t="b"><v>1</v></c>', { kind: "boolean", text: "true" }],
    ['<c r="B2" t="b"><v>0</v></c>', { kind: "boolean", text: "false" }],
    ['<c r="B2" t="e"><v>#REF!</v></c>', { kind: "error", text: "#REF!" }],
    ['<c r="B2" s="3"/>', null],
    ['<c r="B2"><v/></c>', null],
  ])("reads %s", async (xml, expected) => {
    expect(await cell(xml)).toEqual(expected);
  });

  test.each([
    ['<c r="B2"><f>A1*2</f><v>4.20</v></c>', { kind: "number", text: "4.20" }],
    ['<c r="B2" t="str"><f>A1&amp;"x"</f><v>ax</v></c>', "ax"],
    ['<c r="B2" t="str"><f>IF(A1,"","")</f><v></v></c>', ""],
    ['<c r="B2" t="e"><f>1/0</f><v>#DIV/0!</v></c>', { kind: "error", text: "#DIV/0!" }],
    ['<c r="B2"><f t="shared" si="0"/><v>7</v></c>', { kind: "number", text: "7" }],
    ['<c r="B2"><f>SUM(A1:A9)</f><v></v></c>', ""],
    ['<c r="B2"><f>SUM(A1:A9)</f></c>', ""],
  ])("reads the formula %s by its saved result", async (xml, value) => {
    expect(await cell(xml)).toEqual({ kind: "formula", value });
  });

  test("takes no saved result from a workbook that programs calculate anew when they open it: nobody saw it", async () => {
    const row = '<row r="2"><c r="A2"><v>1</v></c><c r="B2"><f>A2*2</f><v>0</v></c></row>';
    const { rows } = await readCalculatedAnew(row);
    expect(rows[0]?.cells[1]).toEqual({ kind: "formula", value: "" });
  });

  test("refuses a cell of a type that does not exist", async () => {
    const row = '<row r="2"><c r="B2" t="zz"><v>1</v></c></row>';
    expect(await refusal(read(workbook({ sheets: [sheetOf(row)] })))).toMatchObject({
      code: "XLSX_MALFORMED",
    });
  });
});

describe("rows and cells of sloppy producers", () => {
  test("reads rows and cells without references", async () => {
    const rows =
      HEADER_ROW.replace(/ r="[A-Z]?1"/g, "") +
      "<row/><row><c/><c><v>2</v></c></row><row><c><v>3</v></c></row>";
    const reading = await read(workbook({ sheets: [{ name: "S", rows }] }));
    expect(reading.texts).toEqual([
      ["", "2"],
      ["3", ""],
    ]);
    expect(reading.rows.map(({ line }) => line)).toEqual([3, 4]);
  });

  test("takes a row without a number for the one that its cells name", async () => {
    const rows = '<row><c r="A5"><v>5</v></c><c r="B5"><v>1</v></c></row><row><c><v>6</v></c></row>';
    const reading = await read(workbook({ sheets: [sheetOf(rows)] }));
    expect(reading.rows.map(({ line }, index) => [line, reading.texts[index]?.[0]])).toEqual([
      [5, "5"],
      [6, "6"],
    ]);
    const disorder = '<row r="4"/><row><c r="A3"><v>3</v></c></row>';
    expect(await refusal(read(workbook({ sheets: [sheetOf(disorder)] })))).toMatchObject({
      code: "XLSX_MALFORMED",
    });
  });

  test("reads sparse rows, and leaves out blank ones", async () => {
    const rows =
      '<row r="5"><c r="B5"><v>1</v></c></row><row r="6"><c r="A6" t="inlineStr"><is><t> </t></is></c></row>' +
      '<row r="7"><c r="B7" t="str"><f>IF(A7="","",1)</f><v></v></c></row><row r="900"><c r="A900"><v>2</v></c></row>';
    const reading = await read(workbook({ sheets: [sheetOf(rows)] }));
    expect(reading.rows.map(({ line }) => line)).toEqual([5, 7, 900]);
  });

  test.each([
    ["a row twice", '<row r="2"/><row r="2"/>'],
    ["rows in disorder", '<row r="3"/><row r="2"/>'],
    ["a cell twice", '<row r="2"><c r="A2"><v>1</v></c><c r="A2"><v>2</v></c></row>'],
    ["cells in disorder", '<row r="2"><c r="B2"><v>1</v></c><c r="A2"><v>2</v></c></row>'],
    ["a row beyond any sheet", '<row r="1048577"/>'],
    ["a row that is no number", '<row r="x"/>'],
    ["a cell that is no reference", '<row r="2"><c r="22"><v>1</v></c></row>'],
  ])("refuses %s", async (_, rows) => {
    expect(await refusal(read(workbook({ sheets: [sheetOf(rows)] })))).toMatchObject({
      code: "XLSX_MALFORMED",
    });
  });

  test("refuses a number of the type that connected-workbooks gives it, which other programs show as nothing", async () => {
    const row = '<row r="2"><c r="A2" t="str"><v>R1</v></c><c r="B2" t="1"><v>0.05</v></c></row>';
    const problem = await refusal(read(workbook({ sheets: [sheetOf(row)] })));
    expect(problem).toMatchObject({ code: "XLSX_MALFORMED" });
    expect(problem.message).toContain("the cell B2 is of the unknown type 1");
  });
});
