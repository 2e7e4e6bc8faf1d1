/**
 * Mutual exclusion for work other than sending, across all machines that share the database: intake, comparison, result
 * files, ledger exports and notices.
 */
import { fault } from "../../faults/index.ts";
import { type Store, unlessTaken, whileHeld } from "../../store/store.ts";

/** How long a process that is no longer heard of may still be writing files; nobody takes over before that. */
const UNHEARD_MS = 60_000;

/**
 * Does `work` if no other process is doing it; otherwise does nothing and returns undefined. `work` gets a store whose
 * writes fail once another process has taken over.
 */
export async function exclusively<Result>(
  store: Store,
  name: "intake" | "reconcile" | "results" | "ledger-export" | "notices",
  work: (store: Store) => Promise<Result>,
): Promise<{ readonly result: Result } | undefined> {
  const lane = await unlessTaken(store.takeLane(name, UNHEARD_MS));
  return lane === undefined ? undefined : { result: await whileHeld(store, lane, work) };
}

const UNDER_WAY = { reconcile: "RECONCILE_UNDER_WAY", "ledger-export": "EXPORT_UNDER_WAY" } as const;

/** As `exclusively`, but throws RECONCILE_UNDER_WAY or EXPORT_UNDER_WAY while another process does the work. */
export async function exclusivelyOrFault<Result>(
  store: Store,
  name: keyof typeof UNDER_WAY,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const done = await exclusively(store, name, work);
  if (done === undefined) throw fault(UNDER_WAY[name], {});
  return done.result;
}

/** Throws if another process has taken the work over; call it before writing anything outside the store. */
export function checkStillExclusive(store: Store): Promise<void> {
  return store.write(function* () {
    // An empty transaction: the store of `exclusively` checks before each one that the lane is still held.
  });
}
