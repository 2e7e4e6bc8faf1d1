/** Canonical JSON: equal values have one text, in whatever order their members were written. */
import { compareText } from "./compare-text.ts";

/** For `JSON.stringify`, which leaves absent members out: members sorted at every depth. */
export function withSortedMembers(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => compareText(left, right)));
}
