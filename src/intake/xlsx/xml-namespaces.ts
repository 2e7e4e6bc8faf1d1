/**
 * Which elements of an XML document are of its root's namespace. Others may bear the same local names, and programs that do not
 * know their namespace pass them over (ECMA-376 part 3, 7.2): whoever reads them as rows sees another sheet than its sender.
 */

type Attributes = Readonly<Record<string, string>>;

export class XmlNamespaces {
  private readonly scopes: ReadonlyMap<string, string>[] = [new Map()];
  private root: string | undefined;

  /** To be called with each opening tag, its name as written; tells whether it is of another namespace than the root. */
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

/** Hardly an element declares a prefix, so that most share their scope with the one around them. */
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
