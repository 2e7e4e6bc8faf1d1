/**
 * Parses the XML of one workbook part by events, chunk by chunk. Names come without namespace prefix, because producers
 * choose their own, and strict and transitional OOXML differ only in namespaces. Document types are refused.
 */
import { isAscii } from "node:buffer";
import { TextDecoder } from "node:util";
import { Fault, fault } from "../../faults/index.ts";
import { type Archive, malformed, refused } from "./archive.ts";
import { type Attributes, type XmlHandler, xmlWalker } from "./xml-walker.ts";

/** Yields after each chunk, with its bytes, so that the caller can pass on what was found and may stop. */
export async function* walkXmlPart(
  archive: Archive,
  partName: string,
  handler: XmlHandler,
): AsyncGenerator<number> {
  const refuse = (what: string) => refused(`${partName} ${what}`, archive.path);
  const walker = xmlWalker(handler, archive.limits, refuse);
  let decoder: Pick<TextDecoder, "decode"> | undefined;
  try {
    for await (const chunk of archive.read(partName)) {
      decoder ??= decoderFor(chunk, partName, archive.path);
      walker.write(decoder.decode(chunk, { stream: true }));
      yield chunk.length;
    }
    decoder?.decode();
    walker.end();
  } catch (error) {
    if (error instanceof Fault || !(error instanceof Error)) throw error;
    throw malformed(`${partName} is not well-formed (${error.message})`, archive.path, { cause: error });
  }
  yield 0;
}

/** Reads a whole part at once. Fault: FILE_TOO_LARGE above `bytesMax`. */
export async function readXmlPart(
  archive: Archive,
  partName: string,
  handler: XmlHandler,
  bytesMax = archive.limits.smallPartBytesMax,
): Promise<void> {
  const found = archive.inflatedBytes(partName);
  if (found > bytesMax) {
    const where = { file: archive.path };
    throw fault("FILE_TOO_LARGE", { found, unit: `bytes in its part ${partName}`, limit: bytesMax }, where);
  }
  for await (const _ of walkXmlPart(archive, partName, handler));
}

/** The values of the attributes with this local name, whatever their prefixes: `r:id` for `id`. */
export function prefixedAttributes(attributes: Attributes, localName: string): string[] {
  return Object.entries(attributes).flatMap(([name, value]) => (name.endsWith(`:${localName}`) ? value : []));
}

/** Whether an attribute is set; to some programs ` 1 ` and `on` are true as well. */
export function isTrue(attribute = "false"): boolean {
  return !/^\s*(?:0|false)\s*$/.test(attribute);
}

/** Whether a font property is set; the bare element means yes. */
export function isSet({ val = "1" }: Attributes): boolean {
  return isTrue(val);
}

/**
 * Without a byte order mark the XML is UTF-8; OOXML allows only UTF-8 and UTF-16 (ECMA-376 part 2, 6.1.2). Some .NET
 * programs declare UTF-16 and write UTF-8; others declare an encoding of single bytes, and write ASCII.
 */
function decoderFor(start: Buffer, partName: string, path: string): Pick<TextDecoder, "decode"> {
  if (start[0] === 0xff && start[1] === 0xfe) return new TextDecoder("utf-16le", { fatal: true });
  if (start[0] === 0xfe && start[1] === 0xff) return new TextDecoder("utf-16be", { fatal: true });
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  const declared = DECLARATION.exec(start.toString("latin1", 0, DECLARATION_BYTES_MAX))?.[1] ?? "UTF-8";
  if (/^(?:utf-?8|utf-?16.*)$/i.test(declared)) return utf8;
  return {
    decode: (bytes: Uint8Array = new Uint8Array(), options) => {
      if (isAscii(bytes)) return utf8.decode(bytes, options);
      const reason = `its part ${partName} is written in ${declared}, and a workbook's must be in UTF-8`;
      throw malformed(reason, path);
    },
  };
}

const DECLARATION = /^(?:\xef\xbb\xbf)?<\?xml[^>]*?\sencoding\s*=\s*["']([\w.-]+)["']/;
const DECLARATION_BYTES_MAX = 256;
