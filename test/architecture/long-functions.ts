/** Finds long functions, closures included, with the compiler's parser; imports and types are not resolved. */
import { join } from "node:path";
import { type Node, SyntaxKind } from "typescript/unstable/ast";
import { API } from "typescript/unstable/sync";

const ROOT = join(import.meta.dirname, "..", "..");
const CONFIG = join(import.meta.dirname, "functions.tsconfig.json");

const FUNCTIONS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.FunctionExpression,
  SyntaxKind.ArrowFunction,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.Constructor,
  SyntaxKind.GetAccessor,
  SyntaxKind.SetAccessor,
]);

/**
 * The lines of each function of `paths` that has more than `max`, by file and name: "src/payments/sending/submit.ts
 * submit".
 */
export function longFunctions(paths: readonly string[], max: number): Record<string, number> {
  const found: Record<string, number> = {};
  const api = new API();
  try {
    const program = api.updateSnapshot({ openProjects: [CONFIG] }).getProject(CONFIG)?.program;
    for (const path of paths) {
      const file = program?.getSourceFile(join(ROOT, path));
      if (file === undefined) throw new Error(`${path} is not read by ${CONFIG}`);
      const linesOf = (start: number, end: number) => file.text.slice(start, end).split("\n").length;
      const visit = (node: Node): void => {
        if (linesOf(node.pos, node.end) <= max) return;
        const lines = linesOf(node.getStart(file), node.end);
        if (FUNCTIONS.has(node.kind) && lines > max) found[`${path} ${nameOf(node)}`] = lines;
        node.forEachChild(visit);
      };
      visit(file);
    }
  } finally {
    api.close();
  }
  return found;
}

/** Its own, or that of what it is assigned to. */
function nameOf(node: Node & { readonly name?: Node }): string {
  const { name = (node.parent as typeof node).name } = node;
  return name?.getText() ?? "(closure)";
}
