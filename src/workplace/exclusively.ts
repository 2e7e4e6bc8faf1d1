/**
 * Mutual exclusion for work other than sending, across all machines that share the database: intake, comparison,
 * result files, ledger exports, notices and retention.
 */
import { fault } from "../faults/index.ts";
import { extendingStore, type Store, unlessTaken, whileHeld } from "../store/store.ts";
import type { Workplace } from "./workplace.ts";

/** A silent process may still be writing files for this long; another process takes over only after that. */
const SILENT_MS = 60_000;
/**
 * Shorter, so that another machine takes in a killed machine's files within 30 s. An intake that continues too late
 * fails at its next write to the database; an answer that it writes until then equals the one that the new process
 * writes.
 */
const SILENT_INTAKE_MS = 8_000;

/**
 * Does `work` if no other process is doing it; otherwise returns undefined at once. `work` gets the workplace with
 * a store whose writes fail once another process has taken over.
 */
export async function exclusively<Result>(
  workplace: Workplace,
  name: "intake" | "expected" | "reconcile" | "results" | "ledger-export" | "notices" | "retention",
  work: (alone: Workplace) => Promise<Result>,
): Promise<{ readonly result: Result } | undefined> {
  const { store } = workplace;
  const silentMs = name === "intake" ? SILENT_INTAKE_MS : SILENT_MS;
  const lane = await unlessTaken(store.takeLane(name, silentMs));
  if (lane === undefined) return undefined;
  const alone = extendingStore(store, lane);
  return { result: await whileHeld(store, lane, () => work({ ...workplace, store: alone })) };
}

const UNDER_WAY = {
  expected: { work: "working on expected receipts" },
  reconcile: { work: "comparing with the service" },
  retention: { work: "removing old files" },
  "ledger-export": {
    work: "at work on the books (posting, exporting, verifying, remapping, closing or reopening)",
  },
} as const;

/** As `exclusively`, but throws UNDER_WAY while another process does the work. */
export async function exclusivelyOrFault<Result>(
  workplace: Workplace,
  name: keyof typeof UNDER_WAY,
  work: (alone: Workplace) => Promise<Result>,
): Promise<Result> {
  const done = await exclusively(workplace, name, work);
  if (done === undefined) throw fault("UNDER_WAY", UNDER_WAY[name]);
  return done.result;
}

/** Throws if another process has taken over the work. Call it before writing anything outside the store. */
export function checkStillExclusive(store: Store): Promise<void> {
  return store.write(function* () {
    // An empty transaction: the store of `exclusively` checks before each one that the lane is still held.
  });
}
