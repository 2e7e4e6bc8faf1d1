/** A step of one process between two statements of another one. */
import type { Workplace } from "../../src/index.ts";
import type { SqlRow, Statement, Transaction } from "../../src/store/sql.ts";

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

/** Thrown at the step at which a process is stopped. */
export class Stopped extends Error {}

/** Counts the steps of a process: before each of its writes, and after it. */
export interface WriteSteps {
  taken: number;
  /** The step at which it is stopped, counted from 1. */
  readonly stop?: number;
}

/** The same as a process that is stopped at a step: nothing that it does later reaches the store. */
export function stoppedAt(workplace: Workplace, steps: WriteSteps): Workplace {
  const store = own(workplace);
  let isStopped = false;
  const step = () => {
    steps.taken += 1;
    isStopped ||= steps.taken === steps.stop;
    alive();
  };
  const alive = () => {
    if (isStopped) throw new Stopped();
  };
  const read: typeof store.read = async (transaction) => {
    alive();
    return store.read(transaction);
  };
  const write: typeof store.write = async (transaction) => {
    alive();
    step();
    const result = await store.write(transaction);
    step();
    return result;
  };
  return withStore(workplace, { ...store, read, write });
}

/** The same, but statements like `text` are carried out in a transaction of their own, after the others. */
export function inTwoSteps(workplace: Workplace, text: RegExp): Workplace {
  const store = own(workplace);
  const write: typeof store.write = async (transaction) => {
    let later: Statement[] = [];
    const result = await store.write(function* () {
      later = [];
      const steps = transaction();
      let rows: readonly SqlRow[] = [];
      for (;;) {
        const { value, done } = steps.next(rows);
        if (done === true) return value;
        if (text.test(value.text)) {
          later.push(value);
          rows = [{ changed: rowsOf(value) }];
        } else rows = yield value;
      }
    });
    if (later.length > 0)
      await store.write(function* () {
        for (const statement of later) yield statement;
      });
    return result;
  };
  return withStore(workplace, { ...store, write });
}

/** How many rows a statement would change: those that it inserts, otherwise one. */
function rowsOf({ text }: Statement): number {
  const [, rows = ""] = / values (.*?)(?: on conflict|$)/s.exec(text) ?? [];
  return Math.max(1, rows.split("), (").length);
}

/** The same, but statements like `text` are carried out as `instead` says, or not at all. */
export function altered(workplace: Workplace, text: RegExp, instead?: (text: string) => string): Workplace {
  const store = own(workplace);
  const spoilt = <Result>(transaction: () => Transaction<Result>) =>
    function* (): Transaction<Result> {
      const steps = transaction();
      let rows: readonly SqlRow[] = [];
      for (;;) {
        const { value, done } = steps.next(rows);
        if (done === true) return value;
        if (!text.test(value.text)) rows = yield value;
        else rows = instead === undefined ? [] : yield { ...value, text: instead(value.text) };
      }
    };
  return withStore(workplace, {
    ...store,
    read: (transaction) => store.read(spoilt(transaction)),
    write: (transaction) => store.write(spoilt(transaction)),
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
