/**
 * Walks the XML of one part of a workbook by events, chunk by chunk. Names come without their namespace prefix, because
 * producers choose their own and strict and transitional OOXML differ only in namespaces. Document types are refused.
 */
import { TextDecoder } from "node:util";
import { SaxesParser } from "saxes";
import { Fault, fault } from "../../faults/index.ts";
import type { FileLimits } from "../file-limits.ts";
import { type Archive, malformed, refused } from "./archive.ts";

export type Attributes = Readonly<Record<string, string>>;

export interface XmlHandler {
  open(name: string, attributes: Attributes): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** Gives control back after each chunk, with its bytes, so that the caller can hand on what was found and stop when it likes. */
export async function* walkXmlPart(
  archive: Archive,
  partName: string,
  handler: XmlHandler,
  limits: FileLimits,
): AsyncGenerator<number> {
  const refuse = (what: string) => refused(`${partName} ${what}`, archive.path);
  const walker = new Walker(handler, limits, refuse);
  let decoder: TextDecoder | undefined;
  try {
    for await (const chunk of archive.read(partName)) {
      decoder ??= decoderFor(chunk);
      walker.write(decoder.decode(chunk, { stream: true }));
      yield chunk.length;
    }
    walker.write(decoder?.decode() ?? "");
    walker.end();
  } catch (error) {
    if (error instanceof Fault || !(error instanceof Error)) throw error;
    throw malformed(`${partName} is not well-formed (${error.message})`, archive.path, { cause: error });
  }
  yield 0;
}

/** For parts that are read in one go. Fault: FILE_TOO_LARGE above `bytesMax`. */
export async function readXmlPart(
  archive: Archive,
  partName: string,
  handler: XmlHandler,
  limits: FileLimits,
  bytesMax = limits.smallPartBytesMax,
): Promise<void> {
  const found = archive.inflatedBytes(partName);
  if (found > bytesMax) {
    const where = { file: archive.path };
    throw fault("FILE_TOO_LARGE", { found, unit: `bytes in its part ${partName}`, limit: bytesMax }, where);
  }
  for await (const _ of walkXmlPart(archive, partName, handler, limits));
}

/** The value of the attribute with this local name, whatever its prefix: `r:id` for `id`. */
export function prefixedAttribute(attributes: Attributes, localName: string): string | undefined {
  const found = Object.entries(attributes).find(([name]) => name.endsWith(`:${localName}`));
  return found?.[1];
}

/** xsd:boolean. */
export function isTrue(attribute: string | undefined): boolean {
  return attribute === "1" || attribute === "true";
}

/** Longer than any cell may be; comments, attributes and processing instructions count as well. */
const TEXT_WITHOUT_TAG_MAX = 1024 * 1024;

class Walker {
  private readonly parser = new SaxesParser({ xmlns: false, position: false });
  private readonly refuse: (what: string) => Fault;
  private charactersSinceTag = 0;
  private hasTag = false;
  private depth = 0;

  constructor(handler: XmlHandler, limits: FileLimits, refuse: (what: string) => Fault) {
    this.refuse = refuse;
    const { parser } = this;
    parser.on("error", (error) => {
      throw error;
    });
    parser.on("doctype", () => {
      throw refuse("declares a document type");
    });
    parser.on("opentag", (tag) => {
      this.hasTag = true;
      this.depth += 1;
      if (this.depth > limits.xmlDepthMax) throw refuse(`nests deeper than ${limits.xmlDepthMax} elements`);
      handler.open(localName(tag.name), tag.attributes);
    });
    parser.on("closetag", (tag) => {
      this.hasTag = true;
      this.depth -= 1;
      handler.close?.(localName(tag.name));
    });
    if (handler.text !== undefined) {
      const onText = (text: string) => handler.text?.(text);
      parser.on("text", onText);
      parser.on("cdata", onText);
    }
  }

  write(text: string): void {
    this.hasTag = false;
    this.parser.write(text);
    this.charactersSinceTag = this.hasTag ? 0 : this.charactersSinceTag + text.length;
    if (this.charactersSinceTag > TEXT_WITHOUT_TAG_MAX) {
      throw this.refuse(`has more than ${TEXT_WITHOUT_TAG_MAX} characters between two tags`);
    }
  }

  end(): void {
    this.parser.close();
  }
}

function localName(name: string): string {
  const colon = name.indexOf(":");
  return colon < 0 ? name : name.slice(colon + 1);
}

/** XML without a byte order mark is UTF-8 here; OOXML allows UTF-8 and UTF-16 only (ECMA-376 part 2, 6.1.2). */
function decoderFor(start: Buffer): TextDecoder {
  const label =
    start[0] === 0xff && start[1] === 0xfe
      ? "utf-16le"
      : start[0] === 0xfe && start[1] === 0xff
        ? "utf-16be"
        : "utf-8";
  return new TextDecoder(label, { fatal: true });
}
