/**
 * Searches the parts that are not read: other sheets, drawings, links, properties. Refuses a workbook that holds a
 * private key there, or content that acts because the workbook is opened. It searches their text, because parts may
 * be of any kind. Lists a sheet's contents outside its cells, for people to see: comments, text boxes, pictures,
 * page headers and footers.
 */
import { fault } from "../../faults/index.ts";
import type { Grid, OutsideText } from "../../model/grid.ts";
import { holdsPrivateKey } from "../../model/private-key.ts";
import { beginsAsMarkup, chunksHoldKey } from "../key-in-file.ts";
import { activeElement, activeFormula } from "./active-content.ts";
import type { Archive } from "./archive.ts";
import type { SheetFrame } from "./sheet-lines.ts";
import { readRelations, type Workbook, type Worksheet } from "./workbook.ts";
import { isTrue, readXmlPart, type XmlHandler } from "./xml-part.ts";

/**
 * `shownTexts`: the indexes of shared texts that the sheet shows; these are checked with the rows of their cells.
 */
export async function refuseOtherParts(
  archive: Archive,
  { sharedTexts, parts, path: file }: Workbook,
  sheet: Worksheet,
  shownTexts: ReadonlySet<number>,
): Promise<void> {
  const isHidden = (_: unknown, index: number) => !shownTexts.has(index);
  for (const shared of sharedTexts.filter(isHidden))
    if (holdsPrivateKey(typeof shared === "string" ? shared : shared.text))
      throw secretIn("a text outside the payouts", file);
  for (const partName of archive.partNames) {
    if (partName === sheet.partName || partName === parts.sharedTexts) continue;
    if (!(await isMarkup(archive, partName))) continue;
    if (await chunksHoldKey(archive.read(partName)))
      throw secretIn("a part outside the payouts: another sheet, a comment, a link or a property", file);
    const what = await activeContent(archive.read(partName));
    if (what !== undefined) throw fault("WORKBOOK_IS_ACTIVE", { what }, { file });
  }
}

function secretIn(field: string, file: string): Error {
  return fault("VALUE_IS_SECRET", { field }, { file });
}

/** False for pictures, which are not searched. */
async function isMarkup(archive: Archive, partName: string): Promise<boolean> {
  for await (const start of archive.read(partName)) return beginsAsMarkup(start);
  return false;
}

/**
 * A tag or formula may be split at the end of a chunk, so the end of each chunk is searched again with the next
 * one.
 */
async function activeContent(chunks: AsyncIterable<Buffer>): Promise<string | undefined> {
  let text = "";
  for await (const chunk of chunks) {
    text = text.slice(-OVERLAP_CHARACTERS) + chunk.toString("latin1").replaceAll("\0", "");
    const what = activeIn(text);
    if (what !== undefined) return what;
  }
  return undefined;
}

/** Longer than any tag or formula that spreadsheet programs accept. */
const OVERLAP_CHARACTERS = 16 * 1024;

const TAGS = /<(?:[\w.-]+:)?([A-Za-z]\w*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*\/?>/g;
const FORMULAS = new RegExp(
  [
    String.raw`<(?:[\w.-]+:)?(?:f|formula[12]?|definedName|calculatedColumnFormula|totalsRowFormula)`,
    String.raw`(?:\s[^>]*)?>([^<]+|<!\[CDATA\[[^\]]*)`,
  ].join(""),
  "g",
);
const ATTRIBUTES = /\s([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

function activeIn(text: string): string | undefined {
  let isRefreshed = false;
  for (const [, name = "", written = ""] of text.matchAll(TAGS)) {
    const attributes = Object.fromEntries(
      Array.from(written.matchAll(ATTRIBUTES), ([, key = "", one, other]) => [
        key,
        decoded(one ?? other ?? ""),
      ]),
    );
    const what = activeElement(name, attributes);
    if (what !== undefined) return what;
    if (name === "pivotCacheDefinition") isRefreshed = isTrue(attributes["refreshOnLoad"]);
    if (name === "cacheSource" && attributes["type"] === "external" && isRefreshed)
      return "a pivot table of other data that is refreshed by itself";
  }
  for (const [, formula = ""] of text.matchAll(FORMULAS)) {
    const what = activeFormula(decoded(formula));
    if (what !== undefined) return `${what} outside the payouts`;
  }
  return undefined;
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decoded(text: string): string {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (written, hex, digits, name) => {
    if (name !== undefined) return NAMED[name] ?? written;
    const code = hex === undefined ? Number.parseInt(digits, 10) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : written;
  });
}

/** `pageTexts`: the sheet's page headers and footers, with the codes that divide them into left, centre, right. */
export async function readOutside(
  archive: Archive,
  sheet: Worksheet,
  { pageTexts, struckRanges }: Pick<SheetFrame, "pageTexts" | "struckRanges">,
): Promise<Pick<Grid, "outside" | "pictureCount">> {
  const texts: OutsideText[] = pageTexts
    .filter((text) => !PAGE_NUMBER.test(text))
    .map((text) => text.replace(/&(?:[LCR]|"[^"]*"|K[\dA-F]{6}|\d+|[A-Z])/g, " ").trim())
    .filter((text) => text !== "")
    .map((text) => ({ place: "the page's header or footer", text }));
  for (const range of struckRanges)
    texts.push({ place: `the conditional format of ${range}`, text: "strikes out cells" });
  let pictureCount = 0;
  for (const { kind, partName, isExternal } of await readRelations(archive, sheet.partName)) {
    const part = isExternal ? undefined : archive.find(partName);
    if (part === undefined) continue;
    if (/^(?:comments|threadedComment|drawing)$/.test(kind))
      await readXmlPart(archive, part, gathering(texts));
    if (kind === "drawing")
      for (const shown of await readRelations(archive, part))
        if (shown.kind === "image" || shown.kind === "chart") pictureCount += 1;
    if (texts.length >= TEXTS_MAX) break;
  }
  return { outside: texts.slice(0, TEXTS_MAX), pictureCount };
}

/** Only the number of the page, as LibreOffice gives every sheet: "Page &P", in the language of the program. */
const PAGE_NUMBER = new RegExp(
  [
    String.raw`^(?:&(?:[LCR]|"[^"]*"|\d+))*`,
    "(?:page|seite|página|pagina|pàgina|strona|sayfa|strana|sida|side|sivu|oldal|страница|стр\\.?|ページ|第|页)?",
    String.raw` ?&P ?(?:页|(?:of|von|de|di|van|z|av|из|\/) &N)?$`,
  ].join(""),
  "iu",
);

/** More than a person reads; further comments of the sheet are dropped. */
const TEXTS_MAX = 1000;
const TEXT_LENGTH_MAX = 1000;

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
