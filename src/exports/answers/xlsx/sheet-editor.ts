/** Streams the table's sheet with the answer merged in row by row, and collects the remarks for its comments. */
import { invariant } from "../../../faults/index.ts";
import type { XlsxSource } from "../../../model/row.ts";
import type { AnswerContent, AnswerLine } from "../answer-line.ts";
import { headWithColumns, placeColumns } from "./added-columns.ts";
import type { CellStyles } from "./cell-styles.ts";
import { REMARKS_MAX, type Remark } from "./comments.ts";
import type { Relationship, Relationships } from "./relationships.ts";
import { rowEditor } from "./row-editor.ts";
import type { SentPackage } from "./sent-package.ts";
import { type SheetHead, type SheetTail, sheetPieces } from "./sheet-rows.ts";
import { attributeOf, elementsOf, insertBefore, relationshipIdOf } from "./xml-text.ts";

export interface SheetEditorInput {
  readonly sent: SentPackage;
  readonly content: AnswerContent<XlsxSource>;
  readonly styles: CellStyles;
  /** Of the sheet. */
  readonly relations: Relationships;
  readonly typeBase: string;
}

export class SheetEditor {
  readonly remarks: Remark[] = [];
  /** Known once the pieces have been read; undefined if the sheet has no comments. */
  commentsPart: string | undefined;
  drawingPart: string | undefined;
  namespace = "";

  private readonly given: SheetEditorInput;

  constructor(input: SheetEditorInput) {
    this.given = input;
    this.commentsPart = this.partOf(({ kind }) => kind === "comments");
  }

  async *pieces(): AsyncGenerator<string> {
    const { content, relations, styles } = this.given;
    const { source, lines, header, headerLine, dropped } = content;
    const coming = lines[Symbol.asyncIterator]();
    const next = async (): Promise<AnswerLine | undefined> => (await coming.next()).value ?? undefined;
    try {
      let awaited = await next();
      const names = awaited?.added ?? [];
      // Excel reports damage if the header cells of a table differ from the column names stored in it.
      const keepsHeader = relations.find("table") !== undefined;
      const lastKept = header.findLastIndex((_, index) => keepsHeader || !dropped.has(index));
      const columns = await placeColumns(this.chunks(), headerLine, lastKept + 1, dropped, names.length);
      let prefix = "";
      let rows: ReturnType<typeof rowEditor> | undefined;
      for await (const pieces of sheetPieces(this.chunks())) {
        let written = "";
        for (const piece of pieces) {
          switch (piece.kind) {
            case "head":
              prefix = piece.prefix;
              rows = rowEditor({ prefix, columns, headerLine, dropped, keepsHeader, styles });
              written += this.head(piece, headWithColumns(piece.xml, prefix, columns, names));
              break;
            case "row": {
              const answer = awaited?.line === piece.line ? awaited : undefined;
              if (answer !== undefined) this.remember(answer);
              written += rows?.edited(piece, answer);
              if (answer !== undefined) awaited = await next();
              break;
            }
            case "tail":
              written += this.tail(piece, prefix);
          }
        }
        if (written !== "") yield written;
      }
      invariant(awaited === undefined, `row ${awaited?.line} of ${source.sheetPart} is missing`);
    } finally {
      await coming.return?.();
    }
  }

  private chunks(): AsyncIterable<string> {
    return this.given.sent.chunks(this.given.content.source.sheetPart);
  }

  private head({ prefix }: SheetHead, xml: string): string {
    const root = xml.slice(xml.search(/<[^!?]/));
    this.namespace = attributeOf(root, prefix === "" ? "xmlns" : `xmlns:${prefix.slice(0, -1)}`) ?? "";
    return xml;
  }

  private remember({ line, remarks }: AnswerLine): void {
    for (const [column, text] of remarks) {
      if (this.remarks.length < REMARKS_MAX) this.remarks.push({ column, line, text });
    }
  }

  private tail({ xml }: SheetTail, prefix: string): string {
    const { sent, relations, typeBase } = this.given;
    const [drawing] = elementsOf(xml, `${prefix}legacyDrawing`);
    // Pictures in headers and footers use the same kind of drawing, so it is found by its id.
    const id = drawing === undefined ? undefined : relationshipIdOf(drawing);
    this.drawingPart = this.partOf((relation) => relation.id === id);
    if (this.remarks.length === 0) return xml;
    if (this.commentsPart === undefined) {
      this.commentsPart = sent.freeName("xl/comments", ".xml");
      relations.add("comments", this.commentsPart, typeBase);
    }
    if (this.drawingPart !== undefined) return xml;
    this.drawingPart = sent.freeName("xl/drawings/vmlDrawing", ".vml");
    const added = relations.add("vmlDrawing", this.drawingPart, typeBase);
    const element = `<${prefix}legacyDrawing xmlns:r="${typeBase}" r:id="${added}"/>`;
    return insertBefore(xml, BEHIND_LEGACY_DRAWING, element);
  }

  private partOf(isMeant: (relation: Relationship) => boolean): string | undefined {
    const target = this.given.relations.list().find(isMeant)?.target;
    return target === undefined ? undefined : this.given.sent.find(target);
  }
}

/** ECMA-376 part 1, 18.3.1.99: the order of a sheet's elements is fixed. */
const BEHIND_LEGACY_DRAWING = [
  "legacyDrawingHF",
  "drawingHF",
  "picture",
  "oleObjects",
  "controls",
  "AlternateContent",
  "webPublishItems",
  "tableParts",
  "extLst",
];
