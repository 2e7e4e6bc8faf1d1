/**
 * The comments of a sheet: those of the sender stay, those of an earlier answer go, and each marked cell has its reason in one.
 * Excel shows a comment only where a legacy drawing (VML) has a shape for it.
 */
import { columnLetters } from "../../../model/index.ts";
import { appendTo, attributeOf, elementsOf, prefixOf, textElement } from "./xml-text.ts";

export interface Remark {
  /** From 0. */
  readonly column: number;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** More shapes than this make a sheet slow to open; cells behind them are marked all the same, and the reason stands in the row. */
export const REMARKS_MAX = 10_000;

const AUTHOR = "Paydrop";
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

export interface CommentParts {
  readonly comments: string;
  readonly drawing: string;
}

/** `sent`: the two parts as they came, where there were any. `namespace`: that of the sheet, which differs in strict OOXML. */
export function commentParts(
  sent: Partial<CommentParts>,
  remarks: readonly Remark[],
  namespace = MAIN,
): CommentParts {
  const empty = `<comments xmlns="${namespace}"><authors></authors><commentList></commentList></comments>`;
  const earlier = withoutOurs(sent.comments ?? empty);
  const names = new Set(remarks.map(referenceOf));
  const comments = withRemarks(withoutCells(earlier.xml, names), remarks, earlier.kept);
  return { comments, drawing: withShapes(sent.drawing ?? NO_DRAWING, [...earlier.removed, ...names], remarks) };
}

interface EarlierComments {
  readonly xml: string;
  /** References of the cells whose comments were ours. */
  readonly removed: readonly string[];
  /** What the sender says, by reference. */
  readonly kept: ReadonlyMap<string, string>;
}

function withoutOurs(xml: string): EarlierComments {
  const prefix = prefixOf(xml, "comments");
  const authors = elementsOf(xml, `${prefix}author`);
  const ours = new Set(authors.flatMap((author, index) => (author.includes(`>${AUTHOR}<`) ? [String(index)] : [])));
  const removed: string[] = [];
  const kept = new Map<string, string>();
  const left = elementsOf(xml, `${prefix}comment`).filter((comment) => {
    const reference = attributeOf(comment, "ref") ?? "";
    const isOurs = ours.has(attributeOf(comment, "authorId") ?? "");
    if (isOurs) removed.push(reference);
    else kept.set(reference, comment);
    return !isOurs;
  });
  return { xml: withList(xml, prefix, left), removed, kept };
}

/** A cell has one comment at most. */
function withoutCells(xml: string, references: ReadonlySet<string>): string {
  const prefix = prefixOf(xml, "comments");
  const comments = elementsOf(xml, `${prefix}comment`);
  return withList(
    xml,
    prefix,
    comments.filter((comment) => !references.has(attributeOf(comment, "ref") ?? "")),
  );
}

function withList(xml: string, prefix: string, comments: readonly string[]): string {
  const [list] = elementsOf(xml, `${prefix}commentList`);
  const made = `<${prefix}commentList>${comments.join("")}</${prefix}commentList>`;
  return list === undefined ? xml : xml.replace(list, () => made);
}

function withRemarks(xml: string, remarks: readonly Remark[], kept: ReadonlyMap<string, string>): string {
  const prefix = prefixOf(xml, "comments");
  const authorId = elementsOf(xml, `${prefix}author`).length;
  const added = remarks.map((remark) => {
    const reference = referenceOf(remark);
    const sent = elementsOf(kept.get(reference) ?? "", `${prefix}text`)[0];
    const reason = `<${prefix}r>${textElement(`${prefix}t`, sent === undefined ? remark.text : `\n${remark.text}`)}</${prefix}r>`;
    // Runs cannot follow plain text, so the sender's own becomes a run too.
    const runs = sent?.replace(new RegExp(`<${prefix}text>\\s*(<${prefix}t[\\s>].*?</${prefix}t>)`, "s"), `<${prefix}text><${prefix}r>$1</${prefix}r>`);
    const text = runs === undefined ? `<${prefix}text>${reason}</${prefix}text>` : appendTo(runs, `${prefix}text`, reason);
    return `<${prefix}comment ref="${reference}" authorId="${authorId}">${text}</${prefix}comment>`;
  });
  const withAuthor = appendTo(xml, `${prefix}authors`, `<${prefix}author>${AUTHOR}</${prefix}author>`);
  return appendTo(withAuthor, `${prefix}commentList`, added.join(""));
}

function referenceOf({ column, line }: Remark): string {
  return `${columnLetters(column)}${line}`;
}

const NO_DRAWING =
  '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel">' +
  '<o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/></o:shapelayout></xml>';

const SHAPE_TYPE =
  '<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe">' +
  '<v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>';

function withShapes(drawing: string, gone: readonly string[], remarks: readonly Remark[]): string {
  const goneCells = new Set(gone);
  const left = elementsOf(drawing, "v:shape").reduce(
    (xml, shape) => (goneCells.has(referenceOfShape(shape)) ? xml.replace(shape, "") : xml),
    drawing,
  );
  const type = left.includes('id="_x0000_t202"') ? "" : SHAPE_TYPE;
  return appendTo(left, "xml", type + remarks.map(shapeOf).join(""));
}

function referenceOfShape(shape: string): string {
  const row = /<x:Row>\s*(\d+)\s*</.exec(shape)?.[1];
  const column = /<x:Column>\s*(\d+)\s*</.exec(shape)?.[1];
  return row === undefined || column === undefined ? "" : `${columnLetters(Number(column))}${Number(row) + 1}`;
}

/** The anchor counts columns and rows from 0; the box stands to the right of its cell, as high as its text needs. */
function shapeOf({ column, line, text }: Remark, index: number): string {
  const lines = Math.ceil(text.length / CHARACTERS_PER_LINE) + text.split("\n").length;
  const anchor = [column + 1, 12, Math.max(0, line - 2), 4, column + 4, 12, Math.max(0, line - 2) + lines, 4].join(", ");
  const shape =
    `<v:shape id="_x0000_s${SHAPE_ID_START + index}" type="#_x0000_t202" style="position:absolute;visibility:hidden" fillcolor="#ffffe1" o:insetmode="auto">` +
    '<v:fill color2="#ffffe1"/><v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/><v:textbox style="mso-direction-alt:auto"/>' +
    `<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>${anchor}</x:Anchor><x:AutoFill>False</x:AutoFill>` +
    `<x:Row>${line - 1}</x:Row><x:Column>${column}</x:Column></x:ClientData></v:shape>`;
  return shape;
}

const CHARACTERS_PER_LINE = 30;
/** Above the numbers that spreadsheet programs give to the shapes of a first sheet. */
const SHAPE_ID_START = 90_000;
