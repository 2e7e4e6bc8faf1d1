/** Reads the table of texts that the cells of a workbook refer to by index; it is held in memory, so its size has a limit of its own. */
import type { FileLimits } from "../file-limits.ts";
import { type Archive, malformed } from "./archive.ts";
import type { Theme } from "./colours.ts";
import { decodeEscapes } from "./escapes.ts";
import { RunLooks } from "./run-looks.ts";
import { SharedTexts } from "./shared-texts.ts";
import { readXmlPart } from "./xml-part.ts";

/** Rich text is joined, phonetic runs are left out; none without a part. Faults: FILE_TOO_LARGE, XLSX_MALFORMED. */
export async function readSharedStrings(
  archive: Archive,
  partName: string | undefined,
  theme: Theme,
  limits: FileLimits,
): Promise<SharedTexts> {
  if (partName === undefined) return new SharedTexts(0);
  const bytes = Math.min(archive.inflatedBytes(partName), limits.sharedStringsBytesMax);
  const texts = new SharedTexts(Math.ceil(bytes * UTF8_GROWTH_MAX));
  let text = "";
  let isInText = false;
  let isInPhoneticRun = false;
  const looks = new RunLooks(theme);
  await readXmlPart(
    archive,
    partName,
    {
      open(name, attributes, isForeign) {
        if (isForeign) throw malformed(`programs read different texts in ${partName}`, archive.path);
        if (name === "si") {
          text = "";
          looks.start();
        } else if (name === "rPh") isInPhoneticRun = true;
        else if (name === "t") isInText = !isInPhoneticRun;
        else looks.open(name, attributes);
      },
      text(part) {
        if (!isInText) return;
        text += part;
        looks.text(part);
      },
      close(name) {
        if (name === "t") isInText = false;
        else if (name === "rPh") isInPhoneticRun = false;
        else if (name === "si") texts.add(decodeEscapes(text), looks.marks);
      },
      readPlain({ text }, start, open) {
        if (open.length > 1 || open[0] !== "sst") return start;
        let end = start;
        for (PLAIN_ITEM.lastIndex = start; ; end = PLAIN_ITEM.lastIndex) {
          const [, plainText] = PLAIN_ITEM.exec(text) ?? [];
          if (plainText === undefined) return end;
          texts.add(decodeEscapes(plainText));
        }
      },
    },
    limits,
    limits.sharedStringsBytesMax,
  );
  return texts;
}

/** Of a part in UTF-16; entities and escapes are longer than what they stand for. */
const UTF8_GROWTH_MAX = 3 / 2;

/** An item of one plain text, as nearly all are: without entities and `]`, line ends other than line feeds and what XML 1.1 restricts. */
const PLAIN_ITEM =
  /[\t\n ]*<si><t(?: xml:space="preserve")?>([\t\n -%'-;=-\\^-~\u00a0-\u2027\u2029-\ud7ff]*)<\/t><\/si>/y;
