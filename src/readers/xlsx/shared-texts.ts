/** Reads the shared texts of a workbook, to which cells refer by index. */
import { type Archive, malformed } from "./archive.ts";
import { type Attributes, isSet, readXmlPart } from "./xml-part.ts";

/** A text, or a text in parts, if a part is struck out, raised or lowered. */
export type SharedText = string | TextInParts;

export interface TextInParts {
  readonly text: string;
  readonly parts: readonly string[];
  /** Whether every part with letters is struck out. */
  readonly isStruck: boolean;
}

/** Without phonetic runs; empty without this part. Faults: FILE_TOO_LARGE, XLSX_MALFORMED. */
export async function readSharedTexts(
  archive: Archive,
  partName: string | undefined,
): Promise<readonly SharedText[]> {
  const texts: SharedText[] = [];
  if (partName === undefined) return texts;
  const item = new TextRuns();
  const handler = {
    open: (name: string, attributes: Attributes, isForeign: boolean, path: readonly string[]) => {
      const isElsewhere = PARENTS.get(name)?.includes(path.at(-2) ?? "") === false;
      if (isForeign || isElsewhere)
        throw malformed(`programs read different texts in ${partName}`, archive.path);
      if (name === "si") item.start();
      else item.open(name, attributes);
    },
    text: (part: string) => item.text(part),
    close: (name: string) => {
      item.close(name);
      if (name === "si") texts.push(item.whole());
    },
  };
  await readXmlPart(archive, partName, handler, archive.limits.sharedStringsBytesMax);
  return texts;
}

/** Required parents of an item's elements (ECMA-376 part 1, 18.4.8); programs skip texts elsewhere. */
const PARENTS: ReadonlyMap<string, readonly string[]> = new Map([
  ["si", ["sst"]],
  ["r", ["si"]],
  ["rPh", ["si"]],
  ["t", ["si", "r", "rPh"]],
]);

/** Collects the runs of one rich text, shared or in its cell, as its elements are read. */
export class TextRuns {
  private runs: { text: string; look: string }[] = [];
  private look = "";
  private isInText = false;
  private isPhonetic = false;

  start(): void {
    this.runs = [];
    this.look = "";
    this.isInText = false;
    this.isPhonetic = false;
  }

  open(name: string, attributes: Attributes): void {
    if (name === "r") this.look = "";
    else if (name === "rPh") this.isPhonetic = true;
    else if (name === "t") {
      this.isInText = !this.isPhonetic;
      if (this.isInText) this.runs.push({ text: "", look: this.look });
    } else if (name === "strike" && isSet(attributes)) this.look += STRUCK;
    else if (name === "vertAlign" && attributes["val"] !== "baseline") this.look += attributes["val"];
  }

  text(part: string): void {
    const run = this.runs.at(-1);
    if (this.isInText && run !== undefined) run.text += part;
  }

  close(name: string): void {
    if (name === "t") this.isInText = false;
    else if (name === "rPh") this.isPhonetic = false;
    else if (name === "r") this.look = "";
  }

  whole(): SharedText {
    const text = decodeEscapes(this.runs.map((run) => run.text).join(""));
    const written = this.runs.filter((run) => run.text.trim() !== "");
    const isPlain = written.every(({ look }) => look === "");
    if (isPlain) return text;
    const isStruck = written.every(({ look }) => look.includes(STRUCK));
    return { text, parts: written.map((run) => decodeEscapes(run.text)), isStruck };
  }
}

const STRUCK = "struck ";

/**
 * Decodes the escapes `_xHHHH_` for characters that XML cannot hold (ECMA-376 part 1, 22.9.2.19, ST_Xstring).
 * Leaves those of NUL and of lone surrogates as written: none of our texts may contain them.
 */
export function decodeEscapes(text: string): string {
  if (!text.includes("_x")) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (written, digits: string) => {
    const code = Number.parseInt(digits, 16);
    return code === 0 || (code >= 0xd800 && code <= 0xdfff) ? written : String.fromCharCode(code);
  });
}
