/**
 * Searches a workbook for private keys outside the cells of its payouts: other sheets, comments, drawings, links,
 * properties. Keys among the payouts are found when their rows are checked.
 */
import { holdsPrivateKey } from "../../model/private-key.ts";
import type { FileLimits } from "../file-limits.ts";
import type { Archive } from "./archive.ts";
import type { Workbook, Worksheet } from "./workbook.ts";
import { walkXmlPart } from "./xml-part.ts";
import type { Attributes, XmlHandler } from "./xml-walker.ts";

/**
 * The place of the first private key, in words; undefined if there is none. `besides`: the sheet whose rows were just
 * read and found harmless; without it everything is searched. Reads at most 64 MiB of markup.
 */
export async function findStrayKey(
  archive: Archive,
  { sheets, sharedTexts }: Workbook,
  besides: Worksheet | undefined,
  limits: FileLimits,
): Promise<string | undefined> {
  for (let index = 0; index < sharedTexts.length; index += 1) {
    const isBesides = besides === undefined || !sharedTexts.isShown(index);
    if (isBesides && holdsPrivateKey(sharedTexts.at(index) ?? "")) return "a text outside the payouts";
  }
  let bytes = 0;
  for (const partName of archive.partNames) {
    if (partName === besides?.partName || !MARKUP.test(partName) || WITHOUT_TEXTS.test(partName)) continue;
    const handler = new TextHandler();
    for await (const chunkBytes of walkXmlPart(archive, partName, handler, limits)) {
      if (handler.holdsKey)
        return sheets.some((sheet) => sheet.partName === partName)
          ? "another sheet"
          : (PLACES.find(([pattern]) => pattern.test(partName))?.[1] ?? "a part outside the payouts");
      bytes += chunkBytes;
      if (bytes > SEARCHED_BYTES_MAX) return undefined;
    }
  }
  return undefined;
}

const SEARCHED_BYTES_MAX = 64 * 1024 * 1024;
const MARKUP = /\.(?:xml|rels|vml)$/i;

/** Parts that need no search: shared strings are searched one by one. */
const WITHOUT_TEXTS = /(?:^|\/)(?:sharedStrings|styles|theme\d*|calcChain)\.xml$/i;

const PLACES: readonly (readonly [part: RegExp, inWords: string])[] = [
  [/comment/i, "a comment"],
  [/^docProps\//i, "a property of the document"],
  [/drawing/i, "a drawing"],
  [/workbook\.xml$/i, "a defined name"],
  [/\.rels$/i, "a link"],
];

/** Elements that divide a text without ending it: rich text runs and their properties. */
const INSIDE_TEXTS: ReadonlySet<string> = new Set(
  "t r rPr pPr b i u strike sz color rFont family charset scheme vertAlign latin ea cs solidFill srgbClr font span".split(
    " ",
  ),
);

class TextHandler implements XmlHandler {
  holdsKey = false;
  private texts = "";

  open(_: string, attributes: Attributes): void {
    if (Object.values(attributes).some((value) => holdsPrivateKey(value))) this.holdsKey = true;
  }

  text(text: string): void {
    this.texts += text;
  }

  close(name: string): void {
    if (INSIDE_TEXTS.has(name)) return;
    if (holdsPrivateKey(this.texts)) this.holdsKey = true;
    this.texts = "";
  }
}
