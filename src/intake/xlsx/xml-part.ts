/**
 * Parses the XML of one workbook part by events, chunk by chunk. Names come without namespace prefix, because producers
 * choose their own, and strict and transitional OOXML differ only in namespaces. Document types are refused.
 */
import { isAscii } from "node:buffer";
import { TextDecoder } from "node:util";
import { SaxesParser } from "saxes";
import { Fault, fault } from "../../faults/index.ts";
import type { FileLimits } from "../file-limits.ts";
import { type Archive, malformed, refused } from "./archive.ts";

export type Attributes = Readonly<Record<string, string>>;

export interface XmlHandler {
  /**
   * `isForeign`: the element has another namespace than the root. `path`: the names of all open elements, the root first
   * and this one last; valid only during the call.
   */
  open(name: string, attributes: Attributes, isForeign: boolean, path: readonly string[]): void;
  close?(name: string, path: readonly string[]): void;
  text?(text: string, path: readonly string[]): void;
}

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

/** Throws what the handler throws, what `refuse` makes of a doctype or limit, and saxes' own Error. */
function xmlWalker(handler: XmlHandler, limits: FileLimits, refuse: (what: string) => Fault) {
  const parser = new SaxesParser({ xmlns: false, position: false });
  const path: string[] = [];
  const namespaces = new XmlNamespaces();
  let tags = 0;
  let charactersSinceTag = 0;
  listen();
  return { write, end: () => parser.close() };

  function write(text: string): void {
    const tagsBefore = tags;
    parser.write(text);
    charactersSinceTag = tags > tagsBefore ? 0 : charactersSinceTag + text.length;
    if (charactersSinceTag > TEXT_WITHOUT_TAG_MAX)
      throw refuse(`has more than ${TEXT_WITHOUT_TAG_MAX} characters between two tags`);
  }

  function listen(): void {
    parser.on("error", (error) => {
      throw error;
    });
    parser.on("doctype", () => {
      throw refuse("declares a document type");
    });
    parser.on("opentag", ({ name, attributes }) => {
      tags += 1;
      path.push(localName(name));
      if (path.length > limits.xmlDepthMax) throw refuse(`nests deeper than ${limits.xmlDepthMax} elements`);
      handler.open(path.at(-1) ?? "", attributes, namespaces.open(name, attributes), path);
    });
    parser.on("closetag", ({ name }) => {
      tags += 1;
      namespaces.close();
      handler.close?.(localName(name), path);
      path.pop();
    });
    if (handler.text === undefined) return;
    const onText = (text: string) => handler.text?.(text, path);
    parser.on("text", onText);
    parser.on("cdata", onText);
  }
}

/** Longer than any cell may be. Comments, attributes and processing instructions count as well. */
const TEXT_WITHOUT_TAG_MAX = 1024 * 1024;

/** The name without its namespace prefix, which every producer chooses freely. */
function localName(name: string): string {
  const colon = name.indexOf(":");
  return colon < 0 ? name : name.slice(colon + 1);
}

/**
 * Tells which elements have the root's namespace. Others may have the same local names, and programs that do not know
 * their namespace skip them (ECMA-376 part 3, 7.2): reading them as rows would show another sheet than the sender sees.
 */
class XmlNamespaces {
  private readonly scopes: ReadonlyMap<string, string>[] = [new Map()];
  private root: string | undefined;

  /** Call for each opening tag, with its name as written. Returns whether its namespace differs from the root's. */
  open(name: string, attributes: Attributes): boolean {
    const scope = withDeclarations(this.scopes.at(-1) ?? new Map(), attributes);
    this.scopes.push(scope);
    const colon = name.indexOf(":");
    const namespace = scope.get(colon < 0 ? "" : name.slice(0, colon)) ?? "";
    this.root ??= namespace;
    return namespace !== this.root;
  }

  close(): void {
    this.scopes.pop();
  }
}

/** Few elements declare a prefix, so most share the scope of their parent. */
function withDeclarations(
  outer: ReadonlyMap<string, string>,
  attributes: Attributes,
): ReadonlyMap<string, string> {
  let scope: Map<string, string> | undefined;
  for (const name in attributes) {
    if (!name.startsWith("xmlns")) continue;
    scope ??= new Map(outer);
    scope.set(name.slice("xmlns:".length), attributes[name] ?? "");
  }
  return scope ?? outer;
}
