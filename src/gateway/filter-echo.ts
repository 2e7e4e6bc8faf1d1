/**
 * The echo of a search's filters: `filters` of the search response envelope (interface document, section Resources). It tells whether
 * the service looked for what it was asked for, or for some of it.
 */

/** The lists that a search filters by, by the names of the interface; nothing asked for is an empty list or none. */
export type AskedFilters = Readonly<Record<string, readonly string[] | undefined>>;

/** The names of the filters that are echoed differently from what was asked. What is not echoed as a list is not judged. */
export function unlikeEchoes(
  asked: AskedFilters,
  echoed: Readonly<Record<string, unknown>> | undefined,
): string[] {
  return Object.entries(asked)
    .filter(([name, items = []]) => {
      const back = echoed?.[name];
      return Array.isArray(back) && !haveSameItems(items, back, name.endsWith("Ids"));
    })
    .map(([name]) => name);
}

/** In any order. UUIDs are the same in capitals. */
function haveSameItems(items: readonly string[], others: readonly unknown[], areIds: boolean): boolean {
  const known = (item: unknown) => (areIds ? String(item).toLowerCase() : item);
  const left = new Set<unknown>(items.map(known));
  const right = new Set<unknown>(others.map(known));
  return left.size === right.size && [...left].every((item) => right.has(item));
}
