/** A step of one process between two statements of another one. */
import type { Workplace } from "../../src/index.ts";
import type { Transaction } from "../../src/store/sql.ts";

/** The workplace as it is, but `work` is done right before its `nth` write, as by another process. */
export function meanwhile(workplace: Workplace, work: () => Promise<unknown>, nth = 1): Workplace {
  let writes = 0;
  const { store } = workplace;
  const write: typeof store.write = async (transaction) => {
    writes += 1;
    if (writes === nth) await work();
    return store.write(transaction);
  };
  return withStore(workplace, { ...own(workplace), write });
}

/** The same, right before its first transaction whose first statement has `text`. */
export function beforeItAsks(workplace: Workplace, text: string, work: () => Promise<unknown>): Workplace {
  const store = own(workplace);
  let isDone = false;
  const when = async (transaction: () => Transaction<unknown>) => {
    const { value, done } = transaction().next([]);
    if (isDone || done === true || !value.text.includes(text)) return;
    isDone = true;
    await work();
  };
  return withStore(workplace, {
    ...store,
    read: async (transaction) => when(transaction).then(() => store.read(transaction)),
    write: async (transaction) => when(transaction).then(() => store.write(transaction)),
  });
}

/** For a workplace with one key. */
function withStore(workplace: Workplace, store: Workplace["store"]): Workplace {
  const changed = { ...workplace, store };
  return Object.assign(changed, { underKeys: [changed], whole: changed });
}

function own({ store }: Workplace): Workplace["store"] {
  const { isShared, read, write, takeLane, close } = store;
  return {
    isShared,
    read: read.bind(store),
    write: write.bind(store),
    takeLane: takeLane.bind(store),
    close: close.bind(store),
  };
}
