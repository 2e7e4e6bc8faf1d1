/**
 * Refuses a workbook that holds a private key, or something that acts because the workbook is opened, in a part that is
 * not read: another sheet, a drawing, a link, a property. By the parts' text, since they may be of any kind.
 */
import { fault } from "../../faults/index.ts";
import { holdsPrivateKey } from "../../model/private-key.ts";
import { chunksHoldKey } from "../key-in-file.ts";
import { activeElement, activeFormula } from "./active-content.ts";
import type { Archive } from "./archive.ts";
import type { Workbook, Worksheet } from "./workbook.ts";
import { isTrue } from "./xml-part.ts";

/** `shownTexts`: the indexes of shared texts that the sheet shows; its cells are checked with their rows. */
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
    if (await chunksHoldKey(archive.read(partName))) throw secretIn(placeOf(partName), file);
    const what = await activeContent(archive.read(partName));
    if (what !== undefined) throw fault("WORKBOOK_IS_ACTIVE", { what }, { file });
  }
}

function secretIn(field: string, file: string): Error {
  return fault("VALUE_IS_SECRET", { field }, { file });
}

/** By its first bytes, since a part may have any name; pictures are not searched. */
async function isMarkup(archive: Archive, partName: string): Promise<boolean> {
  for await (const start of archive.read(partName))
    return /^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)?[\0\s]*</.test(
      start.toString("latin1", 0, 256),
    );
  return false;
}

/** Tags and formulas do not divide at the end of a chunk: what may be a beginning is searched again with the next one. */
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
const FORMULAS =
  /<(?:[\w.-]+:)?(?:f|formula[12]?|definedName|calculatedColumnFormula|totalsRowFormula)(?:\s[^>]*)?>([^<]+|<!\[CDATA\[[^\]]*)/g;
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

function placeOf(partName: string): string {
  return PLACES.find(([pattern]) => pattern.test(partName))?.[1] ?? "a part outside the payouts";
}

const PLACES: readonly (readonly [part: RegExp, inWords: string])[] = [
  [/worksheets\//i, "another sheet"],
  [/comment/i, "a comment"],
  [/^docProps\//i, "a property of the document"],
  [/drawing/i, "a drawing"],
  [/workbook\.xml$/i, "a defined name"],
  [/\.rels$/i, "a link"],
];
