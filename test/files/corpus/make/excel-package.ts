/**
 * Packages with the parts, namespaces and attributes that Microsoft Excel writes; the caller supplies the sheets.
 * Nothing is checked here, so a fixture may contain what Excel never would.
 */
import { type ZipPart, type ZipStyle, zip } from "../../zip-writer.ts";

export interface ExcelSheet {
  readonly name: string;
  readonly state?: "hidden" | "veryHidden";
  /** Inside `<sheetData>`. */
  readonly rows: string;
  /** Before `<sheetData>`: `<cols>`, after the sheet's own `<sheetFormatPr>` or the usual one. */
  readonly columns?: string;
  /** After `<sheetData>`: `<mergeCells>`, `<hyperlinks>` and so on. */
  readonly after?: string;
  /** Relations of the sheet's part. */
  readonly relations?: string;
}

export interface ExcelPackage {
  readonly sheets: readonly ExcelSheet[];
  readonly strings?: SharedStrings;
  /** Attributes of `<workbookPr>`. */
  readonly workbookProperties?: string;
  /** After `<fileVersion>` and after `<sheets>`. */
  readonly workbookBefore?: string;
  readonly workbookAfter?: string;
  readonly contentTypes?: string;
  readonly parts?: readonly ZipPart[];
  /** Names of parts that are declared but left out. */
  readonly without?: readonly string[];
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n';
export const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
export const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const SHEET_NAMESPACES =
  `xmlns="${MAIN}" xmlns:r="${RELATIONS}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" ` +
  'mc:Ignorable="x14ac xr" xmlns:x14ac="http://schemas.microsoft.com/office/spreadsheetml/2009/9/ac" ' +
  'xmlns:xr="http://schemas.microsoft.com/office/spreadsheetml/2014/revision" xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main" ' +
  'xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"';

export function excelFile(book: ExcelPackage, style?: ZipStyle): Buffer {
  return zip(excelParts(book), style);
}

/** In the order in which Excel writes them. */
export function excelParts(book: ExcelPackage): readonly ZipPart[] {
  const own: readonly ZipPart[] = [
    { name: "[Content_Types].xml", data: contentTypes(book) },
    { name: "_rels/.rels", data: relations(relation("rId1", "officeDocument", "xl/workbook.xml")) },
    { name: "xl/workbook.xml", data: workbookPart(book) },
    { name: "xl/_rels/workbook.xml.rels", data: workbookRelations(book) },
    ...book.sheets.flatMap((sheet, index) => [
      { name: `xl/worksheets/sheet${index + 1}.xml`, data: sheetPart(sheet) },
      ...(sheet.relations === undefined
        ? []
        : [{ name: `xl/worksheets/_rels/sheet${index + 1}.xml.rels`, data: relations(sheet.relations) }]),
    ]),
    { name: "xl/styles.xml", data: STYLES },
    ...(book.strings === undefined ? [] : [{ name: "xl/sharedStrings.xml", data: book.strings.part() }]),
  ];
  const replaced = new Set([...(book.parts ?? []).map(({ name }) => name), ...(book.without ?? [])]);
  return [...own.filter(({ name }) => !replaced.has(name)), ...(book.parts ?? [])];
}

export function relation(id: string, kind: string, target: string, more = ""): string {
  return `<Relationship Id="${id}" Type="${RELATIONS}/${kind}" Target="${target}"${more}/>`;
}

export function relations(inner: string): string {
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${inner}</Relationships>`;
}

/** The table of shared texts, filled while the sheets are written. */
export class SharedStrings {
  private readonly items: string[] = [];

  /** Returns the index of a plain text. */
  text(text: string): number {
    const space = /^\s|\s$/.test(text) ? ' xml:space="preserve"' : "";
    return this.item(`<t${space}>${escaped(text)}</t>`);
  }

  /** Returns the index of the content of `<si>`. */
  item(inner: string): number {
    const known = this.items.indexOf(inner);
    return known >= 0 ? known : this.items.push(inner) - 1;
  }

  part(): string {
    const items = this.items.map((inner) => `<si>${inner}</si>`).join("");
    return `${XML}<sst xmlns="${MAIN}" count="${this.items.length}" uniqueCount="${this.items.length}">${items}</sst>`;
  }
}

export function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

function contentTypes({ sheets, strings, contentTypes: more = "" }: ExcelPackage): string {
  const main = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  const part = (name: string, kind: string) =>
    `<Override PartName="${name}" ContentType="${main}.${kind}+xml"/>`;
  const own = [
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    part("/xl/workbook.xml", "sheet.main"),
    ...sheets.map((_, index) => part(`/xl/worksheets/sheet${index + 1}.xml`, "worksheet")),
    part("/xl/styles.xml", "styles"),
    ...(strings === undefined ? [] : [part("/xl/sharedStrings.xml", "sharedStrings")]),
  ];
  return `${XML}<Types xmlns="${PACKAGE}/content-types">${own.join("")}${more}</Types>`;
}

function workbookPart(book: ExcelPackage): string {
  const tabs = book.sheets.map(({ name, state }, index) => {
    const visibility = state === undefined ? "" : ` state="${state}"`;
    return `<sheet name="${escaped(name)}" sheetId="${index + 1}"${visibility} r:id="rId${index + 1}"/>`;
  });
  return (
    `${XML}<workbook ${SHEET_NAMESPACES}><fileVersion appName="xl" lastEdited="7" lowestEdited="7" rupBuild="27328"/>` +
    `<workbookPr ${book.workbookProperties ?? 'defaultThemeVersion="166925"'}/>${book.workbookBefore ?? ""}` +
    `<bookViews><workbookView xWindow="0" yWindow="0" windowWidth="28800" windowHeight="12300"/></bookViews>` +
    `<sheets>${tabs.join("")}</sheets>${book.workbookAfter ?? ""}<calcPr calcId="191029"/></workbook>`
  );
}

function workbookRelations({ sheets, strings }: ExcelPackage): string {
  const own = sheets.map((_, index) =>
    relation(`rId${index + 1}`, "worksheet", `worksheets/sheet${index + 1}.xml`),
  );
  own.push(relation("rIdStyles", "styles", "styles.xml"));
  if (strings !== undefined) own.push(relation("rIdStrings", "sharedStrings", "sharedStrings.xml"));
  return relations(own.join(""));
}

const USUAL_FORMAT = '<sheetFormatPr defaultRowHeight="15" x14ac:dyDescent="0.25"/>';

function sheetPart({ rows, columns = "", after = "" }: ExcelSheet): string {
  return (
    `${XML}<worksheet ${SHEET_NAMESPACES}><dimension ref="A1"/><sheetViews><sheetView workbookViewId="0"/></sheetViews>` +
    `${columns.startsWith("<sheetFormatPr") ? "" : USUAL_FORMAT}${columns}<sheetData>${rows}</sheetData>${after}` +
    "</worksheet>"
  );
}

/** The fixtures' cell styles by name, as values of a cell's attribute `s`. */
export const STYLE = {
  general: 0,
  text: 1,
  date: 2,
  dateTime: 3,
  isoDate: 4,
  percent: 5,
  percentWithDecimals: 6,
  accounting: 7,
  euro: 8,
  bitcoin: 9,
  scientific: 10,
  time: 11,
  duration: 12,
  quotePrefix: 13,
  germanDate: 14,
  days: 15,
  redNegative: 16,
} as const;

const FORMATS: readonly (readonly [id: number, code?: string])[] = [
  [0],
  [49],
  [14],
  [22],
  [164, "yyyy\\-mm\\-dd"],
  [9],
  [10],
  [44, '_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-;_-* "-"??\\ "€"_-;_-@_-'],
  [165, "#,##0.00\\ [$€-407]"],
  [166, "0.00000000"],
  [11],
  [20],
  [46],
  [49],
  [167, "[$-407]d\\.\\ mmm\\ yyyy;@"],
  [168, '0.00\\ "days"'],
  [169, "#,##0.00;[Red]\\-#,##0.00"],
];

const STYLES = [
  `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="7">`,
  ...FORMATS.flatMap(([id, code]) =>
    code === undefined
      ? []
      : [`<numFmt numFmtId="${id}" formatCode="${escaped(code).replace(/"/g, "&quot;")}"/>`],
  ),
  '</numFmts><fonts count="1"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>',
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
  // Named styles are numbered separately: their second one is for dates, the cells' second one is not.
  '<cellStyleXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/><xf numFmtId="14" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
  `<cellXfs count="${FORMATS.length}">`,
  ...FORMATS.map(
    ([id], style) =>
      `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"${style === STYLE.quotePrefix ? ' quotePrefix="1"' : ""}/>`,
  ),
  '</cellXfs><cellStyles count="2"><cellStyle name="Day" xfId="1"/><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
].join("");
