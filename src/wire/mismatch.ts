/** Explains why a value does not match its schema, naming the field. */
import { z } from "zod";

type Issue = z.core.$ZodIssue;

/** "sentFunds[0].amount.currency: missing", "payoutState: expected string, received number"; joined by "; ". */
export function mismatchText({ issues }: z.ZodError): string {
  return issues
    .flatMap(innermost)
    .map(({ path, message }) => ({ path, words: plainWords(message) }))
    .map(({ path, words }) => (path.length === 0 ? words : `${z.core.toDotPath(path)}: ${words}`))
    .join("; ")
    .slice(0, 1000);
}

/** How many places do not fit; for a value with several forms, those of each form. */
export function mismatchCount({ issues }: z.ZodError): number {
  const counts = issues.map((issue) => (issue.code === "invalid_union" ? issue.errors.flat().length : 1));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** zod's own message is for programmers: "Invalid input: expected string, received undefined". */
function plainWords(message: string): string {
  return message.endsWith("received undefined") ? "missing" : message.replace(/^Invalid input: /, "");
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
