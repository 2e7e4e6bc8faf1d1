/**
 * The echoed filters in a search response (`filters` of the envelope; interface document, section Resources): they show
 * whether the service searched for everything that was asked.
 */

/** Filter lists by the interface's names; an empty or absent list does not filter. */
export type AskedFilters = Readonly<Record<string, readonly string[] | undefined>>;

/** The names of filters whose echo differs from the request. An echo that is not a list is ignored. */
export function unlikeEchoes(
  filters: AskedFilters,
  echoed: Readonly<Record<string, unknown>> | undefined,
): string[] {
  return Object.entries(filters)
    .filter(([name, items = []]) => {
      const back = echoed?.[name];
      return Array.isArray(back) && !haveSameItems(items, back, name.endsWith("Ids"));
    })
    .map(([name]) => name);
}

/** Compares as sets; UUIDs are compared case-insensitively. */
function haveSameItems(items: readonly string[], others: readonly unknown[], areIds: boolean): boolean {
  const known = (item: unknown) => (areIds ? String(item).toLowerCase() : item);
  const left = new Set<unknown>(items.map(known));
  const right = new Set<unknown>(others.map(known));
  return left.size === right.size && [...left].every((item) => right.has(item));
}
