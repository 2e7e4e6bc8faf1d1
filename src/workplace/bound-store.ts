/**
 * The store of a configuration, which changes only a database of its own roster. Every change goes through it,
 * whatever option or variable chose the database.
 */
import type { Config } from "../config/index.ts";
import { Fault } from "../faults/index.ts";
import { isOwnedBy, type RosterOwner } from "../store/roster-root.ts";
import type { Transaction } from "../store/sql.ts";
import type { Store } from "../store/store.ts";
import { ownerIn } from "./root.ts";

/**
 * Reports a database of another roster before any person is asked for a signature. Throws DATABASE_OF_ANOTHER_ROOT.
 * Ignores an unreadable database, because its first use will report that.
 */
export async function refuseAnothers({
  store,
  config,
}: {
  readonly store: Store;
  readonly config: Pick<Config, "people">;
}): Promise<void> {
  try {
    await store.read(() => isOwnedBy(ownerIn(config)));
  } catch (error) {
    if (!(error instanceof Fault) || error.problem.code === "DATABASE_OF_ANOTHER_ROOT") throw error;
  }
}

/**
 * Its `write` and `takeLane` throw DATABASE_OF_ANOTHER_ROOT if the database has another owner. `owner`: undefined
 * if the configuration has no root; it may then change only a database without an owner.
 */
export function boundStore(store: Store, owner: RosterOwner | undefined): Store {
  // Checked once, and again for each lane and decision, because a database changes its owner once in years.
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
