/** Parses one XML document that comes in chunks, by saxes, and calls a handler for its tags and texts. */
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
}

/** Throws what the handler throws, what `refuse` makes of a doctype or limit, and saxes' own Error. */
export function xmlWalker(handler: XmlHandler, limits: FileLimits, refuse: (what: string) => Fault) {
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
