/** Explains why a value does not match its schema, naming the field. */
import { z } from "zod";

type Issue = z.core.$ZodIssue;

/** "sentFunds[0].amount.currency: Invalid input: expected string, received undefined"; several are joined by "; ". */
export function mismatchText({ issues }: z.ZodError): string {
  return issues
    .flatMap(innermost)
    .map(({ path, message }) => (path.length === 0 ? message : `${z.core.toDotPath(path)}: ${message}`))
    .join("; ")
    .slice(0, 1000);
}

/** For a value that matches none of several alternatives, the issues of the closest one. */
function innermost(issue: Issue): { readonly path: readonly PropertyKey[]; readonly message: string }[] {
  if (issue.code !== "invalid_union") return [issue];
  const [nearest] = issue.errors
    .map((form) => form.flatMap(innermost))
    .sort((left, right) => depthOf(right) - depthOf(left));
  if (nearest === undefined) return [issue];
  return nearest.map(({ path, message }) => ({ path: [...issue.path, ...path], message }));
}

function depthOf(issues: readonly { readonly path: readonly PropertyKey[] }[]): number {
  return Math.max(0, ...issues.map(({ path }) => path.length));
}
