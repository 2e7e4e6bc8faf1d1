/** Work beside the lanes of keys that one process does at a time, on all machines that share the database. */
import type { Store } from "../store/store.ts";
import { unlessTaken, whileHeld } from "./lane.ts";

/** How long what such work does outside the database may take, after its process was last heard of. */
const UNHEARD_MS = 60_000;

/** Does `work` with a store in which nobody else has begun it meanwhile; undefined, and nothing is done, while another process does it. */
export async function alone<Result>(
  store: Store,
  name: "intake" | "ledger-export",
  work: (store: Store) => Promise<Result>,
): Promise<{ readonly result: Result } | undefined> {
  const lane = await unlessTaken(store.takeLane(name, UNHEARD_MS));
  return lane === undefined ? undefined : { result: await whileHeld(store, lane, work) };
}

/** Throws where another process has begun the work meanwhile; asked before something outside of the store is written. */
export function stillAlone(store: Store): Promise<void> {
  return store.write(function* () {
    // Every write asks it.
  });
}
