/** What a sheet says outside its cells, for people to see: comments, text boxes, pictures, page headers and footers. */
import type { OutsideText } from "../../model/grid.ts";
import type { Archive } from "./archive.ts";
import { type Relation, readRelations } from "./relations.ts";
import type { Worksheet } from "./workbook.ts";
import { readXmlPart, type XmlHandler } from "./xml-part.ts";

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
    if (/^(?:comments|threadedComment|drawing)$/.test(kind))
      await readXmlPart(archive, part, gathering(texts));
    if (kind === "drawing") pictureCount += (await readRelations(archive, part)).filter(isPicture).length;
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

/** Adds the text of each comment and text box. */
function gathering(texts: OutsideText[]): XmlHandler {
  let open: { place: string; text: string } | undefined;
  return {
    open: (name, { ref }) => {
      if (!HOLDS_TEXT.test(name)) return;
      const comment = ref === undefined ? "a comment" : `the comment on ${ref}`;
      open = { place: name === "txBody" ? "a text box" : comment, text: "" };
    },
    text: (part) => {
      if (open !== undefined && open.text.length < TEXT_LENGTH_MAX) open.text += part;
    },
    close: (name) => {
      if (!HOLDS_TEXT.test(name) || open === undefined) return;
      const text = open.text.replace(/\s+/g, " ").trim();
      if (text !== "" && texts.length < TEXTS_MAX) texts.push({ place: open.place, text });
      open = undefined;
    },
  };
}

const HOLDS_TEXT = /^(?:comment|threadedComment|txBody)$/;
