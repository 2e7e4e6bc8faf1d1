/**
 * Parses one XML document that comes in chunks and calls a handler for its tags and texts. saxes does the parsing and
 * refuses what is not well-formed. A handler may read ahead by itself, but only whole elements, so that saxes never
 * notices them.
 */
import { SaxesParser } from "saxes";
import type { Fault } from "../../faults/index.ts";
import type { FileLimits } from "../file-limits.ts";

export type Attributes = Readonly<Record<string, string>>;

export interface XmlHandler {
  /**
   * `isForeign`: the element has another namespace than the root. `path`: the names of all open elements, the root first
   * and this one last; valid only during the call.
   */
  open(name: string, attributes: Attributes, isForeign: boolean, path: readonly string[]): void;
  close?(name: string, path: readonly string[]): void;
  text?(text: string, path: readonly string[]): void;
  /**
   * Lets the handler read ahead right after a tag; `written` is the path with the names as written. Returns the offset
   * where it stopped, after well-formed content that leaves the same elements open; `start` if it cannot read ahead.
   */
  readPlain?(chunk: XmlChunk, start: number, written: readonly string[]): number;
}

export interface XmlChunk {
  readonly text: string;
  /** The UTF-16 code units of the text, which are twice as fast to read here. */
  readonly codes: Uint8Array | Uint16Array;
}

export function codesOf(text: string): Uint16Array {
  return Uint16Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
}

/** Throws what the handler throws, what `refuse` makes of a doctype or limit, and saxes' own Error. */
export function xmlWalker(handler: XmlHandler, limits: FileLimits, refuse: (what: string) => Fault) {
  const parser = new SaxesParser({ xmlns: false, position: false });
  const path: string[] = [];
  /** The path with the names as written, prefixes included. */
  const written: string[] = [];
  const namespaces = new XmlNamespaces();
  let tags = 0;
  let charactersSinceTag = 0;
  /** Whether saxes is inside the root element, right after a tag. */
  let isBehindTag = false;
  /** How often in a row the handler could not read ahead. */
  let vainSteps = 0;
  listen();
  return { write, end };

  function write(chunk: XmlChunk): void {
    const { text } = chunk;
    const tagsBefore = tags;
    let hasPlain = false;
    for (let index = 0; index < text.length; ) {
      const start = index;
      if (isBehindTag && path.length + PLAIN_LEVELS_MAX <= limits.xmlDepthMax) {
        index = handler.readPlain?.(chunk, start, written) ?? start;
      }
      if (index > start) {
        hasPlain = true;
        vainSteps = 0;
      }
      if (index < text.length) index = parse(text, index);
    }
    charactersSinceTag = hasPlain || tags > tagsBefore ? 0 : charactersSinceTag + text.length;
    if (charactersSinceTag > TEXT_WITHOUT_TAG_MAX) {
      throw refuse(`has more than ${TEXT_WITHOUT_TAG_MAX} characters between two tags`);
    }
  }

  function end(): void {
    parser.close();
  }

  /** Lets saxes read up to a `>`, or to the end; returns the offset after it. */
  function parse(text: string, start: number): number {
    const step = vainSteps < VAIN_STEPS_MAX ? 0 : LONG_STEP_CHARACTERS;
    const greater = handler.readPlain === undefined ? -1 : text.indexOf(">", start + step);
    const last = greater < 0 ? text.length - 1 : greater;
    parser.write(text.slice(start, last));
    const tagsBefore = tags;
    // A `>` may also be in a comment or a value; it ends a tag if saxes reports one only now.
    parser.write(text.charAt(last));
    isBehindTag = tags > tagsBefore && path.length > 0;
    vainSteps += 1;
    return last + 1;
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
      written.push(name);
      const local = localName(name);
      path.push(local);
      if (path.length > limits.xmlDepthMax) {
        throw refuse(`nests deeper than ${limits.xmlDepthMax} elements`);
      }
      handler.open(local, attributes, namespaces.open(name, attributes), path);
    });
    parser.on("closetag", ({ name }) => {
      tags += 1;
      namespaces.close();
      handler.close?.(localName(name), path);
      written.pop();
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

/** More tags than one cell has: by then the sheet probably consists of cells that the handler cannot read. */
const VAIN_STEPS_MAX = 16;
const LONG_STEP_CHARACTERS = 4096;

/** Levels of elements that a handler reads: a cell, `is` and `t`. */
const PLAIN_LEVELS_MAX = 3;

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
