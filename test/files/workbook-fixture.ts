/** Workbooks built from XML, so that a test shows exactly what the file contains. */
import { type ZipPart, zip } from "./zip-writer.ts";

export interface SheetFixture {
  readonly name: string;
  /** What stands inside `<sheetData>`. */
  readonly rows: string;
  readonly state?: "hidden" | "veryHidden";
  /** Before and behind `<sheetData>`. */
  readonly before?: string;
  readonly after?: string;
  /** Default: worksheets/sheetN.xml, relative to the workbook. */
  readonly target?: string;
}

export interface WorkbookFixture {
  readonly sheets: readonly SheetFixture[];
  /** Inside `<sst>`. */
  readonly sharedStrings?: string;
  /** Inside `<styleSheet>`. */
  readonly styles?: string;
  readonly workbookProperties?: string;
  readonly isStrict?: boolean;
  /** Replace parts of the same name, or are added after the others. */
  readonly parts?: readonly ZipPart[];
}

export const HEADER_ROW =
  '<row r="1"><c r="A1" t="inlineStr"><is><t>reference</t></is></c><c r="B1" t="inlineStr"><is><t>amount</t></is></c></row>';

/** One visible sheet with a header of two columns in row 1 and these rows below. */
export function sheetOf(rows: string, more: Partial<SheetFixture> = {}): SheetFixture {
  return { name: "Payouts", rows: HEADER_ROW + rows, ...more };
}

export function workbook(fixture: WorkbookFixture): Buffer {
  return zip(workbookParts(fixture));
}

export function workbookParts(fixture: WorkbookFixture): readonly ZipPart[] {
  const schema = fixture.isStrict ? "http://purl.oclc.org/ooxml" : "http://schemas.openxmlformats.org";
  const main = fixture.isStrict ? `${schema}/spreadsheetml/main` : `${schema}/spreadsheetml/2006/main`;
  const relations = fixture.isStrict
    ? `${schema}/officeDocument/relationships`
    : `${schema}/officeDocument/2006/relationships`;
  const relation = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${relations}/${kind}" Target="${target}"/>`;
  const relationships = (inner: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inner}</Relationships>`;
  const targets = fixture.sheets.map((sheet, index) => sheet.target ?? `worksheets/sheet${index + 1}.xml`);
  const tabs = fixture.sheets.map(({ name, state }, index) => {
    const visibility = state === undefined ? "" : ` state="${state}"`;
    return `<sheet name="${name}" sheetId="${index + 1}"${visibility} r:id="rId${index + 1}"/>`;
  });
  const parts: ZipPart[] = [
    { name: "_rels/.rels", data: relationships(relation("r1", "officeDocument", "xl/workbook.xml")) },
    {
      name: "xl/workbook.xml",
      data: `<workbook xmlns="${main}" xmlns:r="${relations}"><workbookPr ${fixture.workbookProperties ?? ""}/><sheets>${tabs.join("")}</sheets></workbook>`,
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      data: relationships(
        [
          ...targets.map((target, index) => relation(`rId${index + 1}`, "worksheet", target)),
          relation("rS", "sharedStrings", "sharedStrings.xml"),
          relation("rT", "styles", "/xl/styles.xml"),
        ].join(""),
      ),
    },
    ...fixture.sheets.map((sheet, index) => ({
      name: `xl/${(targets[index] ?? "").replace(/^\/xl\//, "")}`,
      data: `<worksheet xmlns="${main}">${sheet.before ?? ""}<sheetData>${sheet.rows}</sheetData>${sheet.after ?? ""}</worksheet>`,
    })),
  ];
  if (fixture.sharedStrings !== undefined) {
    parts.push({ name: "xl/sharedStrings.xml", data: `<sst xmlns="${main}">${fixture.sharedStrings}</sst>` });
  }
  if (fixture.styles !== undefined) {
    parts.push({ name: "xl/styles.xml", data: `<styleSheet xmlns="${main}">${fixture.styles}</styleSheet>` });
  }
  const replaced = new Set(fixture.parts?.map(({ name }) => name));
  return [...parts.filter(({ name }) => !replaced.has(name)), ...(fixture.parts ?? [])];
}
