/**
 * Writes an answer as a new workbook with only the table, for a sent workbook that contains a private key. Lines, texts and
 * digits stay, and marked cells are red with the reason as a comment; other formats and sheets are not returned.
 */
import { open } from "node:fs/promises";
import { columnLetters, type PlainCell, resultOf } from "../../../model/index.ts";
import { mayBelongToKey } from "../../../model/private-key.ts";
import { type AnswerContent, type AnswerLine, WITHHELD } from "../answer-line.ts";
import { headWithColumns } from "./added-columns.ts";
import { type CellStyles, cellStyles } from "./cell-styles.ts";
import { commentParts, REMARKS_MAX, type Remark, VML_TYPE } from "./comments.ts";
import { CONTENT_TYPES, ContentTypes, Relationships, typeBase } from "./relationships.ts";
import { relationshipsPart } from "./sent-package.ts";
import { inlineCell, SUMMARY_SHEET, summarySheet } from "./summary-sheet.ts";
import { escapeXml } from "./xml-text.ts";
import { ZipWriter } from "./zip-writer.ts";

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const TYPE_BASE = typeBase(undefined);

const WORKBOOK = "xl/workbook.xml";
const TABLE = "xl/worksheets/sheet1.xml";
const SUMMARY = "xl/worksheets/sheet2.xml";
const COMMENTS = "xl/comments1.xml";
const DRAWING = "xl/drawings/vmlDrawing1.vml";
const STYLES = "xl/styles.xml";

export async function writePlainXlsx(path: string, content: AnswerContent): Promise<void> {
  const file = await open(path, "w");
  try {
    const zip = new ZipWriter(file);
    await writePackage(zip, content);
    await zip.finish();
  } finally {
    await file.close();
  }
}

async function writePackage(zip: ZipWriter, content: AnswerContent): Promise<void> {
  const types = new ContentTypes(undefined);
  types.addDefault("rels", "application/vnd.openxmlformats-package.relationships+xml");
  types.add(WORKBOOK, "sheet.main");
  const root = new Relationships("", undefined);
  root.add("officeDocument", WORKBOOK, TYPE_BASE);
  const ofWorkbook = new Relationships(WORKBOOK, undefined);
  const sheets: string[] = [];
  const styles = cellStyles();

  addSheet(content.sheet || "Payouts", TABLE);
  const ofTable = new Relationships(TABLE, undefined);
  ofTable.add("comments", COMMENTS, TYPE_BASE);
  const drawingId = ofTable.add("vmlDrawing", DRAWING, TYPE_BASE);
  const remarks: Remark[] = [];
  await zip.addXml(TABLE, tablePieces(content, styles, remarks, drawingId));

  const { comments, drawing } = commentParts({}, remarks, MAIN);
  types.add(COMMENTS, "comments");
  types.addDefault("vml", VML_TYPE);
  const summary = content.summary();
  if (summary.length > 0) {
    addSheet(SUMMARY_SHEET, SUMMARY);
    await zip.addXml(SUMMARY, [summarySheet(summary, MAIN, styles.text())]);
  }
  ofWorkbook.add("styles", STYLES, TYPE_BASE);
  types.add(STYLES, "styles");

  const parts = {
    [WORKBOOK]: `<workbook xmlns="${MAIN}" xmlns:r="${TYPE_BASE}"><sheets>${sheets.join("")}</sheets></workbook>`,
    [COMMENTS]: comments,
    [DRAWING]: drawing,
    [STYLES]: styles.xml(),
    [relationshipsPart("")]: root.xml,
    [relationshipsPart(WORKBOOK)]: ofWorkbook.xml,
    [relationshipsPart(TABLE)]: ofTable.xml,
    [CONTENT_TYPES]: types.xml,
  };
  for (const [name, xml] of Object.entries(parts)) await zip.addXml(name, [xml]);

  function addSheet(name: string, part: string): void {
    types.add(part, "worksheet");
    const id = ofWorkbook.add("worksheet", part, TYPE_BASE);
    sheets.push(`<sheet name="${escapeXml(name)}" sheetId="${sheets.length + 1}" r:id="${id}"/>`);
  }
}

/** Declarations above the header must be sent again with the corrected file. */
async function* tablePieces(
  { header, titleLines, lines, dropped }: AnswerContent,
  styles: CellStyles,
  found: Remark[],
  drawingId: string,
): AsyncGenerator<string> {
  const first = header.length;
  let isBegun = false;
  for await (const line of lines) {
    if (!isBegun) {
      const columns = { first, count: line.added.length, isFormatted: false };
      yield headWithColumns(`<worksheet xmlns="${MAIN}"><sheetData>`, "", columns, line.added);
      for (const title of titleLines) yield row({ ...title, ...NOTHING_ADDED });
    }
    isBegun = true;
    yield row(line);
  }
  yield `</sheetData><legacyDrawing xmlns:r="${TYPE_BASE}" r:id="${drawingId}"/></worksheet>`;

  function row({ line, cells, added, remarks, withheld, isOutOfSight }: AnswerLine): string {
    const sent = cells.map((cell, column) => {
      if (dropped.has(column)) return "";
      const text = remarks.get(column);
      if (text !== undefined && found.length < REMARKS_MAX) found.push({ column, line, text });
      const isWithheld = withheld.has(column) || mayBelongToKey(cell.text);
      const written = isWithheld ? WITHHELD_CELL : resultOf(cell);
      const style = styleOf(written, styles);
      const marked = text === undefined ? style : styles.marked(style);
      return cellXml(written, `${columnLetters(column)}${line}`, marked);
    });
    const ours = added.map((text, index) =>
      inlineCell("", `${columnLetters(first + index)}${line}`, styles.text(), text),
    );
    const hidden = isOutOfSight === true ? ' hidden="1"' : "";
    return `<row r="${line}"${hidden}>${sent.join("")}${ours.join("")}</row>`;
  }
}

const WITHHELD_CELL = { kind: "text", text: WITHHELD } as const;
const NOTHING_ADDED = { added: [], remarks: new Map<number, string>(), withheld: new Set<number>() };

/** A number shows its unit, and no more decimals than it did: what was refused for that is refused again. */
function styleOf(cell: PlainCell, styles: CellStyles): number {
  const { unit, decimals } = cell.kind === "number" ? cell : {};
  if (unit === undefined && decimals === undefined) return styles.text();
  const digits = decimals === undefined ? "General" : digitsCode(decimals);
  if (unit === undefined) return styles.number(digits);
  return styles.number(`${digits} "${mayBelongToKey(unit) ? WITHHELD : unit.replaceAll('"', "")}"`);
}

/** A negative number of decimals is one of tens: `4.2E+03` for 4,208. */
function digitsCode(decimals: number): string {
  return decimals < 0 ? "0E+00" : (0).toFixed(Math.min(decimals, DECIMALS_SHOWN_MAX));
}

/** Excel's own limit for a format. */
const DECIMALS_SHOWN_MAX = 30;

/** Without its format a number would lose its leading zeros: as a text it keeps them. */
function cellXml({ kind, text }: PlainCell, reference: string, style: number): string {
  if (kind === "number" && !/^[+-]?0\d/.test(text))
    return `<c r="${reference}" s="${style}"><v>${escapeXml(text)}</v></c>`;
  return inlineCell("", reference, style, text) || `<c r="${reference}" s="${style}"/>`;
}
