/** The only durable state. Statements run only inside `read` and `write`; the results of `write` are on disk. */
import { Fault } from "../faults/index.ts";
import type { Transaction } from "./sql.ts";

export interface Store {
  /** Whether other machines may use the same database. */
  readonly isShared: boolean;
  /** Runs a transaction that only reads, on one consistent snapshot. */
  read<Result>(transaction: () => Transaction<Result>): Promise<Result>;
  /**
   * Runs a transaction. When the promise resolves it is committed and flushed; when it rejects nothing of it happened.
   * The generator may run more than once until then, so it must have no effects outside the database.
   */
  write<Result>(transaction: () => Transaction<Result>): Promise<Result>;
  /**
   * Makes this process the only sender of the key `name`, or the only one to do the work of that name
   * (workplace/exclusively.ts). `sendingMs`: the longest time that a request may be in flight. Throws LANE_TAKEN
   * while another process holds the lane, or may still have requests in flight.
   */
  takeLane(name: string, sendingMs: number): Promise<Lane>;
  close(): Promise<void>;
}

/** The right to send under a key, or to do other exclusive work. */
export interface Lane {
  /** Throws LANE_LOST once another process has taken the lane. Runs within each transaction of the lane's holder. */
  fence(): Transaction<void>;
  /** Why no more may be sent; undefined while the lane is certainly held. Asked right before each request. */
  whyClosed(): string | undefined;
  /** The stop order in the database, as far as the holder has seen it. */
  stopOrder(): string | undefined;
  release(): Promise<void>;
}

/** A store for the holder of a lane; its writes fail once the lane has another holder. */
export function fencedStore(store: Store, lane: Lane): Store {
  return {
    isShared: store.isShared,
    read: (transaction) => store.read(transaction),
    write: (transaction) =>
      store.write(function* () {
        yield* lane.fence();
        return yield* transaction();
      }),
    takeLane: (name, sendingMs) => store.takeLane(name, sendingMs),
    close: () => store.close(),
  };
}

/** The lane that `taking` yields; undefined if another process holds it. */
export async function unlessTaken(taking: Promise<Lane>): Promise<Lane | undefined> {
  try {
    return await taking;
  } catch (error) {
    if (error instanceof Fault && error.problem.code === "LANE_TAKEN") return undefined;
    throw error;
  }
}

/** Does `work` with a store whose writes fail once the lane is lost, and releases the lane. */
export async function whileHeld<Result>(
  store: Store,
  lane: Lane,
  work: (fenced: Store, lane: Lane) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(fencedStore(store, lane), lane);
  } finally {
    await lane.release();
  }
}
