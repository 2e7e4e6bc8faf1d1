/**
 * Finds private keys and active content outside the cells of the payouts, since answers repeat a workbook part by part:
 * in other sheets, comments, drawings, links, properties. Keys among the payouts are found when their rows are checked.
 */
import { present } from "../../model/present.ts";
import { holdsPrivateKey } from "../../model/private-key.ts";
import type { Archive } from "./archive.ts";
import { ContentScan } from "./content-scan.ts";
import { withWellFormedVml } from "./vml.ts";
import type { Workbook, Worksheet } from "./workbook.ts";
import { walkXmlPart } from "./xml-part.ts";

/** What was found, in words: the place of a private key, or what the active content is and its place. */
export type ForbiddenContent =
  | { readonly kind: "key"; readonly place: string }
  | { readonly kind: "active"; readonly what: string; readonly sheet?: string; readonly cell?: string };

/** A sheet whose rows were read, and what was found around them meanwhile. */
export interface ScannedSheet {
  readonly sheet: Worksheet;
  readonly scan: ContentScan;
}

/** The first private key, otherwise the first active content; undefined if there is none. */
export async function findForbiddenContent(
  archive: Archive,
  workbook: Workbook,
  scanned: ScannedSheet | undefined,
): Promise<ForbiddenContent | undefined> {
  const { sheets, sharedTexts } = workbook;
  if (scanned?.scan.holdsKey === true)
    return { kind: "key", place: "a link, a formula or another text beside the cells" };
  for (let index = 0; index < sharedTexts.length; index += 1) {
    const isOutside = scanned === undefined || !sharedTexts.isShown(index);
    if (isOutside && holdsPrivateKey(sharedTexts.at(index) ?? ""))
      return { kind: "key", place: "a text outside the payouts" };
  }
  let active = activeIn(scanned?.scan, scanned?.sheet);
  const parts = withWellFormedVml(archive);
  for (const partName of archive.partNames) {
    if (partName === scanned?.sheet.partName || partName === workbook.sharedTextsPart) continue;
    if (!(await isMarkup(archive, partName))) continue;
    const scan = new ContentScan();
    const sheet = sheets.find((candidate) => candidate.partName === partName);
    for await (const _ of walkXmlPart(parts, partName, scan))
      if (scan.holdsKey)
        return { kind: "key", place: sheet === undefined ? placeOf(partName) : "another sheet" };
    active ??= activeIn(scan, sheet);
  }
  return active;
}

function activeIn(scan: ContentScan | undefined, sheet: Worksheet | undefined): ForbiddenContent | undefined {
  if (scan?.active === undefined) return undefined;
  return { kind: "active", ...scan.active, ...present({ sheet: sheet?.name }) };
}

/** By its first bytes, since a part may have any name; pictures are not scanned. */
async function isMarkup(archive: Archive, partName: string): Promise<boolean> {
  if (/\.svg$/i.test(partName)) return false;
  for await (const start of archive.read(partName))
    return /^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)?[\0\s]*</.test(
      start.toString("latin1", 0, 256),
    );
  return false;
}

function placeOf(partName: string): string {
  return PLACES.find(([pattern]) => pattern.test(partName))?.[1] ?? "a part outside the payouts";
}

const PLACES: readonly (readonly [part: RegExp, inWords: string])[] = [
  [/comment/i, "a comment"],
  [/^docProps\//i, "a property of the document"],
  [/drawing/i, "a drawing"],
  [/workbook\.xml$/i, "a defined name"],
  [/\.rels$/i, "a link"],
];
