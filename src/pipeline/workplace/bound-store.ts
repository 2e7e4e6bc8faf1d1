/**
 * The store of a configuration, which changes only a database of its own roster. Whichever option or variable led to a
 * database, every change goes through here.
 */
import { isOwnedBy, type RosterOwner } from "../../store/roster-root.ts";
import type { Transaction } from "../../store/sql.ts";
import type { Store } from "../../store/store.ts";

/**
 * Its `write` and `takeLane` throw DATABASE_OF_ANOTHER_ROOT where the database has another owner. `owner`: undefined where
 * the configuration has no root; such a one only changes what nobody owns yet.
 */
export function boundStore(store: Store, owner: RosterOwner | undefined): Store {
  // Asked once, and again for each lane and decision: a database changes hands once in years.
  let isKnown = false;
  return {
    ...store,
    write: <Result>(transaction: () => Transaction<Result>) =>
      isKnown
        ? store.write(transaction)
        : store.write(function* (): Transaction<Result> {
            if (yield* isOwnedBy(owner)) isKnown = true;
            return yield* transaction();
          }),
    takeLane: async (name, sendingMs) => {
      await store.read(() => isOwnedBy(owner));
      return store.takeLane(name, sendingMs);
    },
  };
}
