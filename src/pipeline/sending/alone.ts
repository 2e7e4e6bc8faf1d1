/** Work besides sending that only one process does at a time, on all machines that share the database: intake, comparison, result files, ledger exports and notices. */
import { fault } from "../../faults/index.ts";
import type { Store } from "../../store/store.ts";
import { unlessTaken, whileHeld } from "./lane.ts";

/** How long a process that is no longer heard of may still be writing files; until then no other one takes over. */
const UNHEARD_MS = 60_000;

/** Does `work` with a store in which nobody else has begun it meanwhile; undefined, and nothing is done, while another process does it. */
export async function alone<Result>(
  store: Store,
  name: "intake" | "reconcile" | "results" | "ledger-export" | "notices",
  work: (store: Store) => Promise<Result>,
): Promise<{ readonly result: Result } | undefined> {
  const lane = await unlessTaken(store.takeLane(name, UNHEARD_MS));
  return lane === undefined ? undefined : { result: await whileHeld(store, lane, work) };
}

const UNDER_WAY = { reconcile: "RECONCILE_UNDER_WAY", "ledger-export": "EXPORT_UNDER_WAY" } as const;

/** The same for work that cannot be left to another process. Throws RECONCILE_UNDER_WAY or EXPORT_UNDER_WAY while one does it. */
export async function aloneOrFault<Result>(
  store: Store,
  name: keyof typeof UNDER_WAY,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const done = await alone(store, name, work);
  if (done === undefined) throw fault(UNDER_WAY[name], {});
  return done.result;
}

/** Throws where another process has begun the work meanwhile; asked before something outside of the store is written. */
export function stillAlone(store: Store): Promise<void> {
  return store.write(function* () {
    // Nothing to write: the store of `alone` checks before each transaction that the lane is still held.
  });
}
