/**
 * Parses the XML of one workbook part by events, chunk by chunk. Names come without namespace prefix, because
 * producers choose their own, and strict and transitional OOXML differ only in namespaces. Document types are
 * refused.
 */
import { isAscii } from "node:buffer";
import { TextDecoder } from "node:util";
import { SaxesParser } from "saxes";
import { Fault, fault } from "../../faults/index.ts";
import { present } from "../../model/present.ts";
import type { FileLimits } from "../file-limits.ts";
import { type Archive, malformed, refused } from "./archive.ts";

export type Attributes = Readonly<Record<string, string>>;

export interface XmlHandler {
  /**
   * `isForeign`: the element has another namespace than the root. `path`: the names of all open elements, the root
   * first and this one last; valid only during the call.
   */
  open(name: string, attributes: Attributes, isForeign: boolean, path: readonly string[]): void;
  close?(name: string, path: readonly string[]): void;
  text?(text: string, path: readonly string[]): void;
}

/** Yields the bytes of each chunk after it, so that the caller can pass on its findings and may stop. */
export async function* walkXmlPart(
  archive: Archive,
  partName: string,
  handler: XmlHandler,
): AsyncGenerator<number> {
  const refuse = (what: string) => refused(`${partName} ${what}`, archive.path);
  const walker = xmlWalker(handler, archive.limits, refuse);
  let encoding: ReturnType<typeof encodingOf> | undefined;
  let decoder: TextDecoder | undefined;
  try {
    for await (const chunk of archive.read(partName)) {
      encoding ??= encodingOf(chunk);
      decoder ??= new TextDecoder(encoding.label, { fatal: true });
      if (encoding.asciiOnly !== undefined && !isAscii(chunk))
        throw malformed(
          `its part ${partName} is written in ${encoding.asciiOnly} and not in UTF-8`,
          archive.path,
        );
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

/** Whether an attribute is set. For some programs ` 1 ` and `on` are true as well. */
export function isTrue(attribute = "false"): boolean {
  return !/^\s*(?:0|false)\s*$/.test(attribute);
}

/** Whether a font property is set; the bare element means yes. */
export function isSet({ val = "1" }: Attributes): boolean {
  return isTrue(val);
}

/**
 * Without a byte order mark the XML is UTF-8; OOXML allows only UTF-8 and UTF-16 (ECMA-376 part 2, 6.1.2). Some
 * .NET programs declare UTF-16 and write UTF-8. Others declare a single-byte encoding and write ASCII.
 */
function encodingOf(start: Buffer): { readonly label: string; readonly asciiOnly?: string } {
  if (start[0] === 0xff && start[1] === 0xfe) return { label: "utf-16le" };
  if (start[0] === 0xfe && start[1] === 0xff) return { label: "utf-16be" };
  const declared = DECLARATION.exec(start.toString("latin1", 0, DECLARATION_BYTES_MAX))?.[1];
  return { label: "utf-8", ...present({ asciiOnly: declared }) };
}

const DECLARATION = /^(?:\xef\xbb\xbf)?<\?xml[^>]*?\sencoding\s*=\s*["'](?!utf-?8["']|utf-?16)([\w.-]+)["']/i;
const DECLARATION_BYTES_MAX = 256;

/**
 * Throws the handler's errors, the fault that `refuse` makes of a doctype or limit, and saxes' own Error. Elements
 * of another namespace than the root's may have the same local names, and programs that do not know their namespace
 * skip them (ECMA-376 part 3, 7.2): reading them as rows would show another sheet than the sender sees.
 */
function xmlWalker(handler: XmlHandler, limits: FileLimits, refuse: (what: string) => Fault) {
  const parser = new SaxesParser({ xmlns: false, position: false });
  const path: string[] = [];
  const scopes: ReadonlyMap<string, string>[] = [new Map()];
  let rootNamespace: string | undefined;
  let tags = 0;
  let charactersSinceTag = 0;
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("doctype", () => {
    throw refuse("declares a document type");
  });
  parser.on("opentag", ({ name, attributes }) => {
    tags += 1;
    const colon = name.indexOf(":");
    path.push(name.slice(colon + 1));
    if (path.length > limits.xmlDepthMax) throw refuse(`nests deeper than ${limits.xmlDepthMax} elements`);
    const scope = withDeclarations(scopes.at(-1) ?? new Map(), attributes);
    scopes.push(scope);
    const namespace = scope.get(name.slice(0, Math.max(0, colon))) ?? "";
    rootNamespace ??= namespace;
    handler.open(path.at(-1) ?? "", attributes, namespace !== rootNamespace, path);
  });
  parser.on("closetag", () => {
    tags += 1;
    scopes.pop();
    handler.close?.(path.at(-1) ?? "", path);
    path.pop();
  });
  if (handler.text !== undefined) {
    const onText = (text: string) => handler.text?.(text, path);
    parser.on("text", onText);
    parser.on("cdata", onText);
  }
  return { write, end: () => parser.close() };

  function write(text: string): void {
    const tagsBefore = tags;
    parser.write(text);
    charactersSinceTag = tags > tagsBefore ? 0 : charactersSinceTag + text.length;
    if (charactersSinceTag > TEXT_WITHOUT_TAG_MAX)
      throw refuse(`has more than ${TEXT_WITHOUT_TAG_MAX} characters between two tags`);
  }
}

/** Longer than any cell may be. Comments, attributes and processing instructions count as well. */
const TEXT_WITHOUT_TAG_MAX = 1024 * 1024;

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
