/** What a sheet says outside its cells, for people to see: comments, text boxes, pictures, page headers and footers. */
import type { OutsideText } from "../../model/grid.ts";
import type { Archive } from "./archive.ts";
import { type Relation, readRelations } from "./relations.ts";
import type { Worksheet } from "./workbook.ts";
import { readXmlPart } from "./xml-part.ts";
import type { XmlHandler } from "./xml-walker.ts";

export interface Outside {
  readonly texts: readonly OutsideText[];
  readonly pictureCount: number;
}

/** `pageTexts`: the sheet's page headers and footers, with the codes that divide them into left, centre and right. */
export async function readOutside(
  archive: Archive,
  sheet: Worksheet,
  pageTexts: readonly string[],
): Promise<Outside> {
  const texts: OutsideText[] = pageTexts
    .map((text) => text.replace(/&(?:[LCR]|"[^"]*"|K[\dA-F]{6}|\d+|[A-Z])/g, " ").trim())
    .filter((text) => text !== "")
    .map((text) => ({ place: "the page's header or footer", text }));
  let pictureCount = 0;
  for (const { kind, partName, isExternal } of await readRelations(archive, sheet.partName)) {
    const part = isExternal ? undefined : archive.find(partName);
    if (part === undefined) continue;
    if (kind === "comments") await readXmlPart(archive, part, comments(texts, "ref"));
    else if (kind === "threadedComment") await readXmlPart(archive, part, comments(texts, "ref"));
    else if (kind === "drawing") {
      await readXmlPart(archive, part, textBoxes(texts));
      pictureCount += (await readRelations(archive, part)).filter(isPicture).length;
    }
    if (texts.length >= TEXTS_MAX) break;
  }
  return { texts: texts.slice(0, TEXTS_MAX), pictureCount };
}

/** More than a person reads; the rest of a sheet's comments is not kept. */
const TEXTS_MAX = 1000;
const TEXT_LENGTH_MAX = 1000;

function isPicture({ kind }: Relation): boolean {
  return kind === "image" || kind === "chart";
}

function comments(texts: OutsideText[], reference: "ref"): XmlHandler {
  return gathering(texts, new Set(["comment", "threadedComment"]), (attributes) => {
    const cell = attributes[reference];
    return cell === undefined ? "a comment" : `the comment on ${cell}`;
  });
}

function textBoxes(texts: OutsideText[]): XmlHandler {
  return gathering(texts, new Set(["txBody"]), () => "a text box");
}

/** Adds the text of each element with one of these names. */
function gathering(
  texts: OutsideText[],
  names: ReadonlySet<string>,
  placeOf: (attributes: Readonly<Record<string, string>>) => string,
): XmlHandler {
  let open: { place: string; text: string } | undefined;
  return {
    open: (name, attributes) => {
      if (names.has(name)) open = { place: placeOf(attributes), text: "" };
    },
    text: (part) => {
      if (open !== undefined && open.text.length < TEXT_LENGTH_MAX) open.text += part;
    },
    close: (name) => {
      if (!names.has(name) || open === undefined) return;
      const text = open.text.replace(/\s+/g, " ").trim();
      if (text !== "" && texts.length < TEXTS_MAX) texts.push({ place: open.place, text });
      open = undefined;
    },
  };
}
