/** Group commit: writes the items that callers hand over before the store's next commit in one transaction. */
import type { Transaction } from "./sql.ts";
import type { Store } from "./store.ts";

/**
 * Returns a function that hands an item over and resolves with its result once that is on disk. `writeAll` returns
 * one result per item, in order; if it throws, every item fails and nothing is stored.
 */
export function gathered<Item, Result>(
  store: Pick<Store, "write">,
  writeAll: (items: readonly Item[]) => Transaction<readonly Result[]>,
): (item: Item) => Promise<Result> {
  let gathering: Group<Item, Result> | undefined;
  const begin = () => {
    const items: Item[] = [];
    const end = () => {
      if (gathering === group) gathering = undefined;
    };
    const written = store.write(() => {
      end();
      return writeAll(items);
    });
    const group = { items, written: written.finally(end) };
    return group;
  };
  return async (item) => {
    gathering ??= begin();
    const { items, written } = gathering;
    const index = items.push(item) - 1;
    return (await written)[index] as Result;
  };
}

interface Group<Item, Result> {
  readonly items: Item[];
  readonly written: Promise<readonly Result[]>;
}
