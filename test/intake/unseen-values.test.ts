/**
 * Values in a workbook that people do not see, or see differently, are not paid silently; those they do see are
 * accepted.
 */
import { describe, expect, test } from "vitest";
import type { Cell } from "../../src/model/row.ts";
import { read, refusal } from "./reading.ts";
import { HEADER_ROW, sheetOf, workbook } from "./workbook-fixture.ts";

const THEME =
  '<a:theme xmlns:a="urn:a"><a:themeElements><a:clrScheme><a:dk1><a:sysClr val="windowText" lastClr="000000"/></a:dk1>' +
  '<a:lt1><a:sysClr val="window" lastClr="FFFFFF"/></a:lt1><a:accent1><a:srgbClr val="4F81BD"/></a:accent1></a:clrScheme></a:themeElements></a:theme>';

const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const relation = (id: string, kind: string, target: string) =>
  `<Relationship Id="${id}" Type="${RELATIONS}/${kind}" Target="${target}"/>`;
const THEME_PARTS = [
  { name: "xl/theme/theme1.xml", data: THEME },
  {
    name: "xl/_rels/workbook.xml.rels",
    data: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${[
      relation("rId1", "worksheet", "worksheets/sheet1.xml"),
      relation("rS", "sharedStrings", "sharedStrings.xml"),
      relation("rT", "styles", "styles.xml"),
      relation("rH", "theme", "theme/theme1.xml"),
    ].join("")}</Relationships>`,
  },
];

interface Styling {
  readonly font?: string;
  readonly fill?: string;
  /** The cell of the amount; without it the number 0.5. */
  readonly cell?: string;
  readonly sharedStrings?: string;
}

async function amountOf({
  font = "",
  fill = "",
  cell = '<c r="B2" s="1"><v>0.5</v></c>',
  sharedStrings = "",
}: Styling) {
  const bytes = workbook({
    sheets: [sheetOf(`<row r="2"><c r="A2"><v>1</v></c>${cell}</row>`)],
    sharedStrings,
    styles:
      `<fonts><font/><font>${font}</font></fonts><fills><fill/><fill>${fill}</fill></fills>` +
      '<cellXfs><xf/><xf fontId="1" fillId="1"/></cellXfs>',
    parts: THEME_PARTS,
  });
  const { rows } = await read(bytes);
  return rows[0]?.cells[1] as Cell;
}

const solid = (colour: string) => `<patternFill patternType="solid"><fgColor ${colour}/></patternFill>`;

describe("letters in the colour of their ground are not seen", () => {
  test.each<[string, Styling]>([
    ["white", { font: '<color rgb="FFFFFFFF"/>' }],
    ["white, whatever its opacity", { font: '<color rgb="00FFFFFF"/>' }],
    ["nearly white", { font: '<color rgb="FFF2F2F2"/>' }],
    ["the white of the theme", { font: '<color theme="0"/>' }],
    ["the black of the theme, as light as can be", { font: '<color theme="1" tint="0.99"/>' }],
    ["the white of the palette", { font: '<color indexed="9"/>' }],
    ["the ground of the window", { font: '<color indexed="65"/>' }],
    ["yellow on yellow", { font: '<color rgb="FFFFFF00"/>', fill: solid('rgb="FFFFFF00"') }],
    ["one accent on itself", { font: '<color theme="4" tint="0.8"/>', fill: solid('theme="4" tint="0.8"') }],
    ["an accent on the same colour in digits", { font: '<color theme="4"/>', fill: solid('rgb="FF4F81BD"') }],
    ["white on the red of an answer of ours", { font: '<color theme="0"/>', fill: solid('rgb="FFFFC7CD"') }],
    ["automatic letters on black", { fill: solid('rgb="FF000000"') }],
  ])("%s", async (_, styling) => {
    expect(await amountOf(styling)).toEqual({ kind: "number", text: "0.5", unseen: "colour" });
  });

  test.each<[string, Styling]>([
    ["white on blue, as headers are", { font: '<color theme="0"/>', fill: solid('rgb="FF1F4E78"') }],
    ["white on an accent of the theme", { font: '<color rgb="FFFFFFFF"/>', fill: solid('theme="4"') }],
    ["light grey on white", { font: '<color theme="0" tint="-0.25"/>' }],
    ["yellow on white", { font: '<color rgb="FFFFFF00"/>' }],
    ["an automatic colour", { font: '<color auto="1"/>' }],
    [
      "white on dots of black",
      { font: '<color rgb="FFFFFFFF"/>', fill: '<patternFill patternType="gray125"/>' },
    ],
    ["small letters", { font: '<sz val="6"/>' }],
  ])("but they are where they are %s", async (_, styling) => {
    expect(await amountOf(styling)).toEqual({ kind: "number", text: "0.5" });
  });
});

test.each<[string, string, Cell]>([
  ["a text", '<c r="B2" s="1" t="s"><v>0</v></c>', { kind: "text", text: "0.5", unseen: "size" }],
  [
    "the result of a formula",
    '<c r="B2" s="1"><f>A1</f><v>0.5</v></c>',
    { kind: "formula", text: "0.5", value: { kind: "number", text: "0.5", unseen: "size" } },
  ],
  ["a boolean", '<c r="B2" s="1" t="b"><v>1</v></c>', { kind: "boolean", text: "true", unseen: "size" }],
])("knows of %s that its letters are specks", async (_, cell, expected) => {
  const styling = { font: '<sz val="1"/>', sharedStrings: "<si><t>0.5</t></si>", cell };
  expect(await amountOf(styling)).toEqual(expected);
});

test("knows it of a text without a style of its own, which has the first one", async () => {
  const bytes = workbook({
    sheets: [sheetOf('<row r="2"><c r="A2"><v>1</v></c><c r="B2" t="s"><v>0</v></c></row>')],
    sharedStrings: "<si><t>0.5</t></si>",
    styles: '<fonts><font><sz val="1"/></font></fonts><cellXfs><xf fontId="0"/></cellXfs>',
  });
  expect((await read(bytes)).rows[0]?.cells[1]).toEqual({ kind: "text", text: "0.5", unseen: "size" });
});

describe("a part of a rich text that people do not see, or see as a footnote, is no part of an amount", () => {
  const rich = (run: string, behind = "5") => `<r><t>0.1</t></r><r><rPr>${run}</rPr><t>${behind}</t></r>`;
  const unseen = [
    ["colour", '<color rgb="FFFFFFFF"/>'],
    ["size", '<sz val="1"/>'],
    ["raised", '<vertAlign val="superscript"/>'],
    ["raised", '<vertAlign val="subscript"/>'],
  ] as const;
  const inline = (text: string) => `<c r="B2" t="inlineStr"><is>${text}</is></c>`;
  const shared = '<c r="B2" t="s"><v>0</v></c>';

  test.each(unseen)("by its %s: %s", async (why, run) => {
    const expected = { kind: "text", text: "0.15", unseen: why };
    expect(await amountOf({ cell: inline(rich(run)) })).toEqual(expected);
    expect(await amountOf({ cell: shared, sharedStrings: `<si>${rich(run)}</si>` })).toEqual(expected);
  });

  test.each([
    ["bold", rich("<b/>")],
    ["of another colour", rich('<color rgb="FFFF0000"/>')],
    ["on the line", rich('<vertAlign val="baseline"/>')],
    ["raised, but no digit of a number", rich('<vertAlign val="superscript"/>', "th")],
    [
      "lowered in a word",
      '<r><t>H</t></r><r><rPr><vertAlign val="subscript"/></rPr><t>2</t></r><r><t>O</t></r>',
    ],
    ["white space", rich('<color rgb="FFFFFFFF"/>', " ")],
  ])("but it is one where it is %s", async (_, text) => {
    expect(await amountOf({ cell: inline(text) })).not.toHaveProperty("unseen");
    expect(await amountOf({ cell: shared, sharedStrings: `<si>${text}</si>` })).not.toHaveProperty("unseen");
  });

  test("white letters are seen in a cell of another colour", async () => {
    const styled = { fill: solid('rgb="FF1F4E78"'), font: '<color rgb="FFFFFFFF"/>' };
    const cell = shared.replace("<c ", '<c s="1" ');
    const text = rich('<color rgb="FFFFFFFF"/>');
    expect(await amountOf({ ...styled, cell, sharedStrings: `<si>${text}</si>` })).toEqual({
      kind: "text",
      text: "0.15",
    });
  });
});

test("rows and columns in which there is no room for a letter are hidden ones", async () => {
  const row = (height: string) =>
    `<row r="2" ht="${height}"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c></row>`;
  expect((await read(workbook({ sheets: [sheetOf(row("2.5"))] }))).problems).toMatchObject([
    { code: "ROW_HIDDEN" },
  ]);
  expect((await read(workbook({ sheets: [sheetOf(row("6"))] }))).problems).toEqual([]);
  const columns = (width: string) => ({ before: `<cols><col min="2" max="2" width="${width}"/></cols>` });
  const narrow = workbook({ sheets: [sheetOf(row("15"), columns("0.4"))] });
  expect(await refusal(read(narrow))).toMatchObject({ code: "COLUMN_HIDDEN" });
  expect((await read(workbook({ sheets: [sheetOf(row("15"), columns("2"))] }))).problems).toEqual([]);
});

test("so are rows whose default height has no room for a letter, where it is not what their letters need", async () => {
  const rows = '<row r="2" ht="15"><c r="A2"><v>1</v></c></row><row r="3"><c r="A3"><v>1</v></c></row>';
  const sheet = (height: string) =>
    workbook({
      sheets: [
        {
          name: "Payouts",
          rows: HEADER_ROW.replace("<row ", '<row ht="15" ') + rows,
          before: `<sheetFormatPr ${height}/>`,
        },
      ],
    });
  const { problems } = await read(sheet('defaultRowHeight="1" customHeight="1"'));
  expect(problems).toMatchObject([{ code: "ROW_HIDDEN", line: 3 }]);
  expect((await read(sheet('defaultRowHeight="1"'))).problems).toEqual([]);
});

describe("rows and columns before those that frozen panes begin with are hidden ones", () => {
  const ROWS = `${HEADER_ROW}<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c></row>`;
  const frozen = (view: string, pane: string) => ({
    name: "Payouts",
    rows: `<row r="1"><c r="A1"><v>7</v></c></row>${ROWS.replace(/(r="[A-Z]?)(\d)"/g, (_, before, line) => `${before}${Number(line) + 1}"`)}`,
    before: `<sheetViews><sheetView ${view}><pane ${pane}/></sheetView></sheetViews>`,
  });
  const readFrozen = (view: string, pane: string) => read(workbook({ sheets: [frozen(view, pane)] }));

  test.each([
    ["the header's row", 'topLeftCell="A3"', 'ySplit="1" state="frozen"', "ROW_HIDDEN"],
    ["a column", 'topLeftCell="B1"', 'xSplit="1" state="frozenSplit"', "COLUMN_HIDDEN"],
  ])("%s", async (_, view, pane, code) => {
    expect(await refusal(readFrozen(view, pane))).toMatchObject({ code });
  });

  test.each([
    ["a title above the header", 'topLeftCell="A2"', 'ySplit="1" state="frozen"'],
    ["nothing", 'topLeftCell="A1"', 'ySplit="1" topLeftCell="A9" state="frozen"'],
    ["rows to which people can scroll", 'topLeftCell="A3"', 'ySplit="1000" state="split"'],
  ])("but not %s", async (_, view, pane) => {
    expect((await readFrozen(view, pane)).problems).toEqual([]);
  });
});

test.each([
  ["0.5", { kind: "number", text: "0.5", unseen: "repeated" }],
  ["2026-12-01", { kind: "text", text: "2026-12-01", unseen: "repeated" }],
  ["INV-1", { kind: "text", text: "INV-1" }],
])(
  "the alignment that repeats a value until its cell is full shows of %s another number",
  async (text, expected) => {
    const styles = '<cellXfs><xf/><xf><alignment horizontal="fill"/></xf></cellXfs>';
    const cell = /^0/.test(text)
      ? `<c r="B2" s="1"><v>${text}</v></c>`
      : '<c r="B2" s="1" t="s"><v>0</v></c>';
    const rows = `<row r="2"><c r="A2"><v>1</v></c>${cell}</row>`;
    const bytes = workbook({ sheets: [sheetOf(rows)], styles, sharedStrings: `<si><t>${text}</t></si>` });
    expect((await read(bytes)).rows[0]?.cells[1]).toEqual(expected);
  },
);

describe("conditional formats", () => {
  const WHITE_FONT = '<font><color rgb="FFFFFFFF"/></font>';
  const rule = (inner: string, attributes = 'type="expression" dxfId="0"') =>
    `<cfRule priority="1" ${attributes}>${inner}</cfRule>`;
  const over = (ranges: string, rules: string) =>
    `<conditionalFormatting sqref="${ranges}">${rules}</conditionalFormatting>`;
  const FORMULA = rule("<formula>$A2=1</formula>");

  function readWith(after: string, dxf = WHITE_FONT) {
    const rows = [2, 3].map(
      (line) => `<row r="${line}"><c r="A${line}"><v>${line}</v></c><c r="B${line}"><v>1</v></c></row>`,
    );
    const header =
      '<row r="1"><c r="A1" t="str"><v>reference</v></c><c r="B1" t="str"><v>amount</v></c><c r="C1" t="str"><v>mine</v></c></row>';
    const sheet = { name: "Payouts", rows: header + rows.join(""), after };
    const bytes = workbook({ sheets: [sheet], styles: `<dxfs><dxf>${dxf}</dxf></dxfs>` });
    return read(bytes, { isRead: (name) => name !== "mine" });
  }

  test.each([
    ["white letters", WHITE_FONT, "may hide values, by their colour or size"],
    ["letters of a point", '<font><sz val="1"/></font>', "may hide values, by their colour or size"],
    [
      "a black ground",
      '<fill><patternFill><bgColor rgb="FF000000"/></patternFill></fill>',
      "may hide values, by their colour or size",
    ],
    ["a line through them", "<font><strike/></font>", "may strike values out"],
    [
      "a number format",
      '<numFmt numFmtId="164" formatCode="0.00"/>',
      "may show another number or text than the cell holds",
    ],
  ])("that give %s to what is paid are refused: nobody here knows to which rows", async (_, dxf, effect) => {
    const problem = await refusal(readWith(over("B2:B9", FORMULA), dxf));
    expect(problem).toMatchObject({ code: "CONDITIONAL_FORMAT_HIDES", sheet: "Payouts", cell: "B2" });
    expect(problem.message).toContain(`the cells B2:B9 ${effect}`);
  });

  test.each([
    [
      "red letters on rose",
      '<font><color rgb="FF9C0006"/></font><fill><patternFill><bgColor rgb="FFFFC7CE"/></patternFill></fill>',
    ],
    [
      "white letters on red",
      `${WHITE_FONT}<fill><patternFill patternType="solid"><bgColor rgb="FFC00000"/></patternFill></fill>`,
    ],
    ["a ground of green", '<fill><patternFill><bgColor rgb="FF00FF00"/></patternFill></fill>'],
    ["bold letters", '<font><b/><strike val="0"/></font>'],
    ["the format General", '<numFmt numFmtId="0" formatCode="General"/>'],
  ])("that give %s are nothing to mind", async (_, dxf) => {
    expect((await readWith(over("A1:C9", FORMULA), dxf)).problems).toEqual([]);
  });

  test.each([
    ["of bars in place of values", over("B2:B9", rule('<dataBar showValue="0"/>', 'type="dataBar"'))],
    ["of icons in place of values", over("B2:B9", rule('<iconSet showValue="0"/>', 'type="iconSet"'))],
    ["whose second range is what is paid", over("E5 A3:B3", FORMULA)],
    ["of whole columns", over("A1:XFD1048576", FORMULA)],
    ["whose second rule hides", over("B2:B9", rule("<formula>1</formula>", 'type="expression"') + FORMULA)],
    [
      "with a rule for other values than none",
      over("B2:B9", rule("<formula>5</formula>", 'type="cellIs" operator="equal" dxfId="0"')),
    ],
    [
      "for errors that are another cell's",
      over("B2:B9", rule("<formula>ISERROR(Z1)</formula>", 'type="containsErrors" dxfId="0"')),
    ],
    [
      "as Excel extends them",
      '<extLst><ext><x14:conditionalFormattings xmlns:x14="urn:x14" xmlns:xm="urn:xm"><x14:conditionalFormatting>' +
        `<x14:cfRule type="expression"><xm:f>TRUE</xm:f><x14:dxf>${WHITE_FONT}</x14:dxf></x14:cfRule><xm:sqref>B2:B9</xm:sqref>` +
        "</x14:conditionalFormatting></x14:conditionalFormattings></ext></extLst>",
    ],
  ])("%s are refused", async (_, after) => {
    expect(await refusal(readWith(after))).toMatchObject({ code: "CONDITIONAL_FORMAT_HIDES" });
  });

  test.each([
    ["beside the columns that are read", over("C2:F9", FORMULA)],
    ["above the rows", over("A1:B1", FORMULA)],
    ["below the rows", over("A4:B9", FORMULA)],
    [
      "of zeros, which nobody is paid",
      over("B2:B9", rule("<formula>0</formula>", 'type="cellIs" operator="equal" dxfId="0"')),
    ],
    [
      "of errors, which nobody is paid either",
      over("B2:B9", rule("<formula>ISERROR(B2)</formula>", 'type="containsErrors" dxfId="0"')),
    ],
    [
      "of empty cells",
      over("B2:B9", rule("<formula>LEN(TRIM(B2))=0</formula>", 'type="containsBlanks" dxfId="0"')),
    ],
    ["of empty cells, as LibreOffice writes it", over("B2:B9", rule("<formula>LEN(TRIM(B2))=0</formula>"))],
    ["of bars beside values", over("B2:B9", rule("<dataBar/>", 'type="dataBar"'))],
    ["without a style", over("B2:B9", rule("<formula>1</formula>", 'type="expression"'))],
  ])("%s are nothing to mind", async (_, after) => {
    expect((await readWith(after)).problems).toEqual([]);
  });
});

describe("cells beneath a picture, a chart or a shape", () => {
  const SHAPE =
    "<xdr:sp><xdr:nvSpPr><xdr:cNvPr id='2'/></xdr:nvSpPr><xdr:spPr><a:solidFill/></xdr:spPr></xdr:sp>";
  const corner = (name: string, [col, colOff, row, rowOff]: readonly number[]) =>
    `<xdr:${name}><xdr:col>${col}</xdr:col><xdr:colOff>${colOff}</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>${rowOff}</xdr:rowOff></xdr:${name}>`;
  const over = (from: readonly number[], to: readonly number[], object = SHAPE) =>
    `<xdr:twoCellAnchor>${corner("from", from)}${corner("to", to)}${object}<xdr:clientData/></xdr:twoCellAnchor>`;

  /** Rows 2 and 3 of the columns reference, amount and mine. */
  function readWith(...anchors: readonly string[]) {
    const rows = [2, 3].map(
      (line) => `<row r="${line}"><c r="A${line}"><v>${line}</v></c><c r="B${line}"><v>1</v></c></row>`,
    );
    const header = HEADER_ROW.replace("</row>", '<c r="C1" t="str"><v>mine</v></c></row>');
    const drawing = `<xdr:wsDr xmlns:xdr="urn:xdr" xmlns:a="urn:a">${anchors.join("")}</xdr:wsDr>`;
    const bytes = workbook({
      sheets: [{ name: "Payouts", rows: header + rows.join("") }],
      parts: [
        {
          name: "xl/worksheets/_rels/sheet1.xml.rels",
          data: `<Relationships xmlns="urn:r">${relation("rId1", "drawing", "../drawings/drawing1.xml")}</Relationships>`,
        },
        { name: "xl/drawings/drawing1.xml", data: drawing },
      ],
    });
    return read(bytes, { isRead: (name) => name !== "mine" });
  }

  const picture = "<xdr:pic><xdr:nvPicPr><xdr:cNvPr id='3'/></xdr:nvPicPr></xdr:pic>";
  const seenThrough = SHAPE.replace("<a:solidFill/>", "<a:noFill/>");

  test.each([
    ["one of them", [1, 0, 1, 0], [2, 0, 2, 0], SHAPE, "B2 "],
    ["several", [0, 9525, 1, 9525], [1, 600_000, 2, 180_000], picture, "A2:B3"],
    ["all in a part of the sheet", [0, 0, 0, 0], [9, 0, 40, 0], "<xdr:graphicFrame/>", "A1:I40"],
    [
      "a group of which one shape is filled",
      [1, 0, 1, 0],
      [2, 0, 2, 0],
      `<xdr:grpSp>${SHAPE}${seenThrough}</xdr:grpSp>`,
      "B2 ",
    ],
  ])("are not paid: %s", async (_, from, to, object, range) => {
    const problem = await refusal(readWith(over([5, 0, 1, 0], [9, 0, 9, 0]), over(from, to, object)));
    expect(problem).toMatchObject({ code: "CELLS_COVERED", sheet: "Payouts" });
    expect(`${problem.message} `).toContain(range.trim());
  });

  test.each([
    ["beside the rows", over([2, 0, 0, 0], [9, 0, 40, 0])],
    ["above and below them", over([0, 0, 0, 0], [9, 0, 1, 0]) + over([0, 0, 3, 0], [9, 0, 9, 0])],
    ["which they hardly touch", over([0, 500_000, 0, 0], [1, 200_000, 40, 0])],
    ["that are lines", over([0, 0, 0, 0], [9, 0, 40, 0], "<xdr:cxnSp/>")],
    ["that are seen through, as a circle around an amount", over([0, 0, 0, 0], [9, 0, 40, 0], seenThrough)],
    ["that are hidden", over([0, 0, 0, 0], [9, 0, 40, 0], picture.replace("id=", "hidden='1' id="))],
    ["whose place is none", over([-5, 0, 0, 0], [9, 0, 99_999_999, 0])],
  ])("are, if the objects are ones %s", async (_, anchors) => {
    expect((await readWith(anchors)).problems).toEqual([]);
  });
});
