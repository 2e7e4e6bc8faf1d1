/**
 * Writes an answer as a workbook: the sent parts as they are, except for cells added and marked in the table's sheet,
 * comments on the marked cells, and a sheet for the summary. Formats, widths, other sheets and formulas remain the
 * sender's.
 */
import { open } from "node:fs/promises";
import { posix } from "node:path";
import { invariant } from "../../../faults/index.ts";
import { present } from "../../../model/present.ts";
import type { XlsxSource } from "../../../model/row.ts";
import type { AnswerContent } from "../answer-line.ts";
import { type CellStyles, cellStyles } from "./cell-styles.ts";
import { commentParts, VML_TYPE } from "./comments.ts";
import { CONTENT_TYPES, ContentTypes, Relationships, typeBase } from "./relationships.ts";
import { relationshipsPart, SentPackage } from "./sent-package.ts";
import { SheetEditor } from "./sheet-editor.ts";
import { SUMMARY_SHEET, summarySheet } from "./summary-sheet.ts";
import { appendTo, attributeOf, elementsOf, escapeXml, prefixOf, relationshipIdOf } from "./xml-text.ts";
import { ZipWriter } from "./zip-writer.ts";

export async function writeAnswerXlsx(path: string, content: AnswerContent<XlsxSource>): Promise<void> {
  const sent = await SentPackage.open(content.source.path);
  try {
    const file = await open(path, "w");
    try {
      const zip = new ZipWriter(file);
      await writeAnswerPackage(sent, zip, content);
      await zip.finish();
    } finally {
      await file.close();
    }
  } finally {
    sent.close();
  }
}

/** Decides which parts of the sent workbook are copied, edited, added or left out, as this becomes known. */
async function writeAnswerPackage(
  sent: SentPackage,
  zip: ZipWriter,
  content: AnswerContent<XlsxSource>,
): Promise<void> {
  /** Parts that are rewritten, or (undefined) left out. */
  const edited = new Map<string, string | undefined>();
  const { sheetPart } = content.source;
  const workbookPart = await findWorkbookPart();
  const workbookRelations = await relationsOf(workbookPart);
  const sheetRelations = await relationsOf(sheetPart);
  const types = new ContentTypes(await sent.text(CONTENT_TYPES));
  const base = typeBase(workbookRelations.find("worksheet"));

  const stylesPart = workbookRelations.find("styles")?.target;
  const styles = cellStyles(await sent.text(stylesPart));
  const editor = new SheetEditor({ sent, content, styles, relations: sheetRelations, typeBase: base });
  await zip.addXml(sheetPart, editor.pieces());
  edited.set(sheetPart, undefined);

  if (editor.commentsPart !== undefined && editor.drawingPart !== undefined) {
    const { commentsPart, drawingPart } = editor;
    const before = { comments: await sent.text(commentsPart), drawing: await sent.text(drawingPart) };
    const parts = commentParts(present(before), editor.remarks, editor.namespace);
    edited.set(commentsPart, parts.comments).set(drawingPart, parts.drawing);
    if (before.comments === undefined) types.add(commentsPart, "comments");
    types.addDefault("vml", VML_TYPE);
  }
  await addSummary(workbookPart, workbookRelations, types, styles, editor.namespace, base);
  dropCalculationChain(workbookRelations, types);
  const writtenStyles = stylesPart ?? posix.join(posix.dirname(workbookPart), "styles.xml");
  if (stylesPart === undefined) {
    workbookRelations.add("styles", writtenStyles, base);
    types.add(writtenStyles, "styles");
  }
  edited
    .set(writtenStyles, styles.xml())
    .set(relationshipsPart(workbookPart), workbookRelations.xml)
    .set(CONTENT_TYPES, types.xml);
  if (sheetRelations.list().length > 0) edited.set(relationshipsPart(sheetPart), sheetRelations.xml);
  await writeParts();

  async function findWorkbookPart(): Promise<string> {
    const root = new Relationships("", await sent.text(relationshipsPart("")));
    return found(root.find("officeDocument")?.target ?? "xl/workbook.xml");
  }

  async function relationsOf(partName: string): Promise<Relationships> {
    return new Relationships(partName, await sent.text(relationshipsPart(partName)));
  }

  function found(name: string): string {
    const found = sent.find(name);
    invariant(found !== undefined, `the workbook has no part ${name}`);
    return found;
  }

  async function addSummary(
    workbookPart: string,
    relations: Relationships,
    types: ContentTypes,
    styles: CellStyles,
    namespace: string,
    base: string,
  ): Promise<void> {
    const summary = content.summary();
    const workbook = (await sent.text(workbookPart)) ?? "";
    const prefix = prefixOf(workbook, "workbook");
    const sheets = elementsOf(workbook, `${prefix}sheet`);
    const earlier = sheets.find((sheet) => attributeOf(sheet, "name") === SUMMARY_SHEET);
    if (earlier === undefined && summary.length === 0) return;
    const sheet = summarySheet(summary, namespace, styles.text());
    if (earlier !== undefined) {
      const id = relationshipIdOf(earlier);
      const part = relations.list().find((relation) => relation.id === id)?.target;
      if (part !== undefined) edited.set(found(part), sheet);
      return;
    }
    const folder = posix.dirname(content.source.sheetPart);
    const part = sent.freeName(posix.join(folder, "sheet"), ".xml");
    const id = relations.add("worksheet", part, base);
    types.add(part, "worksheet");
    const sheetId = Math.max(0, ...sheets.map((sheet) => Number(attributeOf(sheet, "sheetId") ?? 0))) + 1;
    const added = `<${prefix}sheet xmlns:r="${escapeXml(base)}" name="${SUMMARY_SHEET}" sheetId="${sheetId}" r:id="${id}"/>`;
    edited.set(part, sheet).set(workbookPart, appendTo(workbook, `${prefix}sheets`, added));
  }

  /** The list of formulas by cell. Excel reports damage if an entry is missing, but rebuilds a missing list. */
  function dropCalculationChain(relations: Relationships, types: ContentTypes): void {
    const chain = relations.find("calcChain");
    if (chain === undefined) return;
    relations.remove(chain);
    types.remove(chain.target);
    edited.set(sent.find(chain.target) ?? chain.target, undefined);
  }

  async function writeParts(): Promise<void> {
    for (const [name, entry] of sent.entries) {
      if (edited.has(name) || name.endsWith("/")) continue;
      const stored = {
        name,
        method: entry.compressionMethod,
        crc32: entry.crc32,
        compressedSize: entry.compressedSize,
        uncompressedSize: entry.uncompressedSize,
      };
      await zip.copy(stored, await sent.rawBytes(name));
    }
    for (const [name, xml] of edited) if (xml !== undefined) await zip.addXml(name, [xml]);
  }
}
