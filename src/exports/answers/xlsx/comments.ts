/**
 * The comments of a sheet: the sender's stay, an earlier answer's are removed, and each marked cell gets its reason as
 * one. Excel shows a comment only if a legacy drawing (VML) has a shape for it.
 */
import { columnLetters } from "../../../model/index.ts";
import { appendTo, attributeOf, elementsOf, prefixOf, textElement, withoutElements } from "./xml-text.ts";

export interface Remark {
  /** From 0. */
  readonly column: number;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** More shapes make a sheet slow to open. Cells beyond are still marked, and their reasons are in the row. */
export const REMARKS_MAX = 10_000;

/** The content type of a legacy drawing. */
export const VML_TYPE = "application/vnd.openxmlformats-officedocument.vmlDrawing";

const AUTHOR = "Paydrop";

export interface CommentParts {
  readonly comments: string;
  readonly drawing: string;
}

/** `sent`: the two parts as sent, if any. `namespace`: of the sheet; strict OOXML has another one. */
export function commentParts(
  sent: Partial<CommentParts>,
  remarks: readonly Remark[],
  namespace: string,
): CommentParts {
  const empty = `<comments xmlns="${namespace}"><authors></authors><commentList></commentList></comments>`;
  const xml = sent.comments ?? empty;
  const prefix = prefixOf(xml, "comments");
  const authors = elementsOf(xml, `${prefix}author`);
  const ours = authors.findIndex((author) => author.includes(`>${AUTHOR}<`));
  const comments = elementsOf(xml, `${prefix}comment`);
  // LibreOffice does not keep authors, so our comments are recognised by their first word.
  const isOurs = (comment: string) =>
    new RegExp(`^<${prefix}text>(?:<(?!${prefix}t[\\s>])[^>]*>)*<${prefix}t[^>]*>${REASON_START}`).test(
      elementsOf(comment, `${prefix}text`)[0] ?? "",
    );
  const kept = comments
    .filter((comment) => !isOurs(comment))
    .map((comment) => [attributeOf(comment, "ref") ?? "", withoutReason(comment, prefix)] as const);

  const list = new Map(kept);
  const authorId = ours < 0 ? authors.length : ours;
  for (const remark of remarks) {
    const reference = referenceOf(remark);
    list.set(reference, withReason(list.get(reference), reference, remark.text, prefix, authorId));
  }
  const withAuthor =
    ours < 0 ? appendTo(xml, `${prefix}authors`, `<${prefix}author>${AUTHOR}</${prefix}author>`) : xml;
  const sentList = elementsOf(withAuthor, `${prefix}commentList`)[0] ?? "";
  const made = `<${prefix}commentList>${[...list.values()].join("")}</${prefix}commentList>`;

  const shaped = new Set(kept.map(([reference]) => reference));
  const gone = comments.filter(isOurs).map((comment) => attributeOf(comment, "ref") ?? "");
  const shapes = remarks.filter((remark) => !shaped.has(referenceOf(remark)));
  return {
    comments: withAuthor.replace(sentList, () => made),
    drawing: withShapes(sent.drawing ?? NO_DRAWING, new Set(gone), shapes),
  };
}

/** A cell has at most one comment, so the reason goes below the sender's text, under our name. */
function withReason(
  sent: string | undefined,
  reference: string,
  reason: string,
  prefix: string,
  authorId: number,
): string {
  const run = (text: string) => `<${prefix}r>${textElement(prefix, text)}</${prefix}r>`;
  if (sent === undefined) {
    const text = `<${prefix}text>${run(REASON_START + reason)}</${prefix}text>`;
    return `<${prefix}comment ref="${reference}" authorId="${authorId}">${text}</${prefix}comment>`;
  }
  // Runs cannot follow plain text, so the sender's text becomes a run too.
  const plain = new RegExp(`<${prefix}text>\\s*(<${prefix}t[\\s>].*?</${prefix}t>)`, "s");
  const runs = sent.replace(plain, `<${prefix}text><${prefix}r>$1</${prefix}r>`);
  return appendTo(runs, `${prefix}text`, run(`\n${REASON_START}${reason}`));
}

const REASON_START = `${AUTHOR}: `;

/** Spreadsheet programs merge runs that look alike, so our part is cut out of the run that contains it. */
function withoutReason(comment: string, prefix: string): string {
  const start = comment.search(new RegExp(`(?:\\n|&#10;|&#xA;)${REASON_START}`, "i"));
  if (start < 0) return comment;
  return comment.slice(0, start) + comment.slice(comment.indexOf(`</${prefix}t>`, start));
}

function referenceOf({ column, line }: Remark): string {
  return `${columnLetters(column)}${line}`;
}

/** Programs choose their own prefixes, so each of our elements declares its own. */
const NAMESPACES =
  'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel"';

const NO_DRAWING = `<xml ${NAMESPACES}><o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/></o:shapelayout></xml>`;

const SHAPE_TYPE =
  `<v:shapetype ${NAMESPACES} id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe">` +
  '<v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>';

function withShapes(drawing: string, gone: ReadonlySet<string>, remarks: readonly Remark[]): string {
  const names = new Set([...drawing.matchAll(/<((?:[\w.-]+:)?shape)[\s>]/g)].map(([, name = ""]) => name));
  const isGone = (shape: string) => gone.has(referenceOfShape(shape));
  const left = [...names].reduce((xml, name) => withoutElements(xml, name, isGone), drawing);
  const type = left.includes('id="_x0000_t202"') ? "" : SHAPE_TYPE;
  return appendTo(left, "xml", type + remarks.map(shapeOf).join(""));
}

function referenceOfShape(shape: string): string {
  const row = /<(?:[\w.-]+:)?Row>\s*(\d+)\s*</.exec(shape)?.[1];
  const column = /<(?:[\w.-]+:)?Column>\s*(\d+)\s*</.exec(shape)?.[1];
  return row === undefined || column === undefined
    ? ""
    : `${columnLetters(Number(column))}${Number(row) + 1}`;
}

/** The anchor counts columns and rows from 0. The box is to the right of its cell, as high as its text needs. */
function shapeOf({ column, line, text }: Remark, index: number): string {
  const lines = Math.ceil(text.length / CHARACTERS_PER_LINE) + text.split("\n").length;
  const top = Math.max(0, line - 2);
  const anchor = `${column + 1}, 12, ${top}, 4, ${column + 4}, 12, ${top + lines}, 4`;
  return (
    `<v:shape ${NAMESPACES} id="_x0000_s${SHAPE_ID_START + index}" type="#_x0000_t202" style="position:absolute;visibility:hidden" fillcolor="#ffffe1" o:insetmode="auto">` +
    '<v:fill color2="#ffffe1"/><v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/><v:textbox style="mso-direction-alt:auto"/>' +
    `<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>${anchor}</x:Anchor><x:AutoFill>False</x:AutoFill>` +
    `<x:Row>${line - 1}</x:Row><x:Column>${column}</x:Column></x:ClientData></v:shape>`
  );
}

const CHARACTERS_PER_LINE = 30;
/** Above the ids that spreadsheet programs give to shapes on the first sheet. */
const SHAPE_ID_START = 90_000;
