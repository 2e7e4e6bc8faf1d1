/** Reads results of any length in windows, so that they are never in memory as a whole. */
import type { BatchId, Instruction } from "../model/index.ts";
import { listFromBatch } from "./instructions.ts";
import type { Transaction } from "./sql.ts";
import type { Store } from "./store.ts";

/**
 * `list` returns the rows after a given one, and an empty list at the end. Later windows show changes made
 * meanwhile.
 */
export async function* inWindows<Row>(
  store: Pick<Store, "read">,
  list: (last: Row | undefined) => Transaction<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let last: Row | undefined; ; ) {
    const after = last;
    const window = await store.read(() => list(after));
    last = window.at(-1);
    if (last === undefined) return;
    yield window;
    // SQLite answers at once: without this pause, reading years of data would block the process.
    await new Promise((resume) => setImmediate(resume));
  }
}

const BATCH_ROWS_TOGETHER = 500;

export function batchWindows(
  store: Pick<Store, "read">,
  batch: BatchId,
): AsyncGenerator<readonly Instruction[]> {
  return inWindows(store, (last) => listFromBatch(batch, last?.row ?? 0, BATCH_ROWS_TOGETHER));
}

/** As `batchWindows`, but within one transaction, so that all rows are of one instant. */
export function* visitBatch(
  batch: BatchId,
  visit: (window: readonly Instruction[]) => void,
): Transaction<void> {
  for (let after = 0; ; ) {
    const window = yield* listFromBatch(batch, after, BATCH_ROWS_TOGETHER);
    const last = window.at(-1);
    if (last === undefined) return;
    visit(window);
    after = last.row;
  }
}
