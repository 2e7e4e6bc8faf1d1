/** Canonical JSON: equal values have one text, in whatever order their members were written. */

/** For `JSON.stringify`, which leaves absent members out: members sorted at every depth. */
export function withSortedMembers(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
