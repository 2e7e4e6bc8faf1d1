/**
 * Workbooks modelled on the exports of Google Sheets and Apple Numbers: their namespaces, attributes, order of parts
 * and number formats. Neither program can run where these files are made.
 */
import { zip } from "../../zip-writer.ts";
import { type ExcelPackage, excelParts, relation, relations, SharedStrings } from "./excel-package.ts";
import {
  cell,
  formula,
  type MakeCell,
  nothing,
  number,
  payoutXml,
  row,
  serialOf,
  shared,
} from "./sheet-cells.ts";

export function googleFiles(): Readonly<Record<string, Buffer>> {
  return { "payouts.xlsx": googleFile(googlePayouts), "formulas.xlsx": googleFile(googleFormulas) };
}

export function numbersFiles(): Readonly<Record<string, Buffer>> {
  return { "payouts.xlsx": numbersFile() };
}

/** Google writes every number with a decimal point, as Java prints a double. */
function asDouble(text: string): string {
  if (text === "0.00000546") return "5.46E-6";
  return text.includes(".") ? text : `${text}.0`;
}

function googleFile(make: (strings: SharedStrings) => string): Buffer {
  const strings = new SharedStrings();
  const rows = make(strings) + emptyGoogleRows(6, 40);
  const drawing = '<drawing r:id="rId2"/>';
  const hyperlink = '<hyperlinks><hyperlink r:id="rId1" ref="F2"/></hyperlinks>';
  const parts = excelParts({
    sheets: [{ name: "Payouts", rows, after: hyperlink + drawing }],
    strings,
    workbookProperties: "",
    workbookAfter: "<definedNames/>",
  });
  return zip(
    [
      { name: "xl/drawings/drawing1.xml", data: GOOGLE_DRAWING },
      {
        name: "xl/worksheets/_rels/sheet1.xml.rels",
        data: relations(
          relation("rId1", "hyperlink", "http://payee.example.com", ' TargetMode="External"') +
            relation("rId2", "drawing", "../drawings/drawing1.xml"),
        ),
      },
      ...parts.map((part) => ({ ...part, data: asGoogle(String(part.data)) })),
    ],
    { hasDataDescriptors: true },
  );
}

const GOOGLE_DRAWING =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"/>';

export function asGoogle(xml: string): string {
  return xml
    .replace("\r\n", "")
    .replace(/<dimension[^>]*>/, "")
    .replace(/ spans="[^"]*"| x14ac:dyDescent="[^"]*"/g, "")
    .replace(/<sheet name/g, '<sheet state="visible" name')
    .replace(/<fileVersion[^>]*>|<bookViews>.*<\/bookViews>/g, "")
    .replace(/<calcPr[^>]*>/, "<calcPr/>");
}

function googlePayouts(strings: SharedStrings): string {
  return payoutXml({
    text: (text) => shared(strings, text),
    amount: (text) => number(asDouble(text)),
    date: (day) => number(asDouble(serialOf(day)), 4),
  });
}

/** Google's own functions are saved with their last result as a fallback. */
function googleFormulas(strings: SharedStrings): string {
  const text = (value: string): MakeCell => shared(strings, value);
  const imported = formula(
    'IFERROR(__xludf.DUMMYFUNCTION("IMPORTRANGE(""https://docs.example.com/d/1"",""A2"")"),"treasury-btc")',
    "treasury-btc",
    "str",
  );
  return [
    row(1, ["Reference", "Amount", "Account", "GL name", "Address", "Payee", "Check"].map(text)),
    row(2, [
      text("PAY-1"),
      formula("0.1/2", "0.05"),
      imported,
      number("6200.0"),
      text("bc1q3pudjj6e27qfvl2yvhetaem25d33ux44j5qz4r"),
      formula('HYPERLINK("http://payee.example.com","Nina Quist")', "Nina Quist", "str"),
      cell('t="b"', "<f>B2&gt;0</f><v>1</v>"),
    ]),
    row(3, [
      number("20260002.0"),
      cell("", '<f t="shared" ref="B3:B4" si="1">B2*2</f><v>0.1</v>'),
      imported,
      number("6200.0"),
      text("1CofQ44auSab4GYWrm6dCyWsRfCguahjoJ"),
      nothing,
      cell('t="e"', '<f>VLOOKUP("x",A1:B2,2,false)</f><v>#N/A</v>'),
    ]),
  ].join("");
}

function emptyGoogleRows(from: number, to: number): string {
  return Array.from(
    { length: to - from + 1 },
    (_, index) => `<row r="${from + index}" ht="15.75" customHeight="1"/>`,
  ).join("");
}

/** First a sheet that lists the tables; each table has its name in a merged row above it. */
function numbersFile(): Buffer {
  const strings = new SharedStrings();
  const text = (value: string): MakeCell => cell('t="s" s="1"', `<v>${strings.text(value)}</v>`);
  const blank: MakeCell = (reference) => `<c r="${reference}" s="1"/>`;
  const summary = [
    row(3, [
      nothing,
      text(
        "This document was exported from Numbers. Each table was converted to an Excel worksheet. All other objects on each Numbers sheet were placed on separate worksheets. Please be aware that formula calculations may differ in Excel.",
      ),
    ]),
    row(7, [nothing, text("Numbers Sheet Name"), text("Numbers Table Name"), text("Excel Worksheet Name")]),
    row(9, [nothing, text("Sheet 1"), nothing, nothing]),
    row(10, [nothing, nothing, text("Payouts"), text("Sheet 1 - Payouts")]),
  ].join("");
  const title = row(1, [text("Payouts"), blank, blank, blank, blank, blank, blank]);
  const payouts = payoutXml(
    {
      text,
      amount: (value) => number(value === "0.00000546" ? "5.46e-06" : value),
      date: (day) => number(serialOf(day), 4),
    },
    2,
  );
  const book: ExcelPackage = {
    sheets: [
      {
        name: "Export Summary",
        rows: summary,
        after: '<mergeCells count="1"><mergeCell ref="B3:D3"/></mergeCells>',
      },
      {
        name: "Sheet 1 - Payouts",
        rows: title + payouts,
        after: '<mergeCells count="1"><mergeCell ref="A1:G1"/></mergeCells>',
      },
    ],
    strings,
  };
  return zip(excelParts(book));
}
