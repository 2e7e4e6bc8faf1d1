/** A batch's instructions some at a time, in the order of their rows: a batch of any length, without lying in memory. */
import type { BatchId, Instruction } from "../model/index.ts";
import { listFromBatch } from "./instructions.ts";
import type { Transaction } from "./sql.ts";
import type { Store } from "./store.ts";

const WINDOW_ROWS = 500;

/** Each window is read by itself: what changes meanwhile shows in those behind it. */
export async function* batchWindows(
  store: Pick<Store, "read">,
  batch: BatchId,
): AsyncGenerator<readonly Instruction[]> {
  for (let after = 0; ; ) {
    const window = await store.read(() => listFromBatch(batch, after, WINDOW_ROWS));
    const last = window.at(-1);
    if (last === undefined) return;
    yield window;
    after = last.row;
  }
}

/** The same within one transaction, and so as of one instant. */
export function* visitBatch(
  batch: BatchId,
  visit: (window: readonly Instruction[]) => void,
): Transaction<void> {
  for (let after = 0; ; ) {
    const window = yield* listFromBatch(batch, after, WINDOW_ROWS);
    const last = window.at(-1);
    if (last === undefined) return;
    visit(window);
    after = last.row;
  }
}
