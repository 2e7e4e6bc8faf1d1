/** A step of one process between two statements of another one. */
import type { Workplace } from "../../src/index.ts";

/** The workplace as it is, but `work` is done right before its `nth` write, as by another process. */
export function meanwhile(workplace: Workplace, work: () => Promise<unknown>, nth = 1): Workplace {
  let writes = 0;
  const { store } = workplace;
  const write: typeof store.write = async (transaction) => {
    writes += 1;
    if (writes === nth) await work();
    return store.write(transaction);
  };
  return {
    ...workplace,
    store: { ...store, read: store.read.bind(store), takeLane: store.takeLane.bind(store), write },
  };
}
