/** Reads the shared strings, to which cells refer by index; held in memory, with a limit of their own. */
import type { Fault } from "../../faults/index.ts";
import { type Archive, malformed } from "./archive.ts";
import type { Theme } from "./colours.ts";
import { decodeEscapes } from "./escapes.ts";
import { RunStyles } from "./run-styles.ts";
import { SharedTexts } from "./shared-texts.ts";
import { readXmlPart } from "./xml-part.ts";
import type { XmlHandler } from "./xml-walker.ts";

/** Joins rich text and leaves out phonetic runs; empty without a part. Faults: FILE_TOO_LARGE, XLSX_MALFORMED. */
export async function readSharedStrings(
  archive: Archive,
  partName: string | undefined,
  theme: Theme,
): Promise<SharedTexts> {
  if (partName === undefined) return new SharedTexts(0);
  const { sharedStringsBytesMax } = archive.limits;
  const bytes = Math.min(archive.inflatedBytes(partName), sharedStringsBytesMax);
  const texts = new SharedTexts(Math.ceil(bytes * UTF8_GROWTH_MAX));
  const refuse = () => malformed(`programs read different texts in ${partName}`, archive.path);
  await readXmlPart(archive, partName, textsHandler(texts, theme, refuse), sharedStringsBytesMax);
  return texts;
}

/** Adds each item's text while its elements go by. `refuse` makes the fault for an element that is out of place. */
function textsHandler(texts: SharedTexts, theme: Theme, refuse: () => Fault): XmlHandler {
  const styles = new RunStyles(theme);
  let item = "";
  let isInText = false;
  let isInPhoneticRun = false;
  return {
    open: (name, attributes, isForeign, path) => {
      const isElsewhere = PARENTS.get(name)?.includes(path.at(-2) ?? "") === false;
      if (isForeign || isElsewhere) throw refuse();
      if (name === "si") {
        item = "";
        styles.start();
      } else if (name === "rPh") isInPhoneticRun = true;
      else if (name === "t") isInText = !isInPhoneticRun;
      else styles.open(name, attributes);
    },
    text: (part) => {
      if (!isInText) return;
      item += part;
      styles.text(part);
    },
    close: (name) => {
      if (name === "t") isInText = false;
      else if (name === "rPh") isInPhoneticRun = false;
      else if (name === "si") texts.add(decodeEscapes(item), styles.marks);
    },
    readPlain: ({ text }, start, written) => {
      if (written.length > 1 || written[0] !== "sst") return start;
      let end = start;
      for (PLAIN_ITEM.lastIndex = start; ; end = PLAIN_ITEM.lastIndex) {
        const [, plainText] = PLAIN_ITEM.exec(text) ?? [];
        if (plainText === undefined) return end;
        texts.add(decodeEscapes(plainText));
      }
    },
  };
}

/** Required parents of an item's elements (ECMA-376 part 1, 18.4.8); programs skip texts elsewhere. */
const PARENTS: ReadonlyMap<string, readonly string[]> = new Map([
  ["si", ["sst"]],
  ["r", ["si"]],
  ["rPh", ["si"]],
  ["t", ["si", "r", "rPh"]],
]);

/** Growth when a UTF-16 part becomes UTF-8; entities and escapes only shrink. */
const UTF8_GROWTH_MAX = 3 / 2;

/**
 * An item of one plain text, as nearly all are: without entities and `]`, with line feeds as the only line ends, and
 * without characters that XML 1.1 restricts.
 */
const PLAIN_ITEM =
  /[\t\n ]*<si><t(?: xml:space="preserve")?>([\t\n -%'-;=-\\^-~\u00a0-\u2027\u2029-\ud7ff]*)<\/t><\/si>/y;
