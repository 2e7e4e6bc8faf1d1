/**
 * Tells which elements of an XML document have the root's namespace. Others may have the same local names, and programs
 * that do not know their namespace skip them (ECMA-376 part 3, 7.2): reading them as rows would show another sheet than
 * the sender sees.
 */

type Attributes = Readonly<Record<string, string>>;

export class XmlNamespaces {
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
